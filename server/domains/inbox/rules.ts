/** What the inbox needs to know of an update before it stores it; everything else is read later. */
export type UpdateFacts = {
  /** Identity within the bot. A repeated delivery has the same. */
  key: string;
  /** The chat (or the person, where there is none): the unit of order. 0 where neither is known. */
  lane: number;
  /** Telegram's own name of the kind, such as `message` or `callback_query`; 'unknown' where there is none. */
  kind: string;
};

type Bag = Record<string, unknown>;

/**
 * Reads key, lane and kind of any JSON value. Never throws: what Telegram sends is stored whether it is
 * understood or not. `hashOf` names updates that carry no usable update_id; `exactId` reads the digits of one
 * that a JavaScript number cannot hold.
 */
export function factsOf(update: unknown, read: { hashOf(): string; exactId(): string | undefined }): UpdateFacts {
  const bag = asBag(update);
  const kind = kindOf(bag);
  return { key: keyOf(bag?.update_id, read), lane: laneOf(asBag(bag?.[kind])), kind };
}

function kindOf(update: Bag | undefined): string {
  if (update) for (const name in update) if (name !== 'update_id') return name;
  return 'unknown';
}

/** The digits as Telegram wrote them. An id of another form gets a key of its own form, so that none collide. */
function keyOf(id: unknown, read: { hashOf(): string; exactId(): string | undefined }): string {
  if (typeof id === 'number') {
    if (Number.isSafeInteger(id)) return String(id);
    const exact = read.exactId();
    if (exact) return exact;
  }
  if (typeof id === 'string' && /^-?\d{1,40}$/.test(id)) return id;
  return `body:${read.hashOf()}`;
}

/**
 * The chat decides, as in Telegram's own queues for messages; a button press belongs to the chat of its
 * message, queries and payments to the person (whose private chat has the same id).
 */
function laneOf(content: Bag | undefined): number {
  if (!content) return 0;
  return (
    idOf(content.chat) ??
    idOf(asBag(content.message)?.chat) ??
    idOf(content.from) ??
    idOf(content.user) ??
    idOf(content.voter_chat) ??
    0
  );
}

function idOf(holder: unknown): number | undefined {
  const id = asBag(holder)?.id;
  if (typeof id === 'number') return Number.isSafeInteger(id) ? id : undefined;
  if (typeof id === 'string' && /^-?\d{1,15}$/.test(id)) return Number(id);
  return undefined;
}

function asBag(value: unknown): Bag | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : undefined;
}

/** Attempts of one update before it becomes a dead letter. */
export const attemptsMax = 5;

/** Pause before attempt `attempts + 1`, in ms: 1 s, 4 s, 16 s, 64 s, each with up to a quarter of jitter. */
export function retryPauseMs(attempts: number, chance: number): number {
  return 1_000 * 4 ** Math.max(0, Math.min(attempts, 4) - 1) * (1 + chance / 4);
}

/** One statement of the intake takes at most this much; more waits for the next. */
export const batchRowsMax = 500;
export const batchBytesMax = 4 * 1024 * 1024;

/** What may wait in memory for the database before further deliveries are answered 503. */
export const waitingRowsMax = 20_000;
export const waitingBytesMax = 64 * 1024 * 1024;
