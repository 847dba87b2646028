import { type Chance, createChance } from './chance.ts';

/** What goes wrong, when, and for how long. Slots are the processes of the gate, by their number. */
export type Step = { readonly atMs: number } & (
  | { readonly kind: 'kill'; readonly slot: number; readonly downMs: number }
  | { readonly kind: 'stop'; readonly slot: number; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly slot: number; readonly forMs: number }
  | { readonly kind: 'cut'; readonly share: number }
  | { readonly kind: 'terminate'; readonly share: number }
  | { readonly kind: 'telegram'; readonly fault: TelegramFault }
  | { readonly kind: 'crash'; readonly downMs: number }
);

export type TelegramFault = {
  readonly kind: 'lost' | '5xx' | 'html' | 'truncated' | 'refused' | 'hang' | '429' | 'slow' | 'repeat';
  readonly times: number;
  readonly retry_after?: number;
  readonly ms?: number;
};

export type ScheduleOptions = {
  readonly seed: number;
  readonly forMs: number;
  readonly slots: number;
  /** One fault about every so many ms. */
  readonly everyMs: number;
  /** PostgreSQL itself is crashed too. */
  readonly crashes: boolean;
};

const leaseMs = 15_000;
/** What is started anew needs about this long until it works. */
const startMs = 2_500;

/**
 * The same seed gives the same list. The last part of the time is left for what is down to come back, so that no
 * fault reaches into the end.
 */
export function makeSchedule(options: ScheduleOptions): Step[] {
  const chance = createChance(options.seed);
  const steps: Step[] = [];
  // Until when each process is in trouble already.
  const troubledMs = new Array<number>(options.slots).fill(0);
  let databaseMs = 0;
  const add = (step: Step): void => {
    steps.push(step);
    if ('slot' in step) troubledMs[step.slot] = step.atMs + lastsMs(step);
    if (step.kind === 'crash') databaseMs = step.atMs + step.downMs + startMs;
  };
  // At least one process is frozen past its lease, early, whatever the seed.
  let atMs = 1_000;
  add({ atMs, kind: 'freeze', slot: chance.whole(0, options.slots - 1), forMs: leaseMs + 1_500 });
  while (atMs < options.forMs) {
    atMs += Math.round(options.everyMs * (0.3 + 1.4 * chance.next()));
    const free = [...troubledMs.keys()].filter((slot) => (troubledMs[slot] ?? 0) <= atMs);
    if (atMs < options.forMs) add(oneStep(chance, atMs, free, options.crashes && databaseMs <= atMs));
  }
  return steps;
}

const lastsMs = (step: Extract<Step, { slot: number }>): number =>
  step.kind === 'freeze' ? step.forMs : step.downMs + startMs;

function oneStep(chance: Chance, atMs: number, free: readonly number[], crashes: boolean): Step {
  const downMs = chance.whole(0, 2_000);
  const draw = chance.next();
  if (free.length > 0 && draw < 0.58) return slotStep(chance, atMs, chance.one(free), downMs);
  if (draw < 0.66) return { atMs, kind: 'cut', share: chance.one([0.5, 1]) };
  if (draw < 0.76) return { atMs, kind: 'terminate', share: chance.one([0.3, 1]) };
  if (draw < 0.79 && crashes) return { atMs, kind: 'crash', downMs };
  return { atMs, kind: 'telegram', fault: telegramFault(chance) };
}

function slotStep(chance: Chance, atMs: number, slot: number, downMs: number): Step {
  const draw = chance.next();
  if (draw < 0.6) return { atMs, kind: 'kill', slot, downMs };
  if (draw < 0.7) return { atMs, kind: 'stop', slot, downMs };
  if (draw < 0.9) return { atMs, kind: 'freeze', slot, forMs: chance.whole(200, 4_000) };
  // Also just about as long as a process believes in its lease, and as long as the database does.
  return { atMs, kind: 'freeze', slot, forMs: chance.whole(8_000, leaseMs + 4_000) };
}

function telegramFault(chance: Chance): TelegramFault {
  const kind = chance.one([
    'lost',
    'lost',
    '5xx',
    'html',
    'truncated',
    'refused',
    'hang',
    '429',
    'slow',
    'repeat',
  ] as const);
  if (kind === '429') return { kind, times: chance.whole(1, 3), retry_after: chance.one([1, 2, 11]) };
  if (kind === 'slow') return { kind, times: chance.whole(1, 20), ms: chance.whole(100, 3_000) };
  return { kind, times: chance.whole(1, 5) };
}

/** One line of what a step does, for the table and the log. */
export function wordsOf(step: Step): string {
  switch (step.kind) {
    case 'kill':
      return `SIGKILL of process ${step.slot}, back after ${step.downMs} ms`;
    case 'stop':
      return `SIGTERM of process ${step.slot}, back after ${step.downMs} ms`;
    case 'freeze':
      return `SIGSTOP of process ${step.slot} for ${step.forMs} ms`;
    case 'cut':
      return `${Math.round(100 * step.share)} % of Telegram's connections reset`;
    case 'terminate':
      return `${Math.round(100 * step.share)} % of the database's connections terminated`;
    case 'crash':
      return `PostgreSQL stopped at once, back after ${step.downMs} ms`;
    case 'telegram':
      return `Telegram: ${JSON.stringify(step.fault)}`;
  }
}
