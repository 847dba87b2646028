import { apart } from '../../../kernel/apart.ts';
import type { Db } from '../../../kernel/db.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { loop } from '../../../kernel/loop.ts';
import type { Service } from '../../../kernel/service.ts';
import { type Gain, marginMs, type Owner, type Ownership } from '../nodes/nodes.ts';
import { isIdempotent, requestTimeoutMs } from '../telegram/telegram.ts';
import { type Adoption, adoptMessages } from './adoption/sql.ts';
import type { Consequence } from './consequences.ts';
import { freshMessage, type Message } from './message.ts';
import { createParkLoop } from './parks.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { Loss } from './recording.ts';
import { botWindowMax, decideDoubtful } from './rules.ts';
import { Sender, type SenderDeps } from './sender.ts';
import * as statements from './sql.ts';

export { createRetention } from './retention.ts';

export type Outbox = Service & Owner & { sender: Sender; recorder: Recorder; nudge(): void };

export type OutboxOptions = Omit<SenderDeps, 'recorder' | 'node'> & {
  node: Ownership;
  ownedBuckets(): number[];
  eventsStored(integrationIds: readonly number[]): void;
  /** Told of each message that is lost for good. */
  lost?: (loss: Loss) => void;
  /** What follows from the result of a call beside what the outbox knows. */
  consequences?: readonly Consequence[];
};

const pollMs = 1_000;

/** The sender of one process with everything that feeds it: takeovers, the table, parks that end. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { kit, db, node } = options;
  const recorder = createRecorder(kit, db, {
    owns: (bucket) => node.token(bucket) !== undefined,
    eventsStored: options.eventsStored,
    ...(options.lost && { lost: options.lost }),
    ...(options.consequences && { consequences: options.consequences }),
  });
  const sender = new Sender({ ...options, recorder });
  const reader = loop(kit, 'outbox-reader', () => read(options, sender));
  const parks = createParkLoop({ ...options, book: sender.book }, (ended) => {
    sender.unpark(ended);
    reader.nudge();
  });
  return {
    name: 'outbox',
    sender,
    recorder,
    nudge: () => {
      sender.attendAll();
      reader.nudge();
    },
    async start() {
      await reader.start();
      await parks.start();
    },
    async stop() {
      await reader.stop();
      await parks.stop();
      sender.stop();
    },
    gained: (gains) => takeOver(kit, db, sender, gains),
    begin: () => reader.nudge(),
    async drain(bucket) {
      await sender.book.idle(bucket);
      sender.book.forget([bucket]);
    },
    cut: (bucket) => sender.cut(bucket),
    lost: (buckets) => sender.book.forget(buckets),
  };
}

/**
 * What a new owner must know before it sends: what was under way, what Telegram asked to wait for, and how much
 * was sent in the last minute. Where the last owner may be frozen with calls under way, the bucket stays silent
 * for the rest of a request's time.
 */
async function takeOver(kit: Kit, db: Db, sender: Sender, gains: readonly Gain[]): Promise<void> {
  const buckets = gains.map((gain) => gain.bucket);
  const holdUntilMs = kit.monotonicMs() + requestTimeoutMs - marginMs;
  for (const gain of gains) if (gain.frozen) sender.book.holdUntilMs.set(gain.bucket, holdUntilMs);
  const tokens = new Map(gains.map((gain) => [gain.bucket, gain.token]));
  const doubtful = (await statements.sendingRows(db, buckets)).filter(
    (row) => row.owner_token !== tokens.get(row.bucket),
  );
  if (doubtful.length > 0) {
    kit.log.warn({ messages: doubtful.length }, 'outbox.adopted');
    for (let at = 0; at < doubtful.length; at += 500) await adoptAll(kit, db, sender, doubtful.slice(at, at + 500));
  }
  // What waits there comes before anything new, and is read only after this.
  for (const bot of await statements.openBots(db, buckets))
    sender.book.line(bot.integration_id, bot.bucket).fallBehind();
  const sends = await statements.recentSends(db, buckets);
  const parks = await statements.listParks(db, buckets);
  // Taken after the answers: nothing counts as longer ago than it is, and no park ends too early.
  const nowMs = kit.monotonicMs();
  for (const row of sends) {
    const line = sender.book.line(row.integration_id, row.bucket);
    const sentMs = nowMs - row.ago_ms;
    line.pace.take(sentMs, row.places);
    line.chat(row.chat_id).pace.remember(sentMs, row.places);
  }
  for (const row of doubtful) {
    const line = sender.book.line(row.integration_id, row.bucket);
    line.pace.fill(nowMs);
    line.chat(row.chat_id).pace.remember(nowMs, row.places);
  }
  for (const park of parks) {
    const line = sender.book.line(park.integration_id, park.bucket);
    if (park.chat_id === 0) line.parkedUntilMs = Math.max(line.parkedUntilMs, nowMs + park.left_ms);
    else {
      const chat = line.chat(park.chat_id);
      chat.parkedUntilMs = nowMs + park.left_ms;
      chat.stored = park.stored;
    }
  }
}

type Doubtful = Pick<statements.SendingRow, 'integration_id' | 'bucket' | 'key' | 'method' | 'doubts' | 'owner_token'>;

/**
 * One that cannot be adopted stays as it is, and the bots of these buckets go on without it; one that somebody holds
 * is adopted at a later look at its bot. Answers how many were adopted.
 */
async function adoptAll(kit: Kit, db: Db, sender: Sender, rows: readonly Doubtful[]): Promise<number> {
  const held = new Map(rows.map((row) => [`${row.integration_id} ${row.key}`, row]));
  const settle = (row: { integration_id: number; key: string }): void => {
    held.delete(`${row.integration_id} ${row.key}`);
    sender.book.find(row.integration_id)?.unadopted.delete(row.key);
  };
  let adopted = 0;
  await apart(
    rows,
    async (some) => {
      const done = await adoptMessages(db, some.map(adopt));
      done.forEach(settle);
      adopted += done.length;
    },
    (some, error) => {
      if (isDatabaseFault(error)) throw error;
      some.forEach(settle);
      kit.log.error({ err: error, integration: some[0]?.integration_id, key: some[0]?.key }, 'outbox.not_adopted');
    },
  );
  for (const row of held.values()) sender.book.line(row.integration_id, row.bucket).unadopted.add(row.key);
  return adopted;
}

/** A message that the last owner was sending: repeated freely where that does no harm, else by the rule of lost answers. */
function adopt(row: Doubtful): Adoption {
  const reason = 'The process that was sending it ended before an answer came.';
  const base = { integrationId: row.integration_id, key: row.key, token: row.owner_token };
  if (isIdempotent(row.method)) return { ...base, state: 0, doubts: row.doubts, error: null, pauseMs: 0 };
  return { ...base, ...decideDoubtful(row.doubts, reason) };
}

/** Reads waiting messages of bots that have room in memory: after a takeover, a full window, or another process's insert. */
async function read(options: OutboxOptions, sender: Sender): Promise<number> {
  const { db, bots, node } = options;
  const buckets = options.ownedBuckets();
  if (buckets.length === 0) return pollMs;
  const behind = [...sender.book.all()].filter((line) => line.behind);
  for (const { windows } of behind) for (const window of windows) window.refusedSince = false;
  const withOpen = await statements.openBots(db, buckets);
  const ids = new Set(withOpen.map((bot) => bot.integration_id));
  for (const { windows } of behind.filter((line) => !ids.has(line.id)))
    for (const window of windows) if (!window.refusedSince) window.behind = false;
  const open = withOpen.filter((bot) => bots.isWorking(bot.integration_id) && node.owns(bot.bucket));
  let orphans = 0;
  const held = new Set<string>();
  for (const urgency of [0, 1] as const) {
    // Where there is no room for more text, a bot with nothing in memory still gets its next ones: few must not stop all.
    const waitingMax = sender.book.isFull(urgency) ? 1 : botWindowMax / 2;
    const roomy = open.filter(
      (bot) => (sender.book.find(bot.integration_id)?.windows[urgency].waiting ?? 0) < waitingMax,
    );
    for (let at = 0; at < roomy.length; at += 500)
      orphans += await readBots(options, sender, { of: urgency, bots: roomy.slice(at, at + 500), held });
  }
  sender.book.sweep();
  return orphans > 0 ? 0 : pollMs * (0.75 + options.kit.random() / 2);
}

type Look = {
  /** Replies, or bulk. */
  readonly of: 0 | 1;
  readonly bots: readonly { bucket: number; integration_id: number }[];
  /** Chats of which nothing is taken in this pass. */
  readonly held: Set<string>;
};

/**
 * Brings what of a class waits for these bots into memory. A message marked as being sent under our token that nobody calls was
 * left by a commit whose answer was lost, and one under another token could not be adopted when its bucket came: they are
 * freed and adopted now, and of their chats nothing is taken before that is read again. Answers how many there were.
 */
async function readBots(options: OutboxOptions, sender: Sender, { of, bots, held }: Look): Promise<number> {
  const { db, node, kit } = options;
  const roomRows = sender.book.isFull(of) ? 0 : 20_000;
  const limit = Math.max(20, Math.min(botWindowMax, Math.floor(roomRows / Math.max(1, bots.length))));
  const lines = bots.map((bot) => sender.book.line(bot.integration_id, bot.bucket));
  const known: number[] = [];
  for (const line of lines) {
    for (const id of line.known) known.push(id);
    line.windows[of].refusedSince = false;
  }
  const parksEnded = new Map(lines.map((line) => [line, line.parksEnded]));
  const inHandBefore = sender.book.inHand();
  const rows = await statements.openRows(db, {
    of,
    buckets: bots.map((bot) => bot.bucket),
    ids: bots.map((bot) => bot.integration_id),
    limit,
    known,
  });
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.integration_id, (counts.get(row.integration_id) ?? 0) + 1);
  for (const { id, windows } of lines) windows[of].behind = windows[of].refusedSince || (counts.get(id) ?? 0) >= limit;
  const orphans: Orphan[] = [];
  const left: Doubtful[] = [];
  for (const row of rows) {
    if (!node.owns(row.bucket)) continue;
    const line = sender.book.line(row.integration_id, row.bucket);
    // Read before a park ended: what it kept back is not among these, and comes first.
    if (parksEnded.get(line) !== line.parksEnded) continue;
    const chat = `${row.integration_id} ${row.chat_id}`;
    if (row.state === 1) {
      // What was in hand when the table was asked may have been written down since.
      if (inHandBefore.has(`${row.integration_id} ${row.key}`) || sender.book.isInHand(row)) continue;
      const { integration_id: integrationId, key, owner_token: token, tries } = row;
      if (line.known.has(row.id) || token === null) continue;
      if (token === node.token(row.bucket)) orphans.push({ integrationId, key, token, tries });
      else if (line.unadopted.has(key)) left.push({ ...row, owner_token: token });
      else continue;
      held.add(chat);
    } else if (!held.has(chat)) sender.add(toMessage(row, kit.monotonicMs()));
    if (held.has(chat)) line.fallBehind();
  }
  return (await adoptAll(kit, db, sender, left)) + (await freeAll(kit, db, orphans));
}

type Orphan = { integrationId: number; key: string; token: number; tries: number };

async function freeAll(kit: Kit, db: Db, orphans: readonly Orphan[]): Promise<number> {
  let freed = 0;
  await apart(
    orphans,
    async (some) => {
      freed += await statements.freeOrphans(db, some);
    },
    (some, error) => {
      if (isDatabaseFault(error)) throw error;
      kit.log.error({ err: error, integration: some[0]?.integrationId, key: some[0]?.key }, 'outbox.not_freed');
    },
  );
  if (freed > 0) kit.log.warn({ messages: freed }, 'outbox.orphans_freed');
  return freed;
}

function toMessage(row: statements.OpenRow, nowMs: number): Message {
  const fresh = freshMessage({
    integrationId: row.integration_id,
    bucket: row.bucket,
    key: row.key,
    chatId: row.chat_id,
    class: row.class,
    method: row.method,
    params: row.params,
    target: row.target,
    report: row.report,
  });
  const { id, tries, doubts } = row;
  return { ...fresh, id, tries, doubts, notBeforeMs: row.left_ms === null ? 0 : nowMs + row.left_ms };
}
