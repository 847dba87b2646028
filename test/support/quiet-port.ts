import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 15_000;
const highest = 30_000;

/**
 * A port for a server that goes away and comes back. It lies below those that the system gives to whoever asks for any, so
 * that no other test gets it meanwhile.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await once(server.close(), 'close');
    return port;
  }
}
