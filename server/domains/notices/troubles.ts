import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { openNotice } from './notices.ts';

/** What one bot suffers from, as an operator is told; `kind` names the notice. */
export type Trouble = { kind: string; bot: string; message: string; method?: string };

/** The same may come thousands of times: a bot is told of one kind rarely. */
const tellEveryMs = 60_000;

/** Tells the operator of what happens to messages: a line in the log, at most one a minute for a bot and kind, and a notice. */
export function createTroubles(kit: Kit, db: Db): (trouble: Trouble) => void {
  const known = new Map<string, { untold: number; toldMs: number }>();
  return ({ kind, bot, message, method }) => {
    const name = `${kind} ${bot}`;
    const one = known.get(name) ?? { untold: 0, toldMs: Number.NEGATIVE_INFINITY };
    known.set(name, one);
    one.untold += 1;
    const nowMs = kit.monotonicMs();
    if (nowMs - one.toldMs < tellEveryMs) return;
    kit.log.warn({ bot, messages: one.untold, ...(method && { method }) }, kind);
    one.toldMs = nowMs;
    one.untold = 0;
    openNotice(db, { kind, subject: bot, message }).catch((error: unknown) =>
      kit.log.warn({ bot, err: error }, 'notice.not_opened'),
    );
  };
}
