import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import fastify from 'fastify';
import { ApiFront } from './api/front.ts';
import { isLoopback } from './apps/address.ts';
import { controlRoutes } from './control/routes.ts';
import { APP_SCRIPT_PATH, SimulatorCore } from './core.ts';
import type { Door } from './guard.ts';
import { guardControl, guardPage } from './guard.ts';
import { Keeper } from './keep/keeper.ts';
import { appScriptRoute, pageRoutes } from './page-routes.ts';
import type { SimulatorOptions } from './settings.ts';

export type { ActiveFault, FaultKind, FaultRule } from './api/faults.ts';
export type { BotApps, BotAppsChange } from './apps/bot-apps.ts';
export type { Spoil } from './apps/init-data.ts';
export { APP_SCRIPT_PATH } from './core.ts';
export type { CallEntry } from './log/call-log.ts';
export type { DeliveryEntry } from './log/delivery-log.ts';
export type { Limits, Settings, SimulatorOptions } from './settings.ts';

/** Where to listen; port 0 takes a free one. */
export type ListenOptions = { host?: string; port?: number };

/** A simulated Telegram. Everything of `SimulatorCore` works without a server too. */
export class Simulator extends SimulatorCore {
  readonly #front: ApiFront;
  #server: FastifyInstance | undefined;
  #address = '';
  #keeper: Keeper | undefined;

  constructor(options: SimulatorOptions = {}) {
    super(options);
    this.#front = new ApiFront(this.endpoint, this.world.files, options.bodyBytesMax);
  }

  /** `http://host:port`, empty until it listens. It is the API root that clients are given. */
  get address(): string {
    return this.#address;
  }

  /** Where a browser opens the chat page: the key stands behind the `#`, which is sent to no server. */
  get page(): string {
    return pageAddress(this.#address, this.controlKey);
  }

  /** Where apps load the stand-in for Telegram's script from. Mounted, it stands below the prefix instead. */
  get appScript(): string {
    return `${this.#address}${APP_SCRIPT_PATH}`;
  }

  /** Listens in a server of its own: calls go past Node's HTTP server and Fastify, everything else through them. */
  async listen(options: ListenOptions = {}): Promise<string> {
    if (this.#server) throw new Error('the simulator listens already');
    const front = this.#front;
    const server = fastify({
      serverFactory: (handler) => {
        const http = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
          if (!front.take(request, response, request.url ?? '')) handler(request, response);
        });
        takeConnections(http, front);
        return http;
      },
      forceCloseConnections: true,
    });
    this.#server = server;
    const host = options.host ?? '127.0.0.1';
    await server.register(
      this.#pages(isLoopback(host) || host === '::1' ? { for: 'this machine' } : { for: 'everybody', host }),
    );
    await server.listen({ host, port: options.port ?? 0 });
    const { port, address, family } = server.server.address() as AddressInfo;
    this.#address = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    return this.#address;
  }

  /**
   * Everything, to be mounted in another Fastify server under a prefix. Whoever knows a bot's token may call; page and
   * control API are for this machine alone, and the latter for whoever knows its key. Webhooks go to that server
   * alone unless `reach` said otherwise. Fails where the simulator reads files: the server has some to lose.
   */
  readonly plugin: FastifyPluginCallback = (server, _options, done) => {
    if (this.world.files.local !== undefined)
      return done(new Error('A simulator with localFiles cannot be mounted in another server.'));
    this.settings.reach = this.reachWish ?? 'own';
    this.outward.own = () => server.server.address();
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    const handler = (
      request: { raw: IncomingMessage; url: string },
      reply: { hijack(): void; raw: ServerResponse; code(status: number): { send(body: unknown): void } },
    ): void => {
      const path = request.url.slice(server.prefix.length);
      reply.hijack();
      if (!this.#front.take(request.raw, reply.raw, path)) reply.raw.writeHead(404).end();
    };
    server.all('/bot*', handler);
    server.all('/file/bot*', handler);
    server.register(this.#pages({ for: 'this machine' }));
    done();
  };

  /** Control API and chat page, behind their door; and the script that apps of any origin load. */
  #pages(door: Door): FastifyPluginCallback {
    return (server, _options, done) => {
      server.register(async (scope) => {
        scope.addHook('onRequest', guardControl(door, this.controlKey));
        await scope.register(controlRoutes(this), { prefix: '/control' });
      });
      server.register(async (scope) => {
        scope.addHook('onRequest', guardPage(door));
        await pageRoutes(scope);
      });
      server.register(appScriptRoute);
      done();
    };
  }

  /** Keeps everything in a folder: restores what is there, saves what changes. Before anything is created. */
  async keepIn(folder: string): Promise<void> {
    const keeper = new Keeper(this, folder);
    await keeper.start();
    this.#keeper = keeper;
  }

  /** Stops listening, delivering and holding answers. Twice is fine. */
  async close(): Promise<void> {
    await this.stopWork();
    this.#front.close();
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
    const keeper = this.#keeper;
    this.#keeper = undefined;
    await keeper?.stop();
  }
}

/** The chat page of a simulator at this address, mounted or alone, as it is printed for people. */
export function pageAddress(address: string, controlKey: string): string {
  return `${address}/#key=${controlKey}`;
}

/** Lets the front see every connection before the HTTP server does. */
function takeConnections(http: Server, front: ApiFront): void {
  const own = http.listeners('connection') as ((socket: Socket) => void)[];
  http.removeAllListeners('connection');
  http.on('connection', (socket) => {
    front.direct(socket, (handed) => {
      for (const listener of own) listener.call(http, handed);
    });
  });
}

export function createSimulator(options: SimulatorOptions = {}): Simulator {
  return new Simulator(options);
}
