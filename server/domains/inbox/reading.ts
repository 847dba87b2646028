import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Incoming } from './intake.ts';
import { factsOf } from './rules.ts';

/** The largest delivery that is read. Telegram itself caps an update at 512 KiB. */
export const updateBytesMax = 1024 * 1024;

/**
 * Turns a body, as it came, into a row to store. Text that is not UTF-8 keeps its exact bytes beside the readable
 * form (Telegram does send such button data). What is no JSON at all (a proxy has damaged it or put a byte order mark before
 * it) becomes a row of bytes under their hash: Telegram would send it again for a day, and nothing else of its chat.
 */
export function readUpdate(bot: { id: number; bucket: number }, raw: Buffer): Incoming {
  // PostgreSQL takes the blanks around a JSON text away, so they too are kept as bytes.
  const exact = isUtf8(raw) && !isBlank(raw[0]) && !isBlank(raw.at(-1)) ? null : raw;
  const body = raw.toString('utf8');
  const update = parse(body);
  const hashOf = (): string => createHash('sha256').update(raw).digest('hex');
  if (update === unreadable) {
    const { id: integrationId, bucket } = bot;
    const row = { integrationId, bucket, lane: 0, key: `body:${hashOf()}`, body: null, bytes: raw };
    return { ...row, size: raw.length, kind: 'unreadable', update: undefined, unreadable: true };
  }
  const facts = factsOf(update, {
    hashOf,
    exactId: () => exactUpdateId(body),
  });
  return {
    integrationId: bot.id,
    bucket: bot.bucket,
    lane: facts.lane,
    key: facts.key,
    body,
    bytes: exact,
    size: raw.length,
    kind: facts.kind,
    update,
    unreadable: false,
  };
}

/** Stands for what no parser can answer with. */
const unreadable = Symbol('unreadable');

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return unreadable;
  }
}

/** The digits of an update_id beyond 2^53, from the source text of the number. */
function exactUpdateId(body: string): string | undefined {
  let digits: string | undefined;
  const reader = (name: string, value: unknown, context?: { source?: string }): unknown => {
    if (name === 'update_id' && typeof value === 'number') digits = context?.source;
    return value;
  };
  JSON.parse(body, reader as (name: string, value: unknown) => unknown);
  return digits !== undefined && /^-?\d{1,40}$/.test(digits) ? digits : undefined;
}
