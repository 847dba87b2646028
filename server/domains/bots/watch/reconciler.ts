// Keeps what Telegram has equal to what it should have: one loop, one bot a pass, at one pace for all. Ten
// thousand sleeping bots are seen in turn, at 20 a minute, the one looked at longest ago first.

import { randomUUID } from 'node:crypto';
import type { WebhookInfo } from '@grammyjs/types';
import type { Db } from '../../../../kernel/db.ts';
import type { Kit } from '../../../../kernel/kit.ts';
import type { Loop } from '../../../../kernel/loop.ts';
import { loop } from '../../../../kernel/loop.ts';
import { errorText } from '../../../../kernel/redact.ts';
import { closeNotices, openNotice } from '../../notices/notices.ts';
import type { Failure } from '../../telegram/telegram.ts';
import { verdict } from '../../telegram/telegram.ts';
import { abandonedSeconds, undo } from '../connect.ts';
import type { BotsDeps } from '../deps.ts';
import { noticeKinds } from '../deps.ts';
import type { Decision, Desired } from '../rules.ts';
import { decide, newDeliveryError, retrySeconds } from '../rules.ts';
import { previousSecretSeconds } from '../secret.ts';
import type { BotRow } from '../sql.ts';
import * as statements from '../sql.ts';
import type { OpenBot } from '../webhook.ts';
import { factsOf, openBot, refusalOf, setWebhook } from '../webhook.ts';
import { type AppAddress, attendMenu } from './menu.ts';
import type { DueRow } from './sql.ts';
import * as watchStatements from './sql.ts';
import type { TokenWatch } from './token-watch.ts';

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

/**
 * The webhook watch, which sees to menu buttons too. Any number of processes may run it; one at a time holds the lease
 * and works.
 */
export function createReconciler(
  deps: BotsDeps,
  tokenWatch: Pick<TokenWatch, 'refused'>,
  appAddress: AppAddress = () => undefined,
): Loop {
  return new Reconciler(deps, tokenWatch, appAddress);
}

class Reconciler implements Loop {
  readonly name = 'webhook-watch';
  readonly #deps: BotsDeps;
  readonly #kit: Kit;
  readonly #db: Db;
  readonly #tokenWatch: Pick<TokenWatch, 'refused'>;
  readonly #appAddress: AppAddress;
  readonly #owner = randomUUID();
  readonly #watch: Loop;
  #leaseUntilMs = Number.NEGATIVE_INFINITY;

  constructor(deps: BotsDeps, tokenWatch: Pick<TokenWatch, 'refused'>, appAddress: AppAddress) {
    this.#deps = deps;
    this.#kit = deps.kit;
    this.#db = deps.db;
    this.#tokenWatch = tokenWatch;
    this.#appAddress = appAddress;
    this.#watch = loop(deps.kit, this.name, () => this.#pass());
  }

  start(): Promise<void> {
    return this.#watch.start();
  }

  async stop(): Promise<void> {
    await this.#watch.stop();
    if (this.#leaseUntilMs > this.#kit.monotonicMs()) await watchStatements.leaveWatch(this.#db, this.#owner);
    this.#leaseUntilMs = Number.NEGATIVE_INFINITY;
  }

  nudge(): void {
    this.#watch.nudge();
  }

  async #pass(): Promise<number> {
    if (!(await this.#holdLease())) return standByPauseMs;
    const due = await watchStatements.nextDue(this.#db, {
      publicUrl: this.#deps.publicUrl ?? null,
      checkSeconds: checkSecondsMin,
      abandonedSeconds,
    });
    // What is to be set comes first, and looking in turn last.
    if (due?.due !== 'unset' && (await attendMenu(this.#deps, this.#appAddress))) return setPauseMs;
    if (due === undefined) return idlePauseMs;
    return due.due === 'abandoned' ? this.#takeBack(due) : this.#attend(due);
  }

  /** Renewed at half time. Whoever takes it first looks whether PUBLIC_URL is still what Telegram was told. */
  async #holdLease(): Promise<boolean> {
    const now = this.#kit.monotonicMs();
    if (now < this.#leaseUntilMs - (leaseSeconds * 1_000) / 2) return true;
    const isNew = now >= this.#leaseUntilMs;
    if (!(await watchStatements.takeWatch(this.#db, this.#owner, leaseSeconds))) return false;
    if (isNew) {
      await watchStatements.unsetMoved(this.#db, this.#deps.publicUrl ?? null);
      await watchStatements.recallMenus(this.#db);
    }
    this.#leaseUntilMs = now + leaseSeconds * 1_000;
    return true;
  }

  async #takeBack(row: DueRow): Promise<number> {
    // When it cannot be undone now, its turn comes again after the others.
    await watchStatements.postpone(this.#db, { id: row.id, seconds: retrySeconds(row.webhook_tries), problem: null });
    await undo(this.#deps, row.public_id);
    return setPauseMs;
  }

  async #attend(row: DueRow): Promise<number> {
    const bot = await this.#open(row);
    if (bot === undefined) return checkPauseMs;
    const info = await this.#deps.telegram.call(bot.address, 'getWebhookInfo');
    if (info.kind !== 'ok') return this.#failed(row, 'getWebhookInfo', info);
    this.#tellDeliveryError(row, info.result);
    return this.#carryOut(row, bot, info.result);
  }

  /** A row that does not open (another key, broken bytes) must not hold up the others. */
  async #open(row: BotRow): Promise<OpenBot | undefined> {
    try {
      return openBot(this.#deps, row);
    } catch (error) {
      await watchStatements.postpone(this.#db, { id: row.id, seconds: brokenSeconds, problem: errorText(error) });
      this.#kit.log.error({ bot: row.public_id, err: error }, 'bot.seal_broken');
      return undefined;
    }
  }

  async #carryOut(row: BotRow, bot: OpenBot, info: WebhookInfo): Promise<number> {
    // nextDue gives bots with an address only.
    if (bot.desired === undefined) return checkPauseMs;
    const known = {
      url: row.webhook_url,
      unset: row.webhook_set_at === null,
      setAtMs: row.webhook_set_at?.getTime() ?? 0,
      lostCount: row.webhook_lost_count,
    };
    const decision = decide(bot.desired, known, info, this.#kit.now());
    await this.#tellLoss(row, decision);
    if (decision.kind === 'set') return this.#set(row, bot, bot.desired, decision);
    const problem =
      decision.kind === 'back_off' ? decision.problem : decision.lostCount === 0 ? null : row.webhook_problem;
    await watchStatements.recordCheck(this.#db, {
      id: row.id,
      facts: factsOf(info),
      lostCount: decision.lostCount,
      problem,
    });
    return checkPauseMs;
  }

  async #set(
    row: BotRow,
    bot: OpenBot,
    desired: Desired,
    decision: Extract<Decision, { kind: 'set' }>,
  ): Promise<number> {
    const result = await setWebhook(this.#deps.telegram, bot.address, desired, bot.secret);
    if (result.kind === 'failed') return this.#failed(row, 'setWebhook', result.failure);
    await statements.recordSet(this.#db, {
      id: row.id,
      rev: row.rev,
      facts: factsOf(result.info),
      lostCount: decision.lostCount,
      problem: decision.lostCount === 0 ? null : (decision.problem ?? row.webhook_problem),
      previousSeconds: previousSecretSeconds,
    });
    this.#kit.log.info({ bot: row.public_id, why: decision.why, lostCount: decision.lostCount }, 'bot.webhook_set');
    return setPauseMs;
  }

  /** Telegram out of reach is so for all: the others are not tried faster than usual. */
  async #failed(row: BotRow, method: string, failure: Failure): Promise<number> {
    const meaning = verdict(method, failure);
    if (meaning.kind === 'token_invalid') this.#tokenWatch.refused(row.id);
    const seconds = meaning.kind === 'retry_later' ? meaning.seconds : retrySeconds(row.webhook_tries);
    const problem = meaning.kind === 'permanent' ? `Telegram refuses the webhook: ${meaning.reason}` : null;
    await watchStatements.postpone(this.#db, { id: row.id, seconds, problem });
    this.#kit.log.warn(
      { bot: row.public_id, method, outcome: meaning.kind, seconds, ...refusalOf(method, failure).facts },
      'bot.webhook_failed',
    );
    return checkPauseMs;
  }

  async #tellLoss(row: BotRow, decision: Decision): Promise<void> {
    const isLoss = decision.kind === 'back_off' || (decision.kind === 'set' && decision.why === 'lost');
    if (isLoss) {
      const problem = decision.problem ?? '';
      const isNew = await openNotice(this.#db, {
        kind: noticeKinds.webhookLost,
        subject: row.public_id,
        message: `@${row.username}: ${problem}`,
      });
      if (isNew || decision.kind === 'set')
        this.#kit.log.error({ bot: row.public_id, problem, lostCount: decision.lostCount }, 'bot.webhook_lost');
    } else if (row.webhook_lost_count > 0 && decision.lostCount === 0) {
      await closeNotices(this.#db, [noticeKinds.webhookLost], row.public_id);
    }
  }

  #tellDeliveryError(row: BotRow, info: WebhookInfo): void {
    const error = newDeliveryError(row.delivery_error_at, info);
    if (error)
      this.#kit.log.warn(
        { bot: row.public_id, error: error.message, at: error.at, pending: info.pending_update_count },
        'bot.delivery_failed',
      );
  }
}
