import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

/** Writes an answer in one packet. */
export function writeReply(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  const headers: Record<string, string | number> = {
    'Content-Type': reply.contentType ?? 'application/json',
    'Content-Length': Buffer.byteLength(reply.body),
  };
  if (reply.retryAfter !== undefined) headers['Retry-After'] = reply.retryAfter;
  response.writeHead(reply.status, headers);
  response.end(reply.body);
}

/** Takes the connection away: the caller sees a reset and no answer. */
export function destroyAnswer(response: ServerResponse): void {
  const { socket } = response;
  if (socket && 'resetAndDestroy' in socket) socket.resetAndDestroy();
  else response.destroy();
}

const EMPTY = Buffer.alloc(0);

/** Reads a body whole; `done` is not called where the caller went away. `tooLarge` is called once when it exceeds the limit. */
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
