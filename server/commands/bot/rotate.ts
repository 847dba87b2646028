import { Refusal } from '../../../kernel/errors.ts';
import { rotateSecret, rotateToken } from '../../domains/bots/bots.ts';
import { findBot } from '../../domains/ops/ops.ts';
import { defineCommand } from '../cli/command.ts';
import { botArgument } from './view.ts';

export const botRotate = defineCommand({
  name: 'bot rotate',
  summary: 'Gives a bot a new webhook secret, or stores its new token',
  details: [
    'Without --token only the secret of the webhook changes; the old one is accepted for ten minutes more.',
    'After "Revoke current token" in @BotFather give the new one here: the bot goes on where it was.',
  ],
  examples: ['bot rotate @support_bot', 'bot rotate @support_bot --token - < token.txt'],
  args: [botArgument],
  options: { token: { type: 'text', value: 'TOKEN', about: 'the new token; "-" reads it from the input' } },
  changes: 'telegram',
  json: true,
  async run({ args, options, answer, installation, input }) {
    const token = options.token === '-' ? await input() : options.token;
    if (token === '') throw new Refusal('USAGE', 'The input is empty: it should hold the token.');
    const { db, bots } = await installation();
    const { publicId } = await findBot(db, args.BOT);
    const deps = bots();
    const bot =
      token === undefined ? await rotateSecret(deps, publicId) : await rotateToken(deps, publicId, token.trim());
    answer({ bot }, [
      token === undefined ? `@${bot.username} has a new webhook secret.` : `@${bot.username} works with its new token.`,
    ]);
  },
});
