import { isDatabaseFault } from '../../../kernel/errors.ts';
import { errorText } from '../../../kernel/redact.ts';
import type { Ask } from '../flow/flow.ts';
import { attemptsMax, killRow, markAttempts, retryPauseMs } from '../inbox/inbox.ts';
import { fence, type Ownership } from '../nodes/nodes.ts';
import { type AnsweringDeps, runAsking } from './answering.ts';
import type { Budget } from './budget.ts';
import { type CommitDeps, commitTurns, type Sending } from './commit.ts';
import { AsksApart, bucketLost, guardOf, isTimeUp, NeedsTime } from './failures.ts';
import type { Item } from './lanes.ts';
import { type Prepared, prepareTurns } from './prepare.ts';
import type { Reach } from './reach.ts';
import type { Chosen, DoneTurn } from './stages.ts';
import { States } from './states.ts';

export type RunnerDeps = AnsweringDeps & {
  /** Which chats cannot be written to; shared by all who run turns. */
  reach?: Reach;
  node: Ownership;
  /** Where turns that use tables are run; undefined: elsewhere, by the run of their project. */
  tables?: TablesDeps | undefined;
  sending: Sending & {
    /** The table holds messages of this bot that memory does not know: nothing new is sent before they were read. */
    reread(integrationId: number, bucket: number): void;
  };
  counted?: (outcome: 'handled' | 'ignored' | 'fault' | 'dead' | 'retried', count: number) => void;
  /** Told how long each update took from its arrival to the commit of its turn. */
  took?: (seconds: number) => void;
};

/** `budget`: what the project has taken lately; while it is over, a statement may take longer, apart from the others. */
export type TablesDeps = { budget: Budget };

/** What a lane does next: its updates are over, are tried again later, are no longer ours, or belong to another run. */
export type Ending = 'over' | 'again' | 'lost' | 'elsewhere';

const racesMax = 5;
const faultPauseMs = 500;
/** Turns that are run alone take a commit each; those beyond this come with the next batch. */
const aloneMax = 20;
/** So many that took too long, and none that did not: the database is slow, and no turn is at fault. */
const lateMax = 3;
/**
 * Runs chosen updates as turns: all in one commit; when that fails, each alone, so that one bad one falls out. Turns that
 * use tables are run alone too, each in the transaction that commits it, or left to the run of their project.
 */
export class Runner {
  readonly #deps: RunnerDeps;
  readonly states: States;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.states = new States(deps.db, deps.reach);
  }

  /** The ending of each chosen lane, in order. Never throws. */
  async run(chosen: readonly Chosen[]): Promise<Ending[]> {
    let asking: Prepared['asking'];
    try {
      asking = await this.#runTogether(chosen);
    } catch (error) {
      this.states.clear();
      if (isDatabaseFault(error) && !isTimeUp(error)) return this.#postpone(chosen, error);
      this.#fellApart(chosen, error);
      return this.#runEach(chosen, new Set(chosen), chosen.length);
    }
    if (asking.size === 0) return chosen.map(() => 'over');
    const left = await this.#runGroup(asking);
    const elsewhere = new Set([...left].filter((one) => !this.#isForHere(asking.get(one))));
    const here = new Set([...left].filter((one) => !elsewhere.has(one)));
    const endings = await this.#runEach(chosen, here, aloneMax);
    return endings.map((ending, index) => (elsewhere.has(chosen[index] as Chosen) ? 'elsewhere' : ending));
  }

  /** Those of `apart` one by one, `alone` of them at most; the others are over. */
  async #runEach(chosen: readonly Chosen[], apart: ReadonlySet<Chosen>, alone: number): Promise<Ending[]> {
    const endings: Ending[] = [];
    const late: { one: Chosen; index: number; error: unknown }[] = [];
    let passed = apart.size < chosen.length;
    let left = alone;
    for (const one of chosen) {
      if (!apart.has(one)) endings.push('over');
      else if (left <= 0) endings.push('again');
      else if (late.length >= lateMax && !passed) endings.push(...this.#postpone([one], late[0]?.error));
      else {
        left -= 1;
        const ending = await this.#runAlone(one);
        if (typeof ending === 'object') late.push({ one, index: endings.length, error: ending.late });
        else passed ||= ending === 'over';
        endings.push(typeof ending === 'object' ? 'again' : ending);
      }
    }
    for (const { one, index, error } of late) {
      const atFault = passed || chosen.length === 1;
      endings[index] = atFault ? await this.#failed(one, error) : (this.#postpone([one], error)[0] as Ending);
    }
    return endings;
  }

  /** All turns that can share a commit; gives those that ask something and are still to be run, by what they ask. */
  async #runTogether(chosen: readonly Chosen[]): Promise<Prepared['asking']> {
    const { done, asking } = await prepareTurns(this.#deps, this.states, chosen);
    if (done.length > 0) {
      await commitTurns(this.#deps.db, this.#commitDeps(done), done);
      this.#count(done);
    }
    return asking;
  }

  /** Turns whose questions are answered together, in one commit; gives all that are still to be run, each alone. */
  async #runGroup(asking: Prepared['asking']): Promise<ReadonlySet<Chosen>> {
    const left = new Set(asking.keys());
    const group = [...asking].flatMap(([one, kind]) => (this.#deps.asks[kind].together ? [one] : []));
    if (group.length === 0) return left;
    try {
      this.#count(await runAsking(this.#deps, this.#commitDeps(group), group));
      for (const one of group) left.delete(one);
    } catch (error) {
      this.states.clear();
      this.#fellApart(group, error);
    }
    return left;
  }

  #fellApart(chosen: readonly Chosen[], error: unknown): void {
    if (chosen.length > 1) this.#deps.kit.log.debug({ err: error, turns: chosen.length }, 'turns.fell_apart');
  }

  /** One turn; when it turns out to ask something, once more inside of a transaction, or elsewhere. */
  async #runOnce(one: Chosen): Promise<Ending> {
    const kind = (await this.#runTogether([one])).get(one);
    if (kind === undefined) return 'over';
    if (!this.#isForHere(kind)) return 'elsewhere';
    this.#count(await runAsking(this.#deps, this.#commitDeps([one]), [one], this.#deps.tables?.budget));
    return 'over';
  }

  /** What each turn asks for itself is answered by the run of its project alone. */
  #isForHere(kind: Ask['kind'] | undefined): boolean {
    return this.#deps.tables !== undefined || (kind !== undefined && this.#deps.asks[kind].together);
  }

  /**
   * One turn by itself. A lost race for a shared variable is run again; what took too long is given back, since only beside
   * others it can be told why; anything else counts as an attempt.
   */
  async #runAlone(one: Chosen): Promise<Ending | { late: unknown }> {
    const item = one.items[0] as Item;
    for (let races = 0; ; races += 1) {
      try {
        return await this.#runOnce(one);
      } catch (error) {
        this.states.clear();
        if (error instanceof NeedsTime) return 'again';
        if (error instanceof AsksApart) return 'elsewhere';
        if (isTimeUp(error)) return { late: error };
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
          fence(tx, this.#deps.node.id(), holdings),
          ...one.items.map((each) => killRow(tx, { integrationId: each.integrationId, key: each.key, error: text })),
        ]);
        counted?.('dead', one.items.length);
        return 'over';
      }
      const pauseMs = retryPauseMs(attempts, kit.random());
      await db.batch((tx) => [
        fence(tx, this.#deps.node.id(), holdings),
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
        fence(tx, this.#deps.node.id(), holdings),
        markAttempts(
          tx,
          alive.map((item) => ({ integrationId: item.integrationId, key: item.key, pauseMs: 0, error: text })),
        ),
        ...dead.map((item) => killRow(tx, { integrationId: item.integrationId, key: item.key, error: text })),
      ]);
    } catch (error) {
      if (chosen.length > 1 && !isDatabaseFault(error)) return this.#markEachSuspect(chosen);
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

  /** One that cannot be marked, or is lost, holds up no other. */
  async #markEachSuspect(chosen: readonly Chosen[]): Promise<('may run' | Ending)[]> {
    const endings: ('may run' | Ending)[] = [];
    for (const one of chosen) endings.push(...(await this.markSuspects([one])));
    return endings;
  }

  /** Throws as the fence would where a bucket is not ours any more. */
  #commitDeps(chosen: readonly Pick<Chosen, 'queue'>[]): CommitDeps {
    const tokens = this.#holdings(chosen);
    if (!tokens) throw bucketLost();
    return { sending: this.#deps.sending, states: this.states, owner: this.#deps.node.id(), tokens };
  }

  /** The tokens under which these buckets are ours; undefined when one is not any more. */
  #holdings(chosen: readonly Pick<Chosen, 'queue'>[]): Map<number, number> | undefined {
    const holdings = new Map<number, number>();
    for (const { queue } of chosen) {
      const token = this.#deps.node.token(queue.bucket);
      if (token === undefined) return undefined;
      holdings.set(queue.bucket, token);
    }
    return holdings;
  }

  #count(turns: readonly DoneTurn[]): void {
    const { counted, took, kit } = this.#deps;
    const nowMs = kit.monotonicMs();
    for (const turn of turns) {
      counted?.(turn.result.outcome, turn.items.length);
      if (took) for (const item of turn.items) took((nowMs - item.seenMs) / 1_000);
    }
  }
}
