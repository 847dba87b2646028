import type { Tx } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { listDead } from '../../domains/inbox/inbox.ts';
import { findBot } from '../../domains/ops/ops.ts';
import type { Installation } from '../cli/installation.ts';

const rowsMax = 10_000;

/** What `dead retry` and `dead drop` share: one dead letter, or with `all` every one of a bot, in one transaction. */
export async function eachDead(
  { db }: Installation,
  which: { bot: string; key: string | undefined; all: boolean },
  act: (tx: Tx, row: { integrationId: number; key: string }) => Promise<number>,
): Promise<{ username: string; done: number }> {
  if ((which.key === undefined) !== which.all)
    throw new Refusal('USAGE', 'Give the KEY of one dead letter, or --all for every one of this bot.');
  const bot = await findBot(db, which.bot);
  return db.tx(async (tx) => {
    const keys =
      which.key === undefined
        ? (await listDead(tx, { limit: rowsMax, integrationId: bot.id })).map((row) => row.key)
        : [which.key];
    let done = 0;
    for (const key of keys) done += await act(tx, { integrationId: bot.id, key });
    if (which.key !== undefined && done === 0) {
      throw new Refusal('DEAD_LETTER_NOT_FOUND', `@${bot.username} has no dead letter ${which.key}.`);
    }
    return { username: bot.username, done };
  });
}
