// What Telegram says of who has opened an app, and the proof of it. Two ways: an HMAC with the bot's token, and a
// signature of Telegram's own that is checked without any secret.
import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { z } from 'zod';
import { trimUnseen } from '../../readers/readers.ts';

/** The person, as Telegram knows them. */
export type TelegramUser = {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly languageCode: string;
  readonly photoUrl: string;
};

export type InitData = {
  readonly user: TelegramUser;
  /** The start parameter of the link that opened the app. */
  readonly start: string | undefined;
  readonly authDateMs: number;
};

/** Why it is not believed. The visitor is told only that the app must be opened again; the log tells which. */
export type InitDataFault = 'broken' | 'duplicate' | 'unsigned' | 'forged' | 'stale' | 'early' | 'nobody';

export type InitDataCheck = {
  /** Of the bot that our route names; never of what was sent. */
  readonly botId: number;
  /** Undefined where it cannot be opened now: then the signature decides. */
  readonly token: string | undefined;
  readonly keys: readonly KeyObject[];
  readonly nowMs: number;
};

/**
 * Older is refused: whoever reads it in a log or a history the day after has nothing. Clients give an app the same data as
 * long as it is open, and people leave forms open: with an hour, what they had typed by then was lost.
 */
export const initDataSecondsMax = 86_400;
/** Clocks differ. */
export const aheadSecondsMax = 30;
const charsMax = 8_192;
const fieldsMax = 32;

/** Telegram's keys for third parties, in raw form: https://core.telegram.org/bots/webapps#validating-data-for-third-party-use */
export const telegramKeys = {
  production: 'e7bf03a2fa4602af4580703d88dda5bb59f32ed8b02a56c187fe7d34caed242d',
  test: '40055058a4ee38156a06562e52eece92a771bcd8346a8c4615cb7376eddf72ec',
} as const;

/** A public key of Ed25519 from its 32 bytes in hexadecimal digits. */
export function ed25519Key(hex: string): KeyObject {
  const raw = Buffer.from(hex, 'hex');
  if (raw.length !== 32) throw new Error(`A key of Ed25519 has 32 bytes, not ${raw.length}.`);
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } });
}

/** Reads and proves what came in `Authorization: tma ...`. */
export function checkInitData(text: string, check: InitDataCheck): InitData | { readonly fault: InitDataFault } {
  const fields = fieldsOf(text);
  if (typeof fields === 'string') return { fault: fields };
  const proof = isProven(fields, check);
  if (proof !== true) return { fault: proof };
  const authDate = fields.get('auth_date') ?? '';
  if (!/^\d{1,12}$/.test(authDate)) return { fault: 'broken' };
  const ageSeconds = check.nowMs / 1_000 - Number(authDate);
  if (ageSeconds > initDataSecondsMax) return { fault: 'stale' };
  if (ageSeconds < -aheadSecondsMax) return { fault: 'early' };
  const user = userOf(fields.get('user'));
  if (user === undefined) return { fault: 'nobody' };
  return { user, start: fields.get('start_param'), authDateMs: Number(authDate) * 1_000 };
}

/** The fields as they were before they were written into one line. A name that comes twice could be read two ways. */
function fieldsOf(text: string): Map<string, string> | InitDataFault {
  if (text === '' || text.length > charsMax) return 'broken';
  const fields = new Map<string, string>();
  for (const part of text.split('&')) {
    const cut = part.indexOf('=');
    if (cut < 1 || fields.size >= fieldsMax) return 'broken';
    const name = decoded(part.slice(0, cut));
    const value = decoded(part.slice(cut + 1));
    if (name === undefined || value === undefined) return 'broken';
    // A line break would let one field pass for two in the text that is signed.
    if (!/^[a-z_]+$/.test(name) || value.includes('\n')) return 'broken';
    if (fields.has(name)) return 'duplicate';
    fields.set(name, value);
  }
  return fields;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** With a token the HMAC alone decides: a signature cannot help out a wrong hash. */
function isProven(fields: ReadonlyMap<string, string>, check: InitDataCheck): true | InitDataFault {
  const hash = fields.get('hash');
  if (check.token !== undefined && hash !== undefined) return hashHolds(fields, hash, check.token) ? true : 'forged';
  const signature = fields.get('signature');
  if (signature === undefined) return 'unsigned';
  return signatureHolds(fields, signature, check) ? true : 'forged';
}

function hashHolds(fields: ReadonlyMap<string, string>, hash: string, token: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(hash)) return false;
  const secret = createHmac('sha256', 'WebAppData').update(token).digest();
  const expected = createHmac('sha256', secret)
    .update(signedText(fields, ['hash']))
    .digest();
  return timingSafeEqual(expected, Buffer.from(hash, 'hex'));
}

function signatureHolds(fields: ReadonlyMap<string, string>, signature: string, check: InitDataCheck): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.length !== 64) return false;
  const text = Buffer.from(`${check.botId}:WebAppData\n${signedText(fields, ['hash', 'signature'])}`);
  return check.keys.some((key) => verify(null, text, key, bytes));
}

function signedText(fields: ReadonlyMap<string, string>, without: readonly string[]): string {
  return [...fields]
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('\n');
}

const userSchema = z.object({
  id: z
    .int()
    .min(1)
    .max(2 ** 52),
  first_name: z.string().max(256).default(''),
  last_name: z.string().max(256).default(''),
  username: z.string().max(64).default(''),
  language_code: z.string().max(35).default(''),
  photo_url: z.string().max(1_024).default(''),
});

function userOf(text: string | undefined): TelegramUser | undefined {
  try {
    const user = userSchema.parse(JSON.parse(text ?? ''));
    return {
      id: user.id,
      firstName: clean(user.first_name),
      lastName: clean(user.last_name),
      username: clean(user.username),
      languageCode: clean(user.language_code),
      photoUrl: /^https:\/\/[^\s"'<>]+$/.test(user.photo_url) ? user.photo_url : '',
    };
  } catch {
    return undefined;
  }
}

/** Names are people's own: NUL, which no row takes, and half characters go; one of nothing but fillers is none. */
const clean = (text: string): string => trimUnseen(text.toWellFormed().replaceAll('\0', ''));
