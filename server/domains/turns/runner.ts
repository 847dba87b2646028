import { isDatabaseFault } from '../../../kernel/errors.ts';
import { errorText } from '../../../kernel/redact.ts';
import { attemptsMax, killRow, markAttempts, retryPauseMs } from '../inbox/inbox.ts';
import { fence, type Ownership } from '../nodes/nodes.ts';
import { commitTurns, type Sending } from './commit.ts';
import type { Item } from './lanes.ts';
import { type Chosen, type PrepareDeps, prepareTurns } from './prepare.ts';
import { States } from './states.ts';
import type { Turn } from './turn.ts';

export type RunnerDeps = PrepareDeps & {
  node: Ownership;
  sending: Sending & {
    /** The table holds messages of this bot that memory does not know: nothing new is sent before they were read. */
    reread(integrationId: number, bucket: number): void;
  };
  counted?: (outcome: 'handled' | 'ignored' | 'fault' | 'dead' | 'retried', count: number) => void;
  /** Told how long each update took from its arrival to the commit of its turn. */
  took?: (seconds: number) => void;
};

/** What a lane does next: its updates are over, are tried again later, or are no longer ours. */
export type Ending = 'over' | 'again' | 'lost';

const guardCode = 'RG001';
const racesMax = 5;
const faultPauseMs = 500;

/** Runs chosen updates as turns: all in one commit; when that fails, each alone, so that one bad one falls out. */
export class Runner {
  readonly #deps: RunnerDeps;
  readonly states: States;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.states = new States(deps.db);
  }

  /** The ending of each chosen lane, in order. Never throws. */
  async run(chosen: readonly Chosen[]): Promise<Ending[]> {
    try {
      const turns = await prepareTurns(this.#deps, this.states, chosen);
      await this.#commit(turns);
      this.#count(turns);
      return chosen.map(() => 'over');
    } catch (error) {
      this.states.clear();
      if (isDatabaseFault(error)) return this.#postpone(chosen, error);
      if (chosen.length > 1) this.#deps.kit.log.debug({ err: error, turns: chosen.length }, 'turns.fell_apart');
    }
    const endings: Ending[] = [];
    for (const one of chosen) endings.push(await this.#runAlone(one));
    return endings;
  }

  /** One turn by itself. A lost race for a shared variable is run again; anything else counts as an attempt. */
  async #runAlone(one: Chosen): Promise<Ending> {
    const item = one.items[0] as Item;
    for (let races = 0; ; races += 1) {
      try {
        const turns = await prepareTurns(this.#deps, this.states, [one]);
        await this.#commit(turns);
        this.#count(turns);
        return 'over';
      } catch (error) {
        this.states.clear();
        if (isDatabaseFault(error)) return this.#postpone([one], error)[0] as Ending;
        const guard = guardOf(error);
        if (guard === 'bucket') return 'lost';
        if (guard === 'inbox') return this.#alreadyDone(item);
        if (guard === undefined || races >= racesMax) return this.#failed(one, error);
      }
    }
  }

  /** The database is away: nothing counts, everything is tried again. */
  #postpone(chosen: readonly Chosen[], error: unknown): Ending[] {
    const { kit } = this.#deps;
    kit.log.warn({ err: error, turns: chosen.length }, 'turns.postponed');
    const notBeforeMs = kit.monotonicMs() + faultPauseMs * (0.5 + kit.random());
    for (const one of chosen) for (const item of one.items) item.notBeforeMs = notBeforeMs;
    return chosen.map(() => 'again');
  }

  /** A commit whose end we never learnt had succeeded. Its messages stand in the table, and nobody has called them. */
  #alreadyDone(item: Item): Ending {
    const { sending, kit } = this.#deps;
    kit.log.info({ integration: item.integrationId, update: item.key }, 'turn.was_done');
    sending.reread(item.integrationId, item.bucket);
    return 'over';
  }

  /** A turn that fails is tried again ever later, then becomes a dead letter; its lane goes on. */
  async #failed(one: Chosen, error: unknown): Promise<Ending> {
    const { kit, db, counted } = this.#deps;
    const item = one.items[0] as Item;
    const text = errorText(error);
    const attempts = item.attempts + 1;
    kit.log.error({ integration: item.integrationId, update: item.key, attempts, err: error }, 'turn.failed');
    const holdings = this.#holdings([one]);
    if (!holdings) return 'lost';
    try {
      if (attempts >= attemptsMax) {
        await db.batch((tx) => [
          fence(tx, holdings),
          ...one.items.map((each) => killRow(tx, { integrationId: each.integrationId, key: each.key, error: text })),
        ]);
        counted?.('dead', one.items.length);
        return 'over';
      }
      const pauseMs = retryPauseMs(attempts, kit.random());
      await db.batch((tx) => [
        fence(tx, holdings),
        markAttempts(
          tx,
          one.items.map((each) => ({ integrationId: each.integrationId, key: each.key, pauseMs, error: text })),
        ),
      ]);
      for (const each of one.items) {
        each.attempts = attempts;
        each.notBeforeMs = kit.monotonicMs() + pauseMs;
      }
      counted?.('retried', one.items.length);
      return 'again';
    } catch (fault) {
      return guardOf(fault) === 'bucket' ? 'lost' : (this.#postpone([one], fault)[0] as Ending);
    }
  }

  /**
   * Before the heads of lanes run after a takeover from a dead process: a committed mark, so that an update that
   * kills whoever runs it is known by its count. True: it may run; false: it has had its attempts and is dead now.
   */
  async markSuspects(chosen: readonly Chosen[]): Promise<('may run' | Ending)[]> {
    const { db, kit, counted } = this.#deps;
    const holdings = this.#holdings(chosen);
    if (!holdings) return chosen.map(() => 'lost');
    const text = 'The process that ran it ended without a word.';
    const heads = chosen.map((one) => one.items[0] as Item);
    const dead = heads.filter((item) => item.attempts + 1 >= attemptsMax);
    const alive = heads.filter((item) => item.attempts + 1 < attemptsMax);
    try {
      await db.batch((tx) => [
        fence(tx, holdings),
        markAttempts(
          tx,
          alive.map((item) => ({ integrationId: item.integrationId, key: item.key, pauseMs: 0, error: text })),
        ),
        ...dead.map((item) => killRow(tx, { integrationId: item.integrationId, key: item.key, error: text })),
      ]);
    } catch (error) {
      return guardOf(error) === 'bucket' ? chosen.map(() => 'lost') : this.#postpone(chosen, error);
    }
    if (dead.length > 0) {
      kit.log.error({ updates: dead.length }, 'turns.killed_their_process');
      counted?.('dead', dead.length);
    }
    return heads.map((item) => {
      if (item.attempts + 1 >= attemptsMax) return 'over';
      item.attempts += 1;
      item.suspect = false;
      return 'may run';
    });
  }

  async #commit(turns: readonly Turn[]): Promise<void> {
    const holdings = this.#holdings(turns.map(({ queue, lane, items }) => ({ queue, lane, items })));
    if (!holdings) throw Object.assign(new Error('guard: bucket'), { code: guardCode });
    await commitTurns(this.#deps.db, this.#deps.sending, this.states, turns, holdings);
  }

  /** The tokens under which these buckets are ours; undefined when one is not any more. */
  #holdings(chosen: readonly Chosen[]): Map<number, number> | undefined {
    const holdings = new Map<number, number>();
    for (const { queue } of chosen) {
      const token = this.#deps.node.token(queue.bucket);
      if (token === undefined) return undefined;
      holdings.set(queue.bucket, token);
    }
    return holdings;
  }

  #count(turns: readonly Turn[]): void {
    const { counted, took, kit } = this.#deps;
    const nowMs = kit.monotonicMs();
    for (const turn of turns) {
      counted?.(turn.result?.outcome ?? 'handled', turn.items.length);
      if (took) for (const item of turn.items) took((nowMs - item.seenMs) / 1_000);
    }
  }
}

/** The name of the guard that failed, or undefined for any other error. */
function guardOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: string };
  return code === guardCode ? (message?.replace(/^guard: /, '') ?? '') : undefined;
}
