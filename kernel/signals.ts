import pg from 'pg';
import type { Db } from './db.ts';
import type { Kit } from './kit.ts';
import type { Service } from './service.ts';
import { sql } from './sql.ts';

/** What processes tell each other. Only hints: whoever misses one finds the same thing by looking. */
export type Topic = 'inbox' | 'nodes';

export type Signals = Service & {
  /** Tells all other processes about these ids (none: look at everything). Gathered for 50 ms. */
  send(topic: Topic, ids?: readonly number[]): void;
  on(topic: Topic, listener: (ids: readonly number[]) => void): void;
};

const channel = 'roost';
const gatherMs = 50;
const reconnectMs = 5_000;
// A payload may have 8,000 bytes; beyond so many ids "look at everything" is cheaper anyway.
const idsMax = 400;

/**
 * One NOTIFY a process for whatever gathered in 50 ms, never one an insert: NOTIFY takes a lock of the whole
 * database until the commit (12.6k inserts/s became 4.3k). LISTEN needs a session, so it has a connection of its
 * own, past any pooler; without one everything still works, by looking every half second.
 */
export function createSignals(kit: Kit, db: Db, directUrl: string): Signals {
  const listeners = new Map<Topic, ((ids: readonly number[]) => void)[]>();
  const gathered = new Map<Topic, Set<number> | 'all'>();
  const sender = Math.floor(kit.random() * 2 ** 40).toString(36);
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let stopped = false;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: directUrl,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000,
    });
    fresh.on('error', (error) => kit.log.warn({ err: error }, 'signals.connection_lost'));
    fresh.on('end', () => {
      if (client === fresh) client = undefined;
      retry();
    });
    fresh.on('notification', (message) => hear(message.payload ?? ''));
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
      client = fresh;
      // Whatever was said while nobody listened.
      for (const topic of listeners.keys()) tell(topic, []);
    } catch (error) {
      kit.log.warn({ err: error }, 'signals.not_connected');
      await fresh.end().catch(() => {});
      retry();
    }
  }

  function retry(): void {
    if (stopped) return;
    clearTimeout(again);
    again = setTimeout(() => void connect(), reconnectMs);
  }

  function hear(payload: string): void {
    const [from, topic, ids = ''] = payload.split(' ');
    if (from === sender) return;
    tell(topic as Topic, ids === '' ? [] : ids.split(',').map(Number));
  }

  function tell(topic: Topic, ids: readonly number[]): void {
    for (const listener of listeners.get(topic) ?? []) listener(ids);
  }

  async function flush(): Promise<void> {
    timer = undefined;
    const payloads = [...gathered].map(
      ([topic, ids]) => `${sender} ${topic} ${ids === 'all' ? '' : [...ids].join(',')}`,
    );
    gathered.clear();
    try {
      for (const payload of payloads) await db.run(sql`select pg_notify(${channel}, ${payload})`);
    } catch (error) {
      kit.log.debug({ err: error }, 'signals.not_sent');
    }
  }

  return {
    name: 'signals',
    on(topic, listener) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
    },
    send(topic, ids = []) {
      const known = gathered.get(topic);
      if (ids.length === 0 || known === 'all') gathered.set(topic, 'all');
      else {
        const all = known ?? new Set<number>();
        for (const id of ids) all.add(id);
        gathered.set(topic, all.size > idsMax ? 'all' : all);
      }
      timer ??= setTimeout(() => void flush(), gatherMs);
    },
    start: connect,
    async stop() {
      stopped = true;
      clearTimeout(again);
      clearTimeout(timer);
      if (gathered.size > 0) await flush();
      await client?.end().catch(() => {});
    },
  };
}
