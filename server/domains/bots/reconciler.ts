// Keeps what Telegram has equal to what it should have: one loop, one bot a pass, at one pace for all. Ten
// thousand sleeping bots are seen in turn, at 20 a minute, the one looked at longest ago first.
import { randomUUID } from 'node:crypto';
import type { WebhookInfo } from '@grammyjs/types';
import { loop } from '../../../kernel/loop.ts';
import type { Loop } from '../../../kernel/loop.ts';
import { errorText } from '../../../kernel/redact.ts';
import { verdict } from '../telegram/telegram.ts';
import type { Failure } from '../telegram/telegram.ts';
import { abandonedSeconds, undo } from './connect.ts';
import type { BotsDeps } from './deps.ts';
import { noticeKinds } from './deps.ts';
import { decide, newDeliveryError, retrySeconds } from './rules.ts';
import type { Decision } from './rules.ts';
import { previousSecretSeconds } from './secret.ts';
import * as statements from './sql.ts';
import type { BotRow, DueRow } from './sql.ts';
import type { TokenWatch } from './token-watch.ts';
import { factsOf, openBot, refusalOf, setWebhook } from './webhook.ts';
import type { OpenBot } from './webhook.ts';

/** setWebhook takes one call a second a bot; one a second over all keeps a publish to thousands from being a flood. */
const setPauseMs = 1_000;
/** 20 bots a minute: a token that the Bot API server has not loaded counts against 20 a minute and address. */
const checkPauseMs = 3_000;
/** Nothing to do: how long until the next look for something to set. */
const idlePauseMs = 5_000;
const standByPauseMs = 10_000;
/** One bot is not asked about oftener than this, however few there are. */
const checkSecondsMin = 60;
const leaseSeconds = 60;
const brokenSeconds = 3_600;

/** The webhook watch. Any number of processes may run it; one at a time holds the lease and works. */
export function createReconciler(deps: BotsDeps, tokenWatch: Pick<TokenWatch, 'refused'>): Loop {
  const { kit, db } = deps;
  const owner = randomUUID();
  const publicUrl = deps.publicUrl ?? null;
  let leaseUntilMs = Number.NEGATIVE_INFINITY;

  const watch = loop(kit, 'webhook-watch', async () => {
    if (!(await holdLease())) return standByPauseMs;
    const due = await statements.nextDue(db, { publicUrl, checkSeconds: checkSecondsMin, abandonedSeconds });
    if (due === undefined) return idlePauseMs;
    return attend(due);
  });

  /** Renewed at half time. Whoever takes it first looks whether PUBLIC_URL is still what Telegram was told. */
  async function holdLease(): Promise<boolean> {
    const now = kit.monotonicMs();
    if (now < leaseUntilMs - (leaseSeconds * 1_000) / 2) return true;
    const isNew = now >= leaseUntilMs;
    if (!(await statements.takeWatch(db, owner, leaseSeconds))) return false;
    leaseUntilMs = now + leaseSeconds * 1_000;
    if (isNew) await statements.unsetMoved(db, publicUrl);
    return true;
  }

  async function attend(due: DueRow): Promise<number> {
    if (due.due === 'abandoned') {
      // When it cannot be undone now, its turn comes again after the others.
      await statements.postpone(db, { id: due.id, seconds: retrySeconds(due.webhook_tries), problem: null });
      await undo(deps, due.public_id);
      return setPauseMs;
    }
    const bot = await opened(due);
    if (bot === undefined) return checkPauseMs;
    const info = await deps.telegram.call(bot.address, 'getWebhookInfo');
    if (info.kind !== 'ok') return failed(due, 'getWebhookInfo', info);
    tellDeliveryError(due, info.result);
    return carryOut(due, bot, info.result);
  }

  /** A row that does not open (another key, broken bytes) must not hold up the others. */
  async function opened(row: BotRow): Promise<OpenBot | undefined> {
    try {
      return openBot(deps, row);
    } catch (error) {
      await statements.postpone(db, { id: row.id, seconds: brokenSeconds, problem: errorText(error) });
      kit.log.error({ bot: row.public_id, err: error }, 'bot.seal_broken');
      return undefined;
    }
  }

  async function carryOut(row: DueRow, bot: OpenBot, info: WebhookInfo): Promise<number> {
    // nextDue gives bots with an address only.
    if (bot.desired === undefined) return checkPauseMs;
    const known = { url: row.webhook_url, unset: row.webhook_set_at === null, setAtMs: row.webhook_set_at?.getTime() ?? 0, lostCount: row.webhook_lost_count };
    const decision = decide(bot.desired, known, info, kit.now());
    await tellLoss(row, decision);
    if (decision.kind === 'set') return set(row, bot, decision);
    const problem = decision.kind === 'back_off' ? decision.problem : decision.lostCount === 0 ? null : row.webhook_problem;
    await statements.recordCheck(db, { id: row.id, facts: factsOf(info), lostCount: decision.lostCount, problem });
    // A bot that is to be set, and was taken again too soon, must not be the first in line for ever.
    if (decision.kind === 'back_off') await statements.postpone(db, { id: row.id, seconds: decision.seconds, problem });
    return checkPauseMs;
  }

  async function set(row: BotRow, bot: OpenBot, decision: Extract<Decision, { kind: 'set' }>): Promise<number> {
    if (bot.desired === undefined) return checkPauseMs;
    const result = await setWebhook(deps.telegram, bot.address, bot.desired, bot.secret);
    if (result.kind === 'failed') return failed(row, 'setWebhook', result.failure);
    await statements.recordSet(db, {
      id: row.id,
      rev: row.rev,
      facts: factsOf(result.info),
      lostCount: decision.lostCount,
      problem: decision.lostCount === 0 ? null : (decision.problem ?? row.webhook_problem),
      previousSeconds: previousSecretSeconds,
    });
    kit.log.info({ bot: row.public_id, why: decision.why, lostCount: decision.lostCount }, 'bot.webhook_set');
    return setPauseMs;
  }

  async function failed(row: BotRow, method: string, failure: Failure): Promise<number> {
    const meaning = verdict(method, failure);
    if (meaning.kind === 'token_invalid') tokenWatch.refused(row.id);
    const seconds = meaning.kind === 'retry_later' ? meaning.seconds : retrySeconds(row.webhook_tries);
    const problem = meaning.kind === 'permanent' ? `Telegram refuses the webhook: ${meaning.reason}` : null;
    await statements.postpone(db, { id: row.id, seconds, problem });
    kit.log.warn({ bot: row.public_id, method, outcome: meaning.kind, reason: refusalOf(method, failure).facts, seconds }, 'bot.webhook_failed');
    // Telegram out of reach is so for all: the others are not tried faster than this.
    return checkPauseMs;
  }

  async function tellLoss(row: BotRow, decision: Decision): Promise<void> {
    const isLoss = decision.kind === 'back_off' || (decision.kind === 'set' && decision.why === 'lost');
    if (isLoss) {
      const problem = decision.problem ?? '';
      const isNew = await statements.openNotice(db, noticeKinds.webhookLost, row.public_id, `@${row.username}: ${problem}`);
      if (isNew || decision.kind === 'set') kit.log.error({ bot: row.public_id, problem, lostCount: decision.lostCount }, 'bot.webhook_lost');
    } else if (row.webhook_lost_count > 0 && decision.lostCount === 0) {
      await statements.closeNotices(db, [noticeKinds.webhookLost], row.public_id);
    }
  }

  function tellDeliveryError(row: BotRow, info: WebhookInfo): void {
    const error = newDeliveryError(row.delivery_error_at, info);
    if (error) kit.log.warn({ bot: row.public_id, error: error.message, at: error.at, pending: info.pending_update_count }, 'bot.delivery_failed');
  }

  return {
    ...watch,
    async stop() {
      await watch.stop();
      if (leaseUntilMs > kit.monotonicMs()) await statements.leaveWatch(db, owner);
      leaseUntilMs = Number.NEGATIVE_INFINITY;
    },
  };
}
