// Plain HTTP as the benches speak it: bodies as they came over the wire, and many requests as fast as they go.
import { request } from 'node:http';
import { Connection } from '../load/connection.ts';
import { monoMs } from './clock.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Still compressed, where it was. */
  readonly bytes: Buffer;
};

/** One request of a GET. */
export function get(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
      resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(named), bytes: Buffer.concat(parts) });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const headOf = (port: number, path: string, headers: Readonly<Record<string, string>>): string =>
  [
    `GET ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/**
 * Asks for these paths, one after the other, over so many connections at once; each asks again when it was answered.
 * Ends with the paths or with the time. Answers with how many a second. Throws when one is not answered with 200.
 */
export async function requestsPerSecond(
  port: number,
  paths: Iterable<string>,
  options: { connections: number; headers: Readonly<Record<string, string>>; stopAfterMs?: number },
): Promise<number> {
  const opened = Array.from({ length: options.connections }, () => new Connection(port));
  await Promise.all(opened.map((connection) => connection.opened()));
  const waiting = paths[Symbol.iterator]();
  const startMs = monoMs();
  const endMs = startMs + (options.stopAfterMs ?? Number.POSITIVE_INFINITY);
  let done = 0;
  const ask = (connection: Connection, resolve: () => void, reject: (error: Error) => void): void => {
    const next = monoMs() < endMs ? waiting.next() : { done: true as const, value: undefined };
    if (next.done) return resolve();
    connection.send(headOf(port, next.value, options.headers), (status) => {
      if (status !== 200) return reject(new Error(`${next.value} was answered with ${status}.`));
      done += 1;
      ask(connection, resolve, reject);
    });
  };
  try {
    await Promise.all(opened.map((each) => new Promise<void>((resolve, reject) => ask(each, resolve, reject))));
  } finally {
    for (const connection of opened) connection.close();
  }
  return (done / (monoMs() - startMs)) * 1_000;
}
