import { Refusal } from '../../../kernel/errors.ts';
import { showDead } from '../../domains/inbox/inbox.ts';
import { findBot } from '../../domains/ops/ops.ts';
import { defineCommand } from '../cli/command.ts';
import { moment, plain } from '../cli/print.ts';
import { deadArguments, deadView } from './view.ts';

export const deadShow = defineCommand({
  name: 'dead show',
  summary: 'Shows one dead letter whole: the error and the update as it came',
  args: deadArguments,
  options: {},
  json: true,
  async run({ args, answer, installation }) {
    const { db } = await installation();
    const bot = await findBot(db, args.BOT);
    const row = await showDead(db, { integrationId: bot.id, key: args.KEY });
    if (row === undefined)
      throw new Refusal('DEAD_LETTER_NOT_FOUND', `@${bot.username} has no dead letter ${args.KEY}.`);
    const update = bodyOf(row.body ?? row.body_bytes?.toString('utf8') ?? null);
    answer({ ...deadView(row, bot), update }, [
      `Bot:       @${bot.username}`,
      `Key:       ${row.key}`,
      `Received:  ${moment(row.received_at)}`,
      `Given up:  ${moment(row.done_at)}, after ${row.attempts} attempts`,
      `Error:     ${plain(row.error ?? 'none was written')}`,
      '',
      ...(update === null
        ? ['The update cannot be shown as text.']
        : JSON.stringify(update, undefined, 2).split('\n').map(plain)),
    ]);
  },
});

/** The update as an object; null when it was not JSON text. */
function bodyOf(body: string | null): unknown {
  if (body === null) return null;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
