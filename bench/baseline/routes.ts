import type { FastifyInstance } from 'fastify';
import { checkSecret } from '../../server/domains/bots/bots.ts';
import { hashSecret } from '../../server/domains/bots/secret.ts';
import { type WebhookOptions, webhookRoutes } from '../../server/domains/inbox/routes.ts';
import type { Telegram } from '../../server/domains/telegram/telegram.ts';
import type { BaselinePlan } from './plan.ts';

/** The product's own route, secret check and reading included, with a store that keeps nothing. */
export function bare(app: FastifyInstance, plan: BaselinePlan): void {
  webhookRoutes(
    app,
    routeOptions(plan, () => Promise.resolve('stored')),
  );
}

/** The same route, whose store calls sendMessage at once through the product's own client. */
export function unsafe(app: FastifyInstance, plan: BaselinePlan, telegram: Telegram): void {
  const bots = plan.bots.map(({ token }) => ({ token, apiRoot: plan.apiRoot }));
  const bodies = new Map(plan.words.map((word, index) => [word, JSON.stringify(plan.answers[index]?.params).slice(1)]));
  const store: WebhookOptions['store'] = async (incoming) => {
    const message = (incoming.update as { message: { text: string; chat: { id: number } } }).message;
    const body = `{"chat_id":${message.chat.id},${bodies.get(message.text)}`;
    const call = telegram.callText(bots[incoming.integrationId]!, 'sendMessage', body);
    if (plan.awaitsTelegram) await call;
    return 'stored';
  };
  webhookRoutes(app, routeOptions(plan, store));
}

function routeOptions(plan: BaselinePlan, store: WebhookOptions['store']): WebhookOptions {
  const bots = new Map(
    plan.bots.map(({ publicId, secret }, id) => {
      const hashes = { secretHash: hashSecret(secret), previousSecretHash: null, previousSecretUntilMs: 0 };
      return [publicId, { id, bucket: 0, ...hashes }];
    }),
  );
  return {
    admit: (publicId, secret) => {
      const bot = bots.get(publicId);
      return checkSecret(bot, secret, Date.now()) ? bot : undefined;
    },
    store,
    accepts: () => true,
    counted: () => {},
    random: Math.random,
    refusedPerMinuteMax: 3_000,
    after: (ms, then) => void setTimeout(then, ms),
  };
}
