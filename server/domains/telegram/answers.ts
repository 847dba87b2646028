// From the bytes of an answer to an outcome. Pure.
import { redact } from '../../../kernel/redact.ts';
import type { Answer } from './exchange.ts';
import type { Doubtful, Outcome, PolledUpdate } from './outcome.ts';

/** Cuts the token out of words that came from outside, also where it has not the usual shape. */
export function withoutToken(text: string, token: string): string {
  let clean = redact(text);
  if (token.length > 0) clean = clean.replaceAll(token, '[token]').replaceAll(encodeURIComponent(token), '[token]');
  return clean;
}

const descriptionCharactersMax = 500;

/** What Telegram's answer to an ordinary call says. */
export function readAnswer(answer: Answer, token: string): Outcome {
  const parsed = parse(answer.body);
  if (isObject(parsed)) {
    if (parsed['ok'] === true) return { kind: 'ok', result: parsed['result'] };
    if (parsed['ok'] === false) return readFailure(answer, parsed, token);
  }
  return readForeign(answer);
}

/** What a getUpdates answer says, the bytes of each update untouched. */
export function readPoll(answer: Answer, token: string): Outcome<PolledUpdate[]> {
  const elements = resultElements(answer.body);
  if (elements === undefined) {
    const outcome = readAnswer(answer, token);
    return outcome.kind === 'ok' ? doubtful('The answer to getUpdates holds no list.') : outcome;
  }
  const updates: PolledUpdate[] = [];
  for (const body of elements) {
    const parsed = parse(body);
    const updateId = isObject(parsed) ? parsed['update_id'] : undefined;
    if (!Number.isSafeInteger(updateId)) return doubtful('An update of the answer to getUpdates has no update_id.');
    updates.push({ updateId: updateId as number, body });
  }
  return { kind: 'ok', result: updates };
}

function readFailure(answer: Answer, parsed: Record<string, unknown>, token: string): Outcome {
  const code = Number.isInteger(parsed['error_code']) ? (parsed['error_code'] as number) : answer.status;
  const description = withoutToken(String(parsed['description'] ?? ''), token).slice(0, descriptionCharactersMax);
  // "Internal Server Error: restart" is said after the message may have gone out.
  if (code >= 500) return doubtful(`${code} ${description}`);
  const parameters = isObject(parsed['parameters']) ? parsed['parameters'] : {};
  const retryAfterSeconds = seconds(parameters['retry_after']) ?? seconds(answer.retryAfter);
  const migrateToChatId = Number.isSafeInteger(parameters['migrate_to_chat_id'])
    ? (parameters['migrate_to_chat_id'] as number)
    : undefined;
  return {
    kind: 'refused',
    code,
    description,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(migrateToChatId === undefined ? {} : { migrateToChatId }),
  };
}

/**
 * An answer that is not the Bot API's: a proxy's page, cut JSON. Nobody knows what became of the call, save
 * for two that a front gives before it passes anything on: too large, and too many.
 */
function readForeign(answer: Answer): Outcome {
  if (answer.status === 413) return { kind: 'refused', code: 413, description: 'Request Entity Too Large' };
  if (answer.status === 429) {
    const retryAfterSeconds = seconds(answer.retryAfter);
    return {
      kind: 'refused',
      code: 429,
      description: 'Too Many Requests',
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }
  return doubtful(`Status ${answer.status} with a body that is not the Bot API's.`);
}

function doubtful(reason: string): Doubtful {
  return { kind: 'doubtful', reason };
}

function seconds(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 && value !== ''
    ? Math.ceil(number)
    : undefined;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The elements of `result` of `{"ok":true,"result":[...]}` as they stand in the bytes. Telegram sends invalid
 * UTF-8 in callback data as it came (tdlib Client.cpp), which no decoded text would keep.
 * Undefined when the answer is anything else.
 */
function resultElements(body: Buffer): Buffer[] | undefined {
  if (!isObject(parse(body))) return undefined;
  let ok = false;
  let result: Buffer | undefined;
  for (const member of children(body)) {
    const colon = skipString(member, 0);
    const name = member.subarray(0, colon).toString('latin1');
    const value = trim(member.subarray(member.indexOf(0x3a, colon) + 1));
    if (name === '"ok"') ok = value.toString('latin1') === 'true';
    if (name === '"result"') result = value;
  }
  if (!ok || result === undefined || result[0] !== openBracket) return undefined;
  return children(result);
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The members or elements of an object or array that is known to be valid JSON, without the blanks around them. */
function children(container: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let from = container.findIndex((byte) => byte === openBrace || byte === openBracket) + 1;
  let depth = 0;
  for (let at = from; at < container.length; at += 1) {
    const byte = container[at];
    const closes = byte === closeBrace || byte === closeBracket;
    if (byte === quote) at = skipString(container, at) - 1;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (closes && depth > 0) depth -= 1;
    else if (depth === 0 && (closes || byte === comma)) {
      const child = trim(container.subarray(from, at));
      if (child.length > 0) found.push(child);
      if (closes) return found;
      from = at + 1;
    }
  }
  return found;
}

/** Where the string that begins at `at` is over. */
function skipString(bytes: Buffer, at: number): number {
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  return end + 1;
}

function trim(bytes: Buffer): Buffer {
  let from = 0;
  let to = bytes.length;
  while (from < to && (bytes[from] ?? 0) <= 0x20) from += 1;
  while (to > from && (bytes[to - 1] ?? 0) <= 0x20) to -= 1;
  return bytes.subarray(from, to);
}
