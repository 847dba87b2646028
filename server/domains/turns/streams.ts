import type { Kit } from '../../../kernel/kit.ts';
import { Budget } from './budget.ts';
import type { Runner } from './runner.ts';
import type { Chosen } from './stages.ts';

export type StreamsDeps = {
  kit: Kit;
  /** A runner for one project, with memory of its own; `budget` says what it may do beside others. */
  runnerFor(budget: Budget): Runner;
  /** Runs them to their end; whatever happens is told to their lanes. */
  run(runner: Runner, chosen: readonly Chosen[]): Promise<void>;
  /** False for what left memory while it waited. */
  isThere(one: Chosen): boolean;
};

type Stream = {
  readonly runner: Runner;
  readonly budget: Budget;
  waiting: Chosen[];
  running: Promise<void> | undefined;
  /** Those of the bots whose turns run now. */
  buckets: ReadonlySet<number>;
  usedMs: number;
};

const batchMax = 200;
/** Beyond this many, those that have rested for a minute are forgotten. */
const streamsMax = 64;
const restMs = 60_000;

/**
 * Projects whose turns use tables, each with a run of its own: what one of them asks for may take long, and only its own
 * chats wait for it. A project is known by its first turn that asks a table; all of its turns belong here from then on, so
 * that no two runs ever hold the memory of the same people.
 */
export class Streams {
  readonly #deps: StreamsDeps;
  readonly #streams = new Map<number, Stream>();

  constructor(deps: StreamsDeps) {
    this.#deps = deps;
  }

  has(projectId: number): boolean {
    return this.#streams.has(projectId);
  }

  /** Takes what is to be run; its lane is taken until it was. */
  offer(projectId: number, chosen: readonly Chosen[]): void {
    let stream = this.#streams.get(projectId);
    if (!stream) {
      this.#sweep();
      const budget = new Budget(() => this.#deps.kit.monotonicMs());
      const runner = this.#deps.runnerFor(budget);
      stream = { runner, budget, waiting: [], running: undefined, buckets: new Set(), usedMs: 0 };
      this.#streams.set(projectId, stream);
    }
    stream.waiting.push(...chosen);
    this.#pump(stream);
  }

  /** Resolves when what runs now, of this bucket or of all, is over; what waits behind it may begin then. */
  async settled(bucket?: number): Promise<void> {
    const streams = [...this.#streams.values()];
    const meant = bucket === undefined ? streams : streams.filter((stream) => stream.buckets.has(bucket));
    await Promise.all(meant.map((stream) => stream.running));
  }

  /** What is remembered may be another's by now. */
  forget(): void {
    for (const stream of this.#streams.values()) stream.runner.states.clear();
  }

  #pump(stream: Stream): void {
    if (stream.running) return;
    stream.usedMs = this.#deps.kit.monotonicMs();
    stream.waiting = stream.waiting.filter(this.#deps.isThere);
    // One at a time where each takes long: whoever gives buckets back waits for what runs.
    const batch = stream.waiting.splice(0, stream.budget.isOver() ? 1 : batchMax);
    if (batch.length === 0) return;
    stream.buckets = new Set(batch.map((one) => one.queue.bucket));
    stream.running = this.#deps.run(stream.runner, batch).finally(() => {
      stream.running = undefined;
      stream.buckets = new Set();
      this.#pump(stream);
    });
  }

  #sweep(): void {
    if (this.#streams.size < streamsMax) return;
    const beforeMs = this.#deps.kit.monotonicMs() - restMs;
    for (const [id, stream] of this.#streams) if (!stream.running && stream.usedMs < beforeMs) this.#streams.delete(id);
  }
}
