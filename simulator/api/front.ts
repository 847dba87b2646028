import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FileStore } from '../world/files.ts';
import { RawBody } from './body.ts';
import { DirectConnection } from './direct-lane.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiRefusal } from './refusal.ts';
import { refusalReply } from './reply.ts';
import { ResponsePort, readWhole } from './wire.ts';

/** Telegram's own limit for uploads is 50 MB; a little more so that the refusal can be told from a broken body. */
const BODY_BYTES_MAX = 60 * 1024 * 1024;

/** Clients may escape the colon of a token. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Takes the requests of Telegram's API out of a server's stream: `/bot...` and `/file/bot...`. */
export class ApiFront {
  readonly #endpoint: Endpoint;
  readonly #files: FileStore;
  readonly #bodyBytesMax: number;
  readonly #direct = new Set<DirectConnection>();

  constructor(endpoint: Endpoint, files: FileStore, bodyBytesMax = BODY_BYTES_MAX) {
    this.#endpoint = endpoint;
    this.#files = files;
    this.#bodyBytesMax = bodyBytesMax;
  }

  /** True where the request was one of the API's. */
  take(request: IncomingMessage, response: ServerResponse, url: string): boolean {
    if (url.startsWith('/bot')) {
      this.#call(request, response, url);
      return true;
    }
    if (url.startsWith('/file/bot')) {
      this.#file(request, response, url);
      return true;
    }
    return false;
  }

  #call(request: IncomingMessage, response: ServerResponse, url: string): void {
    const mark = url.indexOf('?');
    const path = mark === -1 ? url.slice(4) : url.slice(4, mark);
    const query = mark === -1 ? '' : url.slice(mark + 1);
    const whole = decoded(path);
    const port = new ResponsePort(response);
    readWhole(
      request,
      this.#bodyBytesMax,
      (body) => this.#endpoint.handle(port, whole, new RawBody(request.headers['content-type'] ?? '', body, query)),
      () => port.send(refusalReply(new ApiRefusal(413, 'Request Entity Too Large'))),
    );
  }

  /** Takes a connection before Node's HTTP server sees it; `handOver` gives it to that server. */
  direct(socket: Socket, handOver: (socket: Socket) => void): void {
    const connection = new DirectConnection(socket, {
      carry: (port, path, body) => this.#endpoint.handle(port, decoded(path), body),
      handOver,
      gone: (gone) => this.#direct.delete(gone),
    });
    this.#direct.add(connection);
  }

  /** Ends the connections that no HTTP server knows of. */
  close(): void {
    for (const connection of this.#direct) connection.close();
    this.#direct.clear();
  }

  #file(request: IncomingMessage, response: ServerResponse, url: string): void {
    request.resume();
    const path = decodeURIComponent(url.slice('/file/bot'.length).split('?')[0] ?? '');
    const slash = path.indexOf('/');
    const file = this.#endpoint.knowsToken(path.slice(0, slash))
      ? this.#files.byPath(path.slice(slash + 1))
      : undefined;
    if (!file) {
      new ResponsePort(response).send(refusalReply(new ApiRefusal(404, 'Not Found')));
      return;
    }
    response.writeHead(200, { 'Content-Type': file.mime, 'Content-Length': file.bytes.length });
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
  }
}
