import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Where a connection is passed on to. */
export type Backend = { readonly port: number; readonly host?: string };

/** Loses one answer: that to the request in which `request` is found. What was asked for is done all the same. */
export type Loss = {
  readonly request: (piece: string) => boolean;
  /** The piece of the answer at which the client's connection breaks. */
  readonly answer?: (piece: string) => boolean;
  /** How many answers; one where nothing is said. */
  times?: number;
  /** How many were lost so far. */
  lost?: number;
};

/**
 * A TCP proxy that shares connections out among its backends in turn, and can misbehave like a network: hold bytes
 * back, cut what stands, lose an answer, swallow everything without a word.
 */
export type TcpProxy = {
  readonly port: number;
  /** Who takes part. Connections that stand are closed after their next answer, and shared out anew. */
  set(backends: readonly Backend[]): void;
  /** Every piece of data is held back for this long, both ways. */
  delay(ms: number): void;
  /** Resets all connections that stand now; of `share` 0.5 every other one. */
  cut(share?: number): void;
  lose(loss: Loss | undefined): void;
  /**
   * From now on nothing passes on the connections that stand, nor on new ones while it is on, and none is closed: the
   * other side hears neither data nor an end. Off again, only new connections work.
   */
  blackhole(on: boolean): void;
  close(): Promise<void>;
};

type State = { delayMs: number; silent: boolean; loss: Loss | undefined };

/** Two joined connections. */
class Pair {
  readonly client: Socket;
  readonly backend: Socket;
  /** Nothing passes any more, and nobody is told. */
  deaf = false;
  /** To be closed after the answer in hand, so that its client comes again and is shared out anew. */
  old = false;
  /** The answers of the backend are dropped until the one at which the client's connection breaks. */
  losing: Loss | undefined;
  readonly #state: State;

  constructor(client: Socket, backend: Socket, state: State, gone: (pair: Pair) => void) {
    this.client = client;
    this.backend = backend;
    this.#state = state;
    client.on('data', (piece: Buffer) => this.#fromClient(piece));
    backend.on('data', (piece: Buffer) => this.#fromBackend(piece));
    for (const [from, to] of [
      [client, backend],
      [backend, client],
    ] as const) {
      from.on('end', () => this.#later(() => to.end()));
      from.on('error', () => this.#later(() => to.resetAndDestroy()));
      from.on('close', () => {
        if (!this.deaf) gone(this);
        this.#later(() => to.destroy());
      });
    }
  }

  #fromClient(piece: Buffer): void {
    const { loss } = this.#state;
    if (loss && (loss.lost ?? 0) < (loss.times ?? 1) && loss.request(piece.toString('latin1'))) {
      loss.lost = (loss.lost ?? 0) + 1;
      this.losing = loss;
    }
    this.#later(() => this.backend.write(piece));
  }

  #fromBackend(piece: Buffer): void {
    if (this.losing) {
      if (this.losing.answer && !this.losing.answer(piece.toString('latin1'))) return;
      this.reset();
      return;
    }
    this.#later(() => this.client.write(piece));
    if (this.old) this.#later(() => this.retire());
  }

  #later(work: () => void): void {
    if (this.deaf) return;
    if (this.#state.delayMs > 0) setTimeout(work, this.#state.delayMs);
    else work();
  }

  retire(): void {
    this.client.end();
    this.backend.end();
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.backend.resetAndDestroy();
  }
}

export async function createProxy(): Promise<TcpProxy> {
  const state: State = { delayMs: 0, silent: false, loss: undefined };
  const pairs = new Set<Pair>();
  const clients = new Set<Socket>();
  let backends: readonly Backend[] = [];
  let turn = 0;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => {});
    clients.add(client);
    client.on('close', () => clients.delete(client));
    if (!state.silent) accept(client, 0);
  });

  /** Tries the backends in turn; one that is down is passed over at once, as a load balancer does. */
  function accept(client: Socket, tried: number): void {
    const among = backends;
    const to = among[turn++ % Math.max(1, among.length)];
    if (to === undefined || tried >= among.length) return void client.resetAndDestroy();
    const backend = connect({ port: to.port, host: to.host ?? '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const refused = (): void => accept(client, tried + 1);
    backend.once('error', refused);
    backend.once('connect', () => {
      backend.off('error', refused);
      if (among === backends && !client.destroyed && !state.silent)
        return void pairs.add(new Pair(client, backend, state, (pair) => pairs.delete(pair)));
      // While it was on its way its client has gone, or the others were named, or all fell silent.
      backend.on('error', () => {});
      backend.destroy();
      if (!client.destroyed && !state.silent) accept(client, 0);
    });
  }

  function cut(share = 1): void {
    for (const [place, pair] of [...pairs].entries()) if (place % Math.round(1 / share) === 0) pair.reset();
  }

  await listen(server);
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      backends = [...next];
      for (const pair of pairs) pair.old = true;
    },
    delay: (ms) => {
      state.delayMs = ms;
    },
    cut,
    lose: (loss) => {
      state.loss = loss;
    },
    blackhole: (on) => {
      state.silent = on;
      if (on) for (const pair of pairs) pair.deaf = true;
    },
    close: () => {
      backends = [];
      cut();
      for (const client of clients) client.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
}
