import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import { between } from '../random.ts';
import type { Settings } from '../settings.ts';
import { asciiJson, updateBody } from './update-body.ts';
import type { UpdateKind } from './update-kinds.ts';
import { laneOf, updateKinds } from './update-kinds.ts';

/** Telegram drops new updates of a bot beyond these (telegram.md 3.2). */
const QUEUE_UPDATES_MAX = 100_000;
const QUEUE_BYTES_MAX = 128 * 1024 * 1024;
const UPDATE_BYTES_MAX = 524_288;
const UPDATE_ID_MAX = 2_000_000_000;

/** An update that waits to be delivered. */
export type PendingUpdate = {
  /** Order of arrival in this queue; update numbers may repeat and fall. */
  readonly seq: number;
  readonly updateId: number;
  readonly kind: string;
  readonly chatId: number;
  readonly lane: string;
  readonly body: string | Buffer;
  /** Monotonic milliseconds after which it is given up. */
  readonly expiresAt: number;
  failures: number;
  attempts: number;
};

/** An update as the world makes it. */
export type NewUpdate = { kind: UpdateKind; subject: number | string; chatId: number; payload: unknown };

/** Bytes put into the queue as they are. */
export type RawUpdate = {
  body: string | Buffer;
  updateId: number;
  kind: string;
  chatId: number;
  lane: string;
  seconds: number;
};

/** Hears of every update that enters a queue. */
export type QueueListener = (update: PendingUpdate) => void;

/** The updates of one bot that nobody has confirmed yet. */
export class UpdateQueue {
  readonly pending = new Map<number, PendingUpdate>();
  nextUpdateId: number;
  dropped = 0;
  bytes = 0;
  listener: QueueListener | undefined;
  #seq = 0;
  readonly #clock: Clock;
  readonly #settings: Settings;
  readonly #random: Random;

  constructor(clock: Clock, settings: Settings, random: Random) {
    this.#clock = clock;
    this.#settings = settings;
    this.#random = random;
    this.nextUpdateId = this.#randomStart();
  }

  #randomStart(): number {
    return between(this.#random, 2_000_001, 1_000_000_000);
  }

  /** Adds an update; undefined when the queue is full or the update too large. */
  push(update: NewUpdate): PendingUpdate | undefined {
    if (this.nextUpdateId >= UPDATE_ID_MAX) {
      this.clear();
      this.nextUpdateId = this.#randomStart();
    }
    const updateId = this.nextUpdateId++;
    return this.inject({
      body: updateBody(updateId, update.kind, asciiJson(update.payload)),
      updateId,
      kind: update.kind,
      chatId: update.chatId,
      lane: laneOf(update.kind, update.subject),
      seconds: updateKinds[update.kind].seconds,
    });
  }

  /** Adds bytes as they are, whatever they say. */
  inject(raw: RawUpdate): PendingUpdate | undefined {
    const { updateId, kind, chatId, lane, body } = raw;
    if (
      body.length > UPDATE_BYTES_MAX ||
      this.pending.size >= QUEUE_UPDATES_MAX ||
      this.bytes + body.length > QUEUE_BYTES_MAX
    ) {
      this.dropped += 1;
      return undefined;
    }
    const expiresAt = this.#clock.mono() + (raw.seconds * 1000) / this.#settings.speed;
    const update: PendingUpdate = {
      seq: this.#seq++,
      updateId,
      kind,
      chatId,
      lane,
      body,
      expiresAt,
      failures: 0,
      attempts: 0,
    };
    this.pending.set(update.seq, update);
    this.bytes += body.length;
    this.listener?.(update);
    return update;
  }

  remove(update: PendingUpdate): void {
    if (this.pending.delete(update.seq)) this.bytes -= update.body.length;
  }

  clear(): void {
    this.pending.clear();
    this.bytes = 0;
  }

  /** What a poller is given: not confirmed, not expired, in order of arrival. Confirms everything below `offset`. */
  take(offset: number, limit: number): PendingUpdate[] {
    const now = this.#clock.mono();
    if (offset < 0) this.#forgetAllButLast(-offset);
    const taken: PendingUpdate[] = [];
    for (const update of this.pending.values()) {
      if (update.updateId < offset || update.expiresAt < now) this.remove(update);
      else if (taken.length < limit) taken.push(update);
      else break;
    }
    return taken;
  }

  #forgetAllButLast(count: number): void {
    let surplus = this.pending.size - count;
    for (const update of this.pending.values()) {
      if (surplus-- <= 0) return;
      this.remove(update);
    }
  }
}
