// Every variable that Roost reads, once: how it is checked, what it is without being set, and what it means.
// docs/operate/configuration.md is made from this table (npm run check says when it is stale).
import { join, resolve } from 'node:path';
import { z } from 'zod';

export type Variable = {
  /** One or two sentences for whoever sets it. */
  readonly about: string;
  /** What holds when it is not set, in words or as the value itself. */
  readonly unset: string;
  /** From the text of the environment to the value; `undefined` goes in when it is not set. */
  readonly schema: z.ZodType<unknown, string | undefined>;
  /** Never shown, not even in a message about a mistake. */
  readonly secret?: true;
};

export const roleNames = ['edge', 'core', 'control'] as const;
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Telegram's own servers; a Local Bot API server or a relay stands elsewhere. */
export const telegramRoot = 'https://api.telegram.org';

const telegramScript = 'https://telegram.org/js/telegram-web-app.js';

/** A password may hold a % that nobody wrote as %25: where no two hexadecimal digits follow, it can mean nothing else. */
function withPlainPercent(url: string): string {
  return url.replace(/%(?![0-9a-fA-F]{2})/g, '%25');
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

const database = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
    'must look like postgresql://user:password@host:5432/name',
  )
  .transform(withPlainPercent)
  .refine(isDecodable, 'holds a % followed by digits that stand for no character. Write a % of a password as %25')
  .optional();

const address = z
  .string()
  .refine(
    (text) => /^https?:\/\//.test(text) && URL.canParse(text),
    'must be an address that starts with https:// or http://',
  )
  .refine((text) => !/[?#]/.test(text), 'must have no ? and no #')
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

const number = (min: number, max: number, unset: number) =>
  z
    .string()
    .default(String(unset))
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a number from ${min} to ${max}`);

const integer = (min: number, max: number, unset: number) =>
  number(min, max, unset).refine(
    (value) => !(value >= min && value <= max) || Number.isInteger(value),
    'must be a whole number',
  );

const names = <Name extends string>(known: readonly Name[]) =>
  z
    .string()
    .default(known.join(','))
    .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
    .pipe(z.array(z.enum(known, `may hold only: ${known.join(', ')}`)));

const keyBytes = 32;

/** 32 bytes, written as 64 hexadecimal digits or in base64 (either alphabet). */
export function readKey(text: string): Buffer | undefined {
  const bytes = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  const honest = /^[\w+/-]+={0,2}$/.test(text);
  return honest && bytes.length === keyBytes ? bytes : undefined;
}

export const variables = {
  DATABASE_URL: {
    about: 'A PostgreSQL 15 or later of your own, directly or through PgBouncer. It replaces the embedded one.',
    unset: 'the embedded PostgreSQL, in the data folder',
    schema: database,
    secret: true,
  },
  DATABASE_DIRECT_URL: {
    about:
      'The same database without a pooler between, for migrations and notifications. Needed when DATABASE_URL goes through PgBouncer in transaction mode.',
    unset: 'DATABASE_URL',
    schema: database,
    secret: true,
  },
  DATABASE_PREPARED: {
    about:
      'yes: DATABASE_URL leads straight to PostgreSQL, so each connection may remember the statements it has parsed; a quarter less work for the database. Never through a pooler.',
    unset: 'yes for the embedded database, no for one of your own',
    schema: z.enum(['yes', 'no'], 'must be yes or no').optional(),
  },
  DATABASE_CONNECTIONS: {
    about: 'How many connections to the database one process opens at most.',
    unset: '10',
    schema: integer(4, 200, 10),
  },
  DATA_DIR: {
    about: 'The data folder: the embedded database, the master key and the id of the installation.',
    unset: '.roost in the project',
    schema: z
      .string()
      .optional()
      .transform((text) => (text === undefined ? join(import.meta.dirname, '..', '.roost') : resolve(text))),
  },
  ROOST_KEY: {
    about:
      'The master key that seals bot tokens: 32 bytes, as 64 hexadecimal digits or in base64. Without it a backup is worthless.',
    unset: 'made at the first start, in master.key of the data folder',
    schema: z
      .string()
      .transform(readKey)
      .refine(
        (key) => key !== undefined,
        'must be 32 bytes, as 64 hexadecimal digits or in base64 (openssl rand -hex 32 makes one)',
      )
      .optional(),
    secret: true,
  },
  HOST: {
    about: 'The address to listen on. 0.0.0.0 means all of the machine’s addresses.',
    unset: '127.0.0.1',
    schema: z.string().default('127.0.0.1'),
  },
  PORT: { about: 'The port to listen on; 0 takes any free one.', unset: '8420', schema: integer(0, 65_535, 8420) },
  PUBLIC_URL: {
    about:
      'Where Telegram reaches this installation from outside: https, on port 443, 80, 88 or 8443. Without it bots are polled, which is meant for a laptop.',
    unset: 'bots are polled',
    schema: address.optional(),
  },
  TRUSTED_PROXIES: {
    about:
      'Addresses or networks of your own proxies, separated by commas. Only from them X-Forwarded-For and X-Forwarded-Proto are believed; X-Forwarded-Host never is, so they pass Host on.',
    unset: 'none',
    schema: z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      )
      .pipe(
        z.array(
          z.string().regex(/^[0-9a-fA-F.:]+(\/\d{1,3})?$/, 'must hold addresses or networks, such as 10.0.0.0/8'),
        ),
      ),
  },
  TELEGRAM_API_ROOT: {
    about:
      'Where the Bot API is: a Local Bot API server, or a relay where Telegram cannot be reached directly. A bot may carry its own.',
    unset: telegramRoot,
    schema: z.string().default(telegramRoot).pipe(address),
  },
  TELEGRAM_APP_SCRIPT: {
    about:
      'Where pages inside Telegram load Telegram’s own script from. Another address is for a simulated Telegram, or for a copy where telegram.org cannot be reached.',
    unset: telegramScript,
    schema: z.string().default(telegramScript).pipe(address),
  },
  TELEGRAM_APP_KEYS: {
    about:
      'Whose signatures vouch for visitors of Mini Apps, where a bot’s token cannot: production, test (Telegram’s test servers), or public keys of 64 hexadecimal digits (a simulated Telegram), with commas between.',
    unset: 'production',
    schema: z
      .string()
      .default('production')
      .transform((text) => text.split(',').map((key) => key.trim()))
      .pipe(
        z.array(
          z
            .string()
            .regex(
              /^(production|test|[0-9a-f]{64})$/,
              'may hold only: production, test, keys of 64 hexadecimal digits',
            ),
        ),
      ),
  },
  APP_CACHE_MB: {
    about: 'How much memory a process with the role edge keeps ready pages of Mini Apps and sites in, in MiB.',
    unset: '64',
    schema: integer(16, 16_384, 64),
  },
  ROLES: {
    about:
      'What this process does: edge takes in updates and serves pages, core answers updates, control looks after webhooks and removes what is old.',
    unset: roleNames.join(','),
    schema: names(roleNames),
  },
  LOG_LEVEL: {
    about: 'The least important events that are logged: debug, info, warn, error or silent.',
    unset: 'info',
    schema: z.enum(logLevels, `must be one of: ${logLevels.join(', ')}`).default('info'),
  },
  REFUSED_PER_MINUTE: {
    about:
      'How many refused requests (wrong secret, unknown address) one network address may make in a minute before it is turned away at once.',
    unset: '3000',
    schema: integer(1, 1_000_000, 3_000),
  },
  KEEP_BODY_DAYS: {
    about: 'How long the content of an update that was worked on is kept, with the trace of what the bot did.',
    unset: '2',
    schema: number(0, 6, 2),
  },
  KEEP_KEY_DAYS: {
    about:
      'How long it is remembered that an update was received. Telegram repeats for up to a day and starts numbering anew after a week of silence, hence 2 to 6.',
    unset: '4',
    schema: number(2, 6, 4),
  },
  KEEP_SENT_DAYS: { about: 'How long sent messages are kept.', unset: '7', schema: number(1, 3_650, 7) },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
export type Values = { readonly [Name in VariableName]: z.output<(typeof variables)[Name]['schema']> };
