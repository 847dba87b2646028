import type { RoleName } from '../../kernel/config.ts';
import { sql } from '../../kernel/sql.ts';
import { audit, type Violation } from './audit.ts';
import { type Chance, createChance } from './chance.ts';
import { type Crowd, createCrowd } from './crowd.ts';
import { type Evidence, gather, isFinished, type Unfinished, unfinished } from './evidence.ts';
import { type Installation, openInstallation } from './installation.ts';
import { makeSchedule, type Step, wordsOf } from './schedule.ts';
import type { ServerProcess } from './servers.ts';
import { pause, until } from './waiting.ts';

/** The database of a gate, and how it is crashed where it may be. */
export type Ground = {
  readonly url: string;
  readonly crash?: () => Promise<void>;
  readonly restart?: () => Promise<void>;
};

export type GateOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly ground: Ground;
  /** Told of every step. */
  readonly say?: (line: string) => void;
  /** Texts a second, about. */
  readonly perSecond?: number;
  readonly everyMs?: number;
};

export type GateResult = {
  readonly violations: Violation[];
  readonly figures: Record<string, number>;
  /** What was not finished in time, when that is so. */
  readonly stuck: string | undefined;
  readonly evidence: Evidence;
  readonly installation: Installation;
};

/** Two receivers and three owners. */
const slotRoles: readonly (readonly RoleName[])[] = [['edge', 'core'], ['edge', 'core'], ['core']];
/** Only ends what would never end. */
const healSecondsMax = 240;

/**
 * The release gate: three processes under a schedule of kills, freezes and faults while people write; then everything
 * is healed, everything must come to its end, and the auditor looks at both witnesses.
 */
export async function runGate(options: GateOptions): Promise<GateResult> {
  const { seed, seconds, ground, say = () => {} } = options;
  const installation = await openInstallation({ url: ground.url, simulator: { seed } });
  const slots = await Promise.all(slotRoles.map((roles) => installation.serve(roles)));
  const bots = await installation.connect(8);
  const crowd = createCrowd(installation.simulator, bots, { chatsABot: 12, groupsABot: 1 });
  const chance = createChance(seed + 1);
  const schedule = makeSchedule({
    seed,
    forMs: seconds * 1_000,
    slots: slots.length,
    everyMs: options.everyMs ?? 1_500,
    crashes: ground.crash !== undefined,
  });
  const talk = new AbortController();
  const talking = Promise.all([
    crowd.keepTalking(chance.fork(), options.perSecond ?? 50, talk.signal),
    press(installation, crowd, chance.fork(), talk.signal),
    fillGroups(crowd, chance.fork(), talk.signal),
  ]);
  const gate = { installation, slots, ground, say };
  await follow(gate, schedule);
  talk.abort();
  await talking;
  await heal(gate);
  const stuck = await drained(installation);
  const evidence = { ...(await gather(installation, crowd)), groupsMayWait: true };
  return { violations: audit(evidence), figures: figuresOf(evidence, schedule), stuck, evidence, installation };
}

type Gate = { installation: Installation; slots: ServerProcess[]; ground: Ground; say: (line: string) => void };

/** Takes the steps at their times. What lasts goes on beside the next ones; a slot has one trouble at a time. */
async function follow(gate: Gate, schedule: readonly Step[]): Promise<void> {
  const beganMs = performance.now();
  const lasting = new Map<number, Promise<void>>();
  const others: Promise<void>[] = [];
  for (const step of schedule) {
    await pause(Math.max(0, step.atMs - (performance.now() - beganMs)));
    gate.say(`${String(Math.round(step.atMs)).padStart(7)} ms  ${wordsOf(step)}`);
    if ('slot' in step) {
      const before = lasting.get(step.slot) ?? Promise.resolve();
      lasting.set(
        step.slot,
        before.then(() => trouble(gate, step)),
      );
    } else others.push(strike(gate, step));
  }
  await Promise.all([...lasting.values(), ...others]);
}

async function trouble(gate: Gate, step: Extract<Step, { slot: number }>): Promise<void> {
  const server = gate.slots[step.slot] as ServerProcess;
  if (step.kind === 'freeze') {
    server.freeze();
    await pause(step.forMs);
    server.thaw();
    return;
  }
  if (step.kind === 'kill') await server.kill();
  else await server.stop();
  await pause(step.downMs);
  await revive(gate, step.slot);
}

/** Starts the process of a slot anew, again and again while the database is away, as a supervisor does. */
async function revive(gate: Gate, slot: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      gate.slots[slot] = await gate.installation.serve(slotRoles[slot] as readonly RoleName[]);
      return;
    } catch (error) {
      if (attempt === 10) throw error;
      await pause(500);
    }
  }
}

async function strike(gate: Gate, step: Exclude<Step, { slot: number }>): Promise<void> {
  const { simulator, front, db } = gate.installation;
  if (step.kind === 'cut') front.cut(step.share);
  else if (step.kind === 'telegram') {
    const method = step.fault.kind === 'repeat' ? {} : { method: 'sendMessage' };
    simulator.faults.add({ ...step.fault, ...method });
  } else if (step.kind === 'terminate') {
    const terminated = db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and random() < ${step.share}`);
    // Of a database that is away nobody has a connection either.
    await terminated.catch(() => {});
  } else {
    await gate.ground.crash?.();
    await pause(step.downMs);
    await gate.ground.restart?.();
  }
}

/** Ends every trouble: nothing frozen, nothing dead, no rule of failure left. */
async function heal(gate: Gate): Promise<void> {
  gate.installation.simulator.faults.clear();
  for (const [slot, server] of gate.slots.entries()) {
    if (server.alive()) server.thaw();
    else await revive(gate, slot);
  }
}

async function drained(installation: Installation): Promise<string | undefined> {
  try {
    const left = (): Promise<Unfinished> => unfinished(installation, { groups: false });
    await until('everything to come to its end', left, isFinished, healSecondsMax);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Some people get a message with a button and press it, some of them twice. */
async function press(installation: Installation, crowd: Crowd, chance: Chance, signal: AbortSignal): Promise<void> {
  const { simulator } = installation;
  const privates = crowd.chats.filter((chat) => chat.id > 0);
  while (!signal.aborted) {
    const chat = chance.one(privates);
    if (chance.next() < 0.3) crowd.say(chat, 'menu');
    const where = { user: chat.user, bot: chat.bot.id };
    const hasButton = [...simulator.people.chat(where).messages.values()].some((message) => message.reply_markup);
    if (hasButton) for (let times = chance.whole(1, 2); times > 0; times -= 1) simulator.people.press(where);
    await pause(chance.whole(50, 400));
  }
}

/** Groups get a few texts now and then, more than 20 a minute at times. */
async function fillGroups(crowd: Crowd, chance: Chance, signal: AbortSignal): Promise<void> {
  const groups = crowd.chats.filter((chat) => chat.id < 0);
  while (!signal.aborted) {
    const group = chance.one(groups);
    for (let times = chance.whole(1, 6); times > 0; times -= 1) crowd.say(group);
    await pause(chance.whole(200, 900));
  }
}

function figuresOf(evidence: Evidence, schedule: readonly Step[]): Record<string, number> {
  const steps: Record<string, number> = {};
  for (const step of schedule) steps[step.kind] = (steps[step.kind] ?? 0) + 1;
  const accepted = evidence.sent.filter((call) => call.accepted).length;
  return {
    ...steps,
    texts: evidence.said.length,
    deliveries: evidence.delivered.length,
    messages: evidence.outbox.length,
    accepted,
    repeated: evidence.outbox.filter((row) => row.doubts > 0).length,
    unknown: evidence.outbox.filter((row) => row.state === 4).length,
    dead: evidence.inbox.filter((row) => row.state === 3).length,
    stalls: evidence.stalls.length,
  };
}
