import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerPort } from './port.ts';
import type { Reply } from './reply.ts';

/** Answers through Node's HTTP server. */
export class ResponsePort implements AnswerPort {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  send(reply: Reply): void {
    const response = this.#response;
    if (response.destroyed) return;
    const headers: Record<string, string | number> = {
      'Content-Type': reply.contentType ?? 'application/json',
      'Content-Length': Buffer.byteLength(reply.body),
    };
    if (reply.retryAfter !== undefined) headers['Retry-After'] = reply.retryAfter;
    response.writeHead(reply.status, headers);
    response.end(reply.body);
  }

  cut(): void {
    const { socket } = this.#response;
    if (socket && 'resetAndDestroy' in socket) socket.resetAndDestroy();
    else this.#response.destroy();
  }

  onClose(work: () => void): void {
    this.#response.once('close', work);
  }
}

const EMPTY = Buffer.alloc(0);

/** Reads a body whole; `done` is not called where the caller went away, `tooLarge` where it exceeds the limit. */
export function readWhole(
  request: IncomingMessage,
  bytesMax: number,
  done: (body: Buffer) => void,
  tooLarge: () => void,
): void {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) return;
    if (!first) first = chunk;
    else (more ??= [first]).push(chunk);
  });
  request.on('end', () => {
    if (bytes > bytesMax) tooLarge();
    else done(more ? Buffer.concat(more) : (first ?? EMPTY));
  });
}
