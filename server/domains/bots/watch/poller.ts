// getUpdates for installations without a public address: a laptop, a demo. Few bots are meant to come this way;
// still their number is bounded at any moment and all take turns.
//
// Updates are stored first and confirmed after: the offset moves once the inbox has committed them, so a crash
// between the two brings an update again, which the inbox knows by its key, and loses none.

import { faultPoint } from '../../../../kernel/faultpoint.ts';
import type { Kit } from '../../../../kernel/kit.ts';
import type { Loop } from '../../../../kernel/loop.ts';
import { loop } from '../../../../kernel/loop.ts';
import { closeNotices, openNotice } from '../../notices/notices.ts';
import type { BotAddress, Failure, PolledUpdate } from '../../telegram/telegram.ts';
import { isConflict, isWebhookConflict, telegramLimits, verdict } from '../../telegram/telegram.ts';
import type { BotsDeps } from '../deps.ts';
import { noticeKinds } from '../deps.ts';
import type { BotEntry, Directory } from '../directory.ts';
import { hostOf, publicIdIn } from '../rules.ts';
import { removeWebhook } from '../webhook.ts';
import * as watchStatements from './sql.ts';
import type { TokenWatch } from './token-watch.ts';

export type PollerOptions = {
  readonly directory: Directory;
  readonly tokenWatch: Pick<TokenWatch, 'refused'>;
  /** Stores updates in the inbox; resolves when they are committed. */
  store(bot: BotEntry, updates: readonly PolledUpdate[]): Promise<void>;
  /** True while this process owns the bucket. Only the owner polls. */
  owns(bucket: number): boolean;
  /** Bots polled at one moment. */
  readonly pollsMax?: number;
};

/** Between 25 and 50: shorter costs calls, longer is cut by middle boxes. */
const waitSeconds = 30;
/** With more bots than may be polled at once a turn is short, so that all are reached. */
const waitSecondsCrowded = 1;
/** A bucket that came or a bot that was connected is seen this soon without being told. */
const lookMs = 2_000;
const trustPauseMs = 60_000;
/** A takeover lets two of our own processes meet for a moment; a stranger is there the third time too. */
const conflictsToTell = 3;

/** At least this long from one empty answer's question to the next, for a server that does not wait. */
const emptyMsMin = 1_000;

/** What is remembered of a polled bot. `told`: whether a notice is open; undefined where a process before may have opened one. */
type Turn = {
  readonly id: number;
  offset: number | undefined;
  dueMs: number;
  /** How many polls had begun when this one's last began: of two that are due at once the older goes first. */
  begun: number;
  failures: number;
  conflicts: number;
  told: boolean | undefined;
  underWay: Promise<void> | undefined;
};

/** Makes the poller. Where there is a PUBLIC_URL every bot has a webhook, and it finds nothing to do. */
export function createPoller(deps: BotsDeps, options: PollerOptions): Loop {
  return new Poller(deps, options);
}

class Poller implements Loop {
  readonly name = 'poller';
  readonly #deps: BotsDeps;
  readonly #kit: Kit;
  readonly #options: PollerOptions;
  readonly #pollsMax: number;
  readonly #turns = new Map<number, Turn>();
  readonly #stopping = new AbortController();
  readonly #rounds: Loop;
  #begun = 0;

  constructor(deps: BotsDeps, options: PollerOptions) {
    this.#deps = deps;
    this.#kit = deps.kit;
    this.#options = options;
    this.#pollsMax = options.pollsMax ?? 64;
    this.#rounds = loop(deps.kit, this.name, () => this.#round());
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#rounds.stop();
    await Promise.all([...this.#turns.values()].map((turn) => turn.underWay));
  }

  nudge(): void {
    this.#rounds.nudge();
  }

  /** Begins the polls whose time has come, those that waited longest first. Gives the ms until the next is due. */
  async #round(): Promise<number> {
    this.#keepTurns();
    const now = this.#kit.monotonicMs();
    const idle = [...this.#turns.values()].filter((turn) => turn.underWay === undefined);
    const due = idle.filter((turn) => turn.dueMs <= now).sort((a, b) => a.dueMs - b.dueMs || a.begun - b.begun);
    const chosen = due.slice(0, Math.max(0, this.#pollsMax - (this.#turns.size - idle.length)));
    await this.#readOffsets(chosen.filter((turn) => turn.offset === undefined));
    for (const turn of chosen) this.#begin(turn);
    return Math.min(lookMs, ...idle.filter((turn) => turn.dueMs > now).map((turn) => turn.dueMs - now));
  }

  #isPolled(bot: BotEntry): boolean {
    return (
      (bot.webhookBase ?? this.#deps.publicUrl) === undefined &&
      (bot.status === 'active' || bot.status === 'paused') &&
      this.#options.owns(bot.bucket)
    );
  }

  /** A turn for every bot that is to be polled here. What another process may move meanwhile is forgotten. */
  #keepTurns(): void {
    const { directory } = this.#options;
    for (const turn of this.#turns.values()) {
      const bot = directory.byId(turn.id);
      if (turn.underWay === undefined && (bot === undefined || !this.#isPolled(bot))) this.#turns.delete(turn.id);
    }
    for (const bot of directory.entries()) {
      if (this.#turns.has(bot.id) || !this.#isPolled(bot)) continue;
      this.#turns.set(bot.id, {
        id: bot.id,
        offset: undefined,
        dueMs: 0,
        begun: 0,
        failures: 0,
        conflicts: 0,
        told: undefined,
        underWay: undefined,
      });
    }
  }

  async #readOffsets(fresh: readonly Turn[]): Promise<void> {
    if (fresh.length === 0) return;
    const rows = await watchStatements.readOffsets(
      this.#deps.db,
      fresh.map((turn) => turn.id),
    );
    const offsets = new Map(rows.map((row) => [row.id, row.poll_offset]));
    for (const turn of fresh) turn.offset = offsets.get(turn.id);
  }

  #begin(turn: Turn): void {
    this.#begun += 1;
    turn.begun = this.#begun;
    turn.underWay = this.#poll(turn)
      .catch((error: unknown) => {
        this.#rest(turn);
        this.#kit.log.error({ integration: turn.id, err: error }, 'poll.failed');
      })
      .finally(() => {
        turn.underWay = undefined;
        this.#rounds.nudge();
      });
  }

  async #poll(turn: Turn): Promise<void> {
    const { directory, owns } = this.#options;
    const bot = directory.byId(turn.id);
    if (bot === undefined) return;
    const address = { token: await directory.token(bot.id), apiRoot: bot.apiRoot };
    const timeoutSeconds = this.#turns.size > this.#pollsMax ? waitSecondsCrowded : waitSeconds;
    const params = {
      offset: turn.offset ?? 0,
      limit: telegramLimits.pollUpdatesMax,
      timeoutSeconds,
      allowedUpdates: bot.allowedUpdates,
    };
    const askedMs = this.#kit.monotonicMs();
    const outcome = await this.#deps.telegram.poll(address, params, this.#stopping.signal);
    // Another process may have this bot now; what was not confirmed comes to it.
    if (this.#stopping.signal.aborted || !owns(bot.bucket)) return;
    if (outcome.kind !== 'ok') return this.#failed(turn, bot, address, outcome);
    turn.dueMs =
      outcome.result.length > 0 ? this.#kit.monotonicMs() : Math.max(this.#kit.monotonicMs(), askedMs + emptyMsMin);
    await this.#works(turn, bot);
    await this.#keep(turn, bot, outcome.result);
  }

  async #works(turn: Turn, bot: BotEntry): Promise<void> {
    if (turn.told !== false) await closeNotices(this.#deps.db, [noticeKinds.pollConflict], bot.publicId);
    turn.told = false;
    turn.failures = 0;
    turn.conflicts = 0;
  }

  /**
   * Stores, then moves the offset: to the one after the last, not the greatest, since numbers start anew at random
   * after a week of silence. An empty answer has confirmed all before the offset; without one Telegram then gives
   * what is unconfirmed, so a number that starts lower is not missed.
   */
  async #keep(turn: Turn, bot: BotEntry, updates: readonly PolledUpdate[]): Promise<void> {
    const last = updates.at(-1);
    const offset = last === undefined ? 0 : last.updateId + 1;
    if (last !== undefined) {
      await this.#options.store(bot, updates);
      faultPoint('poll-after-commit');
    }
    if (turn.offset === offset) return;
    await watchStatements.moveOffset(this.#deps.db, bot.id, offset);
    turn.offset = offset;
  }

  async #failed(turn: Turn, bot: BotEntry, address: BotAddress, failure: Failure): Promise<void> {
    if (isConflict(failure)) return this.#conflict(turn, bot, address, failure);
    const meaning = verdict('getUpdates', failure);
    this.#rest(turn);
    if (meaning.kind === 'retry_later') turn.dueMs = this.#kit.monotonicMs() + meaning.seconds * 1_000;
    if (meaning.kind === 'token_invalid') {
      this.#options.tokenWatch.refused(bot.id);
      turn.dueMs = this.#kit.monotonicMs() + trustPauseMs;
    }
    this.#kit.log.warn({ bot: bot.publicId, outcome: meaning.kind, failures: turn.failures }, 'poll.no_answer');
  }

  async #conflict(turn: Turn, bot: BotEntry, address: BotAddress, failure: Failure): Promise<void> {
    turn.conflicts += 1;
    // 5 s doubling to 10 minutes: two pollers that answer each other at once would keep both deaf.
    turn.dueMs =
      this.#kit.monotonicMs() + Math.min(600_000, 5_000 * 2 ** Math.min(turn.conflicts - 1, 10)) * this.#jitter();
    const other = isWebhookConflict(failure)
      ? await this.#clearOwnWebhook(bot, address)
      : 'another program asks Telegram for them';
    if (other === undefined) {
      if (turn.conflicts === 1) turn.dueMs = this.#kit.monotonicMs();
      return;
    }
    this.#kit.log.warn({ bot: bot.publicId, conflicts: turn.conflicts, reason: other }, 'poll.conflict');
    if (turn.conflicts < conflictsToTell || turn.told === true) return;
    const message = `@${bot.username} gets no updates here: ${other}. Stop the other program, or give this bot a new token in @BotFather.`;
    await openNotice(this.#deps.db, { kind: noticeKinds.pollConflict, subject: bot.publicId, message });
    turn.told = true;
  }

  /** Removes a webhook of ours, left from when there was a PUBLIC_URL. Otherwise says what stands in the way. */
  async #clearOwnWebhook(bot: BotEntry, address: BotAddress): Promise<string | undefined> {
    const { db, telegram } = this.#deps;
    const info = await telegram.call(address, 'getWebhookInfo');
    if (info.kind !== 'ok') return 'a webhook is set, and Telegram does not say which';
    const url = info.result.url ?? '';
    if (url !== '' && publicIdIn(url) !== bot.publicId) return `they go to the webhook at ${hostOf(url)}`;
    const failure = url === '' ? undefined : await removeWebhook(telegram, address, url);
    if (failure) return 'a webhook of ours could not be removed yet';
    await watchStatements.clearWebhook(db, bot.id);
    this.#kit.log.info({ bot: bot.publicId }, 'poll.webhook_cleared');
    return undefined;
  }

  /** 1 s doubling to 60 s, so that a Telegram that is away is asked ever more rarely and not by all at once. */
  #rest(turn: Turn): void {
    turn.failures += 1;
    turn.dueMs =
      this.#kit.monotonicMs() + Math.min(60_000, 1_000 * 2 ** Math.min(turn.failures - 1, 10)) * this.#jitter();
  }

  #jitter(): number {
    return 0.75 + this.#kit.random() / 2;
  }
}
