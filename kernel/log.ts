import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';
import { redact } from './redact.ts';

export type Log = Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/**
 * JSON lines, one event a line: the message is the event's name (`bot.connected`), the facts are fields.
 * Whatever is written goes through `redact` as text once more, so a secret that came in by any field, error
 * or cause is cut before it reaches a sink.
 */
export function createLog(options: { level: LogLevel; sink?: { write(line: string): void } }): Log {
  const sink = options.sink ?? process.stdout;
  const stream: DestinationStream = { write: (line: string) => void sink.write(redact(line)) };
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFacts },
      redact: { paths: secretPaths, censor: '[cut]' },
    },
    stream,
  );
}

/** Words of an error may hold what a stranger has sent. Cleaned first, so that no half of a secret is left at the end. */
const bounded = (text: string): string => (text.length > wordsMax ? redact(text).slice(0, wordsMax) : text);
const wordsMax = 8_000;

/** Of an error only words and code: a database client or a socket that hangs on it would fill the log. */
function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: bounded(error.message),
    ...(code === undefined ? {} : { code }),
    stack: bounded(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: errorFacts(error.cause) }),
  };
}

const secretNames = ['token', 'secret', 'password', 'authorization', 'cookie', 'secret_token', 'key'];
const secretPaths = [
  ...secretNames,
  ...secretNames.map((name) => `*.${name}`),
  '["x-telegram-bot-api-secret-token"]',
  '*["x-telegram-bot-api-secret-token"]',
];
