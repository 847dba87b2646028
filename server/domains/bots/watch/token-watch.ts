// A 401 is not believed at once: after a revoke Telegram answers 401 mostly and sometimes not
// (tdlib/telegram-bot-api#77). Three getMe over a minute decide; then the bot stops and its owner is told once.

import type { Loop } from '../../../../kernel/loop.ts';
import { loop } from '../../../../kernel/loop.ts';
import { openNotice } from '../../notices/notices.ts';
import { verdict } from '../../telegram/telegram.ts';
import type { BotsDeps } from '../deps.ts';
import { noticeKinds } from '../deps.ts';
import type { BotRow } from '../sql.ts';
import * as statements from '../sql.ts';
import { openBot } from '../webhook.ts';

export type TokenWatch = Loop & {
  /** Called for every 401. Cheap, and does nothing more while this bot is being looked into. */
  refused(integrationId: number): void;
  /** True from the first 401 until it is cleared or confirmed: hold the bot's sends meanwhile. */
  isSuspect(integrationId: number): boolean;
};

const checksToBelieve = 3;
const pauseMs = 30_000;
/** Telegram out of reach says nothing about a token; after so many looks it is left until the next 401. */
const looksMax = 20;
const looksAPass = 10;
const idleMs = 60_000;

type Suspect = { refusals: number; looks: number; dueMs: number };

/** One loop for all bots; without suspects it does nothing but wait. */
export function createTokenWatch(deps: BotsDeps): TokenWatch {
  const { kit, db } = deps;
  const suspects = new Map<number, Suspect>();

  const watch = loop(kit, 'token-watch', async () => {
    const due = [...suspects].filter(([, suspect]) => suspect.dueMs <= kit.monotonicMs()).slice(0, looksAPass);
    await Promise.all(due.map(([id, suspect]) => look(id, suspect)));
    const next = Math.min(...[...suspects.values()].map((suspect) => suspect.dueMs));
    return Math.min(idleMs, Math.max(0, next - kit.monotonicMs()));
  });

  async function look(id: number, suspect: Suspect): Promise<void> {
    // Asked again later whatever happens below, a database that is away included.
    suspect.dueMs = kit.monotonicMs() + pauseMs;
    suspect.looks += 1;
    // The token as it stands now: another process may have been given a new one.
    const row = await statements.findBotById(db, id);
    if (row === undefined || (row.status !== 'active' && row.status !== 'paused')) return void suspects.delete(id);
    const meaning = verdict('getMe', await deps.telegram.call(openBot(deps, row).address, 'getMe'));
    if (meaning.kind === 'sent') {
      suspects.delete(id);
      kit.log.warn({ bot: row.public_id, refusals: suspect.refusals }, 'bot.token_cleared');
    } else if (meaning.kind === 'token_invalid') {
      suspect.refusals += 1;
      if (suspect.refusals >= checksToBelieve) await stopBot(row);
    } else if (suspect.looks >= looksMax) suspects.delete(id);
  }

  async function stopBot(row: BotRow): Promise<void> {
    const stopped = await db.tx(async (tx) => {
      if ((await statements.stopForToken(tx, row.id, row.token_sealed as Buffer)) === 0) return false;
      const message = `Telegram does not accept the token of @${row.username} any more, so the bot has stopped. Updates that are here wait. Get a new token from @BotFather and give it to the bot.`;
      await openNotice(tx, { kind: noticeKinds.tokenInvalid, subject: row.public_id, message });
      return true;
    });
    suspects.delete(row.id);
    await deps.directory?.refresh();
    if (stopped) kit.log.error({ bot: row.public_id, username: row.username }, 'bot.token_invalid');
  }

  return {
    ...watch,
    refused(integrationId) {
      if (suspects.has(integrationId)) return;
      suspects.set(integrationId, { refusals: 0, looks: 0, dueMs: kit.monotonicMs() });
      watch.nudge();
    },
    isSuspect: (integrationId) => suspects.has(integrationId),
  };
}
