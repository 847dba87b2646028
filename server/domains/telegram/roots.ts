// Connections, by API root.
import { Pool } from 'undici';

export type Root = { readonly origin: string; readonly prefix: string; readonly short: Pool; readonly long: Pool };

/** More roots than a real installation has (the cloud, a local server, a relay or two, the simulator). */
const rootsMax = 32;
const connectMsMax = 5_000;
/**
 * An idle connection is closed by us before the other side does it (Telegram and its local server after 60 s),
 * since a request that meets a closing connection is a doubtful send.
 */
const idleMsMax = 20_000;

export type Roots = { of(apiRoot: string): Root; close(): Promise<void> };

export function createRoots(connections: { short: number; long: number }): Roots {
  const roots = new Map<string, Root>();
  const closing = new Set<Promise<unknown>>();

  function add(apiRoot: string): Root {
    const url = new URL(apiRoot);
    const root: Root = {
      origin: url.origin,
      prefix: url.pathname.replace(/\/+$/, ''),
      short: makePool(url.origin, connections.short),
      long: makePool(url.origin, connections.long),
    };
    roots.set(apiRoot, root);
    if (roots.size > rootsMax) dropOldest();
    return root;
  }

  function dropOldest(): void {
    const [apiRoot, root] = [...roots][0] as [string, Root];
    roots.delete(apiRoot);
    // Calls in flight there are let finish.
    const closed: Promise<unknown> = Promise.allSettled([root.short.close(), root.long.close()]);
    closing.add(closed);
    void closed.then(() => closing.delete(closed));
  }

  return {
    of: (apiRoot) => roots.get(apiRoot) ?? add(apiRoot),
    async close() {
      await Promise.allSettled([...roots.values()].flatMap((root) => [root.short.destroy(), root.long.destroy()]));
      await Promise.allSettled(closing);
    },
  };
}

/** HTTP/1.1 and one request a connection at a time: an answer that is late must not hold up others. */
function makePool(origin: string, connections: number): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMsMax,
    keepAliveMaxTimeout: idleMsMax,
    connect: { timeout: connectMsMax },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
