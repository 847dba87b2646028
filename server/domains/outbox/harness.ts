import type { Db } from '../../../kernel/db.ts';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import type { Outcome } from '../telegram/telegram.ts';
import type { Consequence } from './consequences.ts';
import { insertMessages, type NewMessage, type Placed } from './sql.ts';
import { createOutbox, type Outbox } from './worker.ts';

/** The token under which the bucket of the one bot is ours. */
export const token = 5;
const owner = '00000000-0000-4000-8000-00000000000a';
/** Where PostgreSQL puts the integration 1. */
export const bucket = 70;

export type Bench = {
  readonly outbox: Outbox;
  /** What Telegram was told, in order. */
  readonly said: string[];
  insert(rows: readonly Placed[]): Promise<void>;
  /** Places, commits and releases a message, as a turn does. */
  send(message: NewMessage): Promise<Placed>;
  /** The clock that limits and parks go by. Stopped, all happens at one moment, however slow this machine is. */
  readonly clock: StoppableClock;
  /** The token of the bucket is now this one. */
  takenOver(token: number): void;
  stop(): Promise<void>;
};

type StoppableClock = { now(): number; stop(): void; goOn(): void; skip(ms: number): void };

function stoppableClock(): StoppableClock {
  let stoodMs = 0;
  let stoppedMs: number | undefined;
  return {
    now: () => (stoppedMs ?? performance.now()) - stoodMs,
    stop: () => {
      stoppedMs ??= performance.now();
    },
    skip: (ms) => {
      stoodMs -= ms;
    },
    goOn: () => {
      if (stoppedMs !== undefined) stoodMs += performance.now() - stoppedMs;
      stoppedMs = undefined;
    },
  };
}

export type BenchOptions = {
  /** Stands before the database. */
  around?: (db: Db) => Db;
  /** Called before the bot's own token is given out: between the mark and the call. */
  beforeCall?: () => void;
  /** What Telegram takes its time for: the text of a message; a file, until it is given up. */
  answer?: (text: string) => Promise<void>;
  /** What Telegram answers to a message with files, by its parameters; without this they never end. */
  upload?: (params: Record<string, unknown>) => Promise<Outcome>;
  consequences?: readonly Consequence[];
};

export const message = (text: string): NewMessage => ({
  integrationId: 1,
  bucket,
  key: text,
  chatId: 100,
  class: 0,
  method: 'sendMessage',
  params: JSON.stringify({ text }),
  target: null,
  report: null,
});

/** An outbox that owns one bucket with one bot, before a Telegram that takes everything. */
export async function openBench(database: TestDatabase, options: BenchOptions = {}): Promise<Bench> {
  let held = token;
  const clock = stoppableClock();
  const kit = { ...realKit(createLog({ level: 'silent' })), monotonicMs: clock.now };
  const said: string[] = [];
  // The fence looks at the bucket itself.
  await database.db.run(sql`update bucket set owner = ${owner}, token = ${token}`);
  const bot = { id: 1, bucket, apiRoot: 'http://127.0.0.1:1' };
  const outbox = createOutbox({
    kit,
    db: options.around?.(database.db) ?? database.db,
    node: {
      id: () => owner,
      owns: () => true,
      token: () => held,
      validUntilMs: () => Number.POSITIVE_INFINITY,
      soleReceiver: () => true,
    },
    telegram: {
      callText: async (_bot: unknown, _method: string, params: string, call?: { written?: () => void }) => {
        const { text, video } = JSON.parse(params) as { text?: string; video?: string };
        const words = text ?? video ?? '';
        call?.written?.();
        await options.answer?.(words);
        said.push(words);
        return { kind: 'ok', result: { message_id: said.length } };
      },
      callWithFiles: (
        _bot: unknown,
        _method: string,
        params: Record<string, unknown>,
        _files: unknown,
        call: { signal: AbortSignal },
      ) =>
        options.upload?.(params) ??
        new Promise((resolve) => {
          const stopped = (): void => resolve({ kind: 'unreached', reason: 'Stopped.' });
          if (call.signal.aborted) stopped();
          call.signal.addEventListener('abort', stopped);
        }),
    },
    bots: {
      byId: (id: number) => ({ ...bot, id }),
      isWorking: () => true,
      token: async () => {
        options.beforeCall?.();
        return 'token';
      },
    },
    tokens: { refused: () => {}, isSuspect: () => false },
    openFile: async () => ({ name: 'film.mp4', size: 0, async *open() {} }),
    ownedBuckets: () => [bucket],
    eventsStored: () => {},
    consequences: options.consequences ?? [],
  } as never);
  const insert = (rows: readonly Placed[]) => database.db.tx((tx) => insertMessages(tx, rows));
  return {
    outbox,
    said,
    clock,
    insert: async (rows) => void (await insert(rows)),
    async send(fresh) {
      const placements = outbox.sender.place([fresh]);
      const rows = await insert(placements.map(({ row }) => row));
      outbox.sender.committed(placements, new Map(rows.map((row) => [`${row.integration_id} ${row.key}`, row.id])));
      return placements[0]?.row as Placed;
    },
    takenOver: (now) => {
      held = now;
    },
    stop: () => outbox.stop(),
  };
}
