import type { FastifyInstance } from 'fastify';
import { Bot, webhookCallback } from 'grammy';
import { webhookPathOf } from '../lib/paths.ts';
import type { BaselinePlan } from './plan.ts';

/** One Bot a token, as its guide says, each behind its own address; the same words get the same answers. */
export function grammy(app: FastifyInstance, plan: BaselinePlan): void {
  const answers = new Map(plan.words.map((word, index) => [word, plan.answers[index]!.params]));
  for (const { publicId, secret, token, botId } of plan.bots) {
    const bot = new Bot(token, {
      client: { apiRoot: plan.apiRoot },
      botInfo: { id: botId, is_bot: true, first_name: 'Bench', username: `bench_${botId}_bot` } as never,
    });
    bot.on('message:text', async (context) => {
      const { text, ...other } = answers.get(context.message.text)!;
      await context.reply(String(text), other);
    });
    app.post(webhookPathOf(publicId), webhookCallback(bot, 'fastify', { secretToken: secret }) as never);
  }
}
