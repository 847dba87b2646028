// Connections, by API root.
import { Pool } from 'undici';

/**
 * Connections of their own for each kind of call: what hangs in one holds up none of the others. `send` is every short
 * call that is not an answer to a press or a checkout.
 */
export type CallKind = 'send' | 'press' | 'checkout' | 'long';

export type Root = {
  readonly origin: string;
  readonly prefix: string;
  readonly pools: Readonly<Record<CallKind, Pool>>;
};

/** More roots than a real installation has (the cloud, a local server, a relay or two, the simulator). */
const rootsMax = 32;
const connectMsMax = 5_000;
/** For answers to presses and checkouts: less than such a call may last, so that the next try finds a connection. */
const urgentConnectMsMax = 2_500;
/**
 * An idle connection is closed by us before the other side does it (Telegram and its local server after 60 s),
 * since a request that meets a closing connection is a doubtful send.
 */
const idleMsMax = 20_000;

export type Roots = { of(apiRoot: string): Root; close(): Promise<void> };

export function createRoots(connectionsMax: Readonly<Record<CallKind, number>>): Roots {
  const roots = new Map<string, Root>();
  const closing = new Set<Promise<unknown>>();

  function add(apiRoot: string): Root {
    const url = new URL(apiRoot);
    const root: Root = {
      origin: url.origin,
      prefix: url.pathname.replace(/(?<!\/)\/+$/, ''),
      pools: {
        send: makePool(url.origin, connectionsMax.send),
        press: makePool(url.origin, connectionsMax.press, urgentConnectMsMax),
        checkout: makePool(url.origin, connectionsMax.checkout, urgentConnectMsMax),
        long: makePool(url.origin, connectionsMax.long),
      },
    };
    roots.set(apiRoot, root);
    if (roots.size > rootsMax) dropOldest();
    return root;
  }

  function dropOldest(): void {
    const [apiRoot, root] = [...roots][0] as [string, Root];
    roots.delete(apiRoot);
    // Calls in flight there are let finish.
    const closed: Promise<unknown> = Promise.allSettled(poolsOf(root).map((pool) => pool.close()));
    closing.add(closed);
    void closed.then(() => closing.delete(closed));
  }

  return {
    of: (apiRoot) => roots.get(apiRoot) ?? add(apiRoot),
    async close() {
      await Promise.allSettled([...roots.values()].flatMap(poolsOf).map((pool) => pool.destroy()));
      await Promise.allSettled(closing);
    },
  };
}

function poolsOf(root: Root): Pool[] {
  return Object.values(root.pools);
}

/** HTTP/1.1 and one request a connection at a time: an answer that is late must not hold up others. */
function makePool(origin: string, connections: number, timeout = connectMsMax): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMsMax,
    keepAliveMaxTimeout: idleMsMax,
    connect: { timeout },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
