// Looking at bots.
import { Refusal } from '../../../kernel/errors.ts';
import type { BotsDeps, BotView } from './deps.ts';
import { viewOf } from './deps.ts';
import * as statements from './sql.ts';

export type ListOptions = {
  /** Name or public id. */
  readonly project?: string;
  readonly withDisconnected?: boolean;
  readonly limit?: number;
  /** The last public id of the page before. */
  readonly afterId?: string;
};

const listMax = 1_000;

/** Bots in the order in which they came. */
export async function listBots(
  deps: Pick<BotsDeps, 'db' | 'publicUrl'>,
  options: ListOptions = {},
): Promise<BotView[]> {
  const rows = await statements.listBots(deps.db, {
    project: options.project ?? null,
    withDisconnected: options.withDisconnected ?? false,
    afterId: options.afterId ?? null,
    limit: Math.min(options.limit ?? listMax, listMax),
  });
  return rows.map((row) => viewOf(row, deps.publicUrl));
}

/** One bot, also a disconnected one. Throws Refusal BOT_NOT_FOUND. */
export async function showBot(deps: Pick<BotsDeps, 'db' | 'publicUrl'>, publicId: string): Promise<BotView> {
  const row = await statements.findBot(deps.db, publicId);
  if (row === undefined) throw new Refusal('BOT_NOT_FOUND');
  return viewOf(row, deps.publicUrl);
}
