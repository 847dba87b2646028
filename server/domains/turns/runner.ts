import type { Db } from '../../../kernel/db.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { errorText } from '../../../kernel/redact.ts';
import type { BotEntry } from '../bots/bots.ts';
import { buttonInfo, type CompiledRelease, releaseOf } from '../flow/flow.ts';
import { attemptsMax, killRow, markAttempts, retryPauseMs } from '../inbox/inbox.ts';
import { fence, type Ownership } from '../nodes/nodes.ts';
import { commitTurns, type Sending } from './commit.ts';
import type { BotQueue, Item, Lane } from './lanes.ts';
import { findButton, type PressMint } from './presses.ts';
import { findPresses } from './sql.ts';
import { States } from './states.ts';
import { needOf, readEvent, resolvePress, runTurn, type Turn } from './turn.ts';

export type RunnerDeps = {
  kit: Kit;
  db: Db;
  node: Ownership;
  bots: { byId(id: number): BotEntry | undefined };
  releases: { get(projectId: number, number: number): CompiledRelease | Promise<CompiledRelease> };
  mint: PressMint;
  sending: Sending & {
    freeUncalled(turn: { integrationId: number; eventKey: string; token: number }): Promise<number>;
    nudge(): void;
  };
  counted?: (outcome: 'handled' | 'ignored' | 'fault' | 'dead' | 'retried', count: number) => void;
  /** Told how long each update took from its arrival to the commit of its turn. */
  took?: (seconds: number) => void;
};

/** What a lane does next: its updates are over, are tried again later, or are no longer ours. */
export type Ending = 'over' | 'again' | 'lost';

export type Chosen = { queue: BotQueue; lane: Lane; items: readonly Item[] };

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
      const turns = await this.#prepare(chosen);
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
        const turns = await this.#prepare([one]);
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

  /** A commit whose end we never learnt had succeeded. Its messages were not called yet. */
  async #alreadyDone(item: Item): Promise<Ending> {
    const { node, sending, kit } = this.#deps;
    const token = node.token(item.bucket);
    if (token === undefined) return 'lost';
    try {
      const freed = await sending.freeUncalled({ integrationId: item.integrationId, eventKey: item.key, token });
      kit.log.info({ integration: item.integrationId, update: item.key, freed }, 'turn.was_done');
      sending.nudge();
      return 'over';
    } catch (error) {
      return this.#postpone([{ items: [item] } as unknown as Chosen], error)[0] as Ending;
    }
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
    try {
      await db.batch((tx) => [
        fence(tx, holdings),
        markAttempts(
          tx,
          heads.map((item) => ({ integrationId: item.integrationId, key: item.key, pauseMs: 0, error: text })),
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

  async #prepare(chosen: readonly Chosen[]): Promise<Turn[]> {
    const { bots, releases, mint, kit } = this.#deps;
    const turns: Turn[] = [];
    for (const { queue, lane, items } of chosen) {
      const bot = bots.byId(queue.id);
      if (!bot) throw new Error(`The bot ${queue.id} is not known to this process.`);
      const event = readEvent(items);
      const data = event.kind === 'button' && 'press' in event ? event.press?.data : undefined;
      const opened = data === undefined ? undefined : mint.open(bot, data, kit.now());
      const press =
        opened && data !== undefined
          ? { token: data, releaseNumber: opened.releaseNumber, hash: opened.button }
          : undefined;
      turns.push({ queue, lane, items, bot, event, press, need: undefined, result: undefined });
    }
    const current = await Promise.all(turns.map(({ bot }) => currentRelease(releases, bot)));
    for (const [index, turn] of turns.entries()) {
      const release = current[index];
      if (release) turn.need = needOf(turn.bot, release, turn.event);
    }
    await this.states.load(turns.flatMap((turn) => turn.need ?? []));
    const used = await this.#usedPresses(turns);
    for (const [index, turn] of turns.entries()) await this.#runOne(turn, current[index], used);
    return turns;
  }

  async #usedPresses(turns: readonly Turn[]): Promise<Set<string>> {
    const presses = turns.flatMap(({ bot, press }) => (press ? [{ integrationId: bot.id, token: press.token }] : []));
    if (presses.length === 0) return new Set();
    const rows = await findPresses(this.#deps.db, presses);
    return new Set(rows.map((row) => `${row.integration_id} ${row.token}`));
  }

  /** A conversation under way keeps its release; a button is looked up in the one that made it. */
  async #runOne(turn: Turn, current: CompiledRelease | undefined, used: Set<string>): Promise<void> {
    const { releases, mint } = this.#deps;
    const { bot, press } = turn;
    if (!current || !turn.need) {
      turn.result = noRelease();
      return;
    }
    const number = releaseOf(this.states.conversation(turn.need).state);
    const release = number === null || number === current.number ? current : await releases.get(bot.project.id, number);
    let singleUse = false;
    if (turn.event.kind === 'button') {
      const maker = press ? await makerOf(releases, bot, press.releaseNumber) : undefined;
      const name = press ? `${bot.id} ${press.token}` : '';
      turn.event = resolvePress(turn.event, maker, press?.hash, used.has(name));
      const place = maker && press ? findButton(maker, press.hash) : undefined;
      singleUse =
        place !== undefined && maker !== undefined && buttonInfo(maker, place.block, place.button)?.repeats === false;
      // A second press of the same token within this batch finds it used.
      if (singleUse) used.add(name);
    }
    turn.result = runTurn(turn, release, this.states, mint, singleUse);
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

function currentRelease(
  releases: RunnerDeps['releases'],
  bot: BotEntry,
): CompiledRelease | Promise<CompiledRelease> | undefined {
  const number = bot.project.releaseNumber;
  return number === null ? undefined : releases.get(bot.project.id, number);
}

/** The release that made a button; one that does not exist makes the button foreign. */
async function makerOf(
  releases: RunnerDeps['releases'],
  bot: BotEntry,
  number: number,
): Promise<CompiledRelease | undefined> {
  try {
    return await releases.get(bot.project.id, number);
  } catch (error) {
    if (isDatabaseFault(error)) throw error;
    return undefined;
  }
}

function noRelease(): Turn['result'] {
  const writes = { messages: [], timers: [], cancelled: [] };
  return {
    outcome: 'ignored',
    trace: '{"outcome":"ignored","why":"nothing is published"}',
    writes,
    usedPress: undefined,
    contact: undefined,
    conversation: undefined,
    botMemory: undefined,
    migration: undefined,
    unreachable: undefined,
  };
}

/** The name of the guard that failed, or undefined for any other error. */
function guardOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: string };
  return code === guardCode ? (message?.replace(/^guard: /, '') ?? '') : undefined;
}
