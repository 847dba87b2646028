/**
 * Three kinds of trouble. A Refusal is an answer: somebody asked for something that cannot be done, and
 * the sentence tells them what to do. A bug is any other Error. A fault is the world failing (database,
 * network, disk): it is retried by whoever owns the work and never counts against the work itself.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  /** Extra facts for the caller, safe to show: paths, names, seconds. Never secrets. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: RefusalCode, message?: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message ?? refusals[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.status = refusals[code].status;
    this.facts = facts;
  }
}

export type RefusalCode = keyof typeof refusals;

/** Every code a person or a program can be answered with. docs/operate/errors.md lists the same codes. */
export const refusals = {
  ALREADY_RUNNING: {
    status: 500,
    message: 'Another Roost is running on this data folder. Stop it first, or set DATA_DIR to another folder.',
  },
  APP_OUTDATED: { status: 409, message: 'The app has changed since this page was opened. Open it again.' },
  APP_RUNTIME_MISSING: {
    status: 500,
    message: 'The runtime of Mini Apps was not built. Build it: node miniapp/build.ts',
  },
  BODY_BROKEN: { status: 400, message: 'The body is not valid JSON.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is larger than this address accepts.' },
  BOT_FOREIGN_WEBHOOK: {
    status: 409,
    message:
      'This bot already sends its updates to another address. Nothing was changed. Where nobody needs them there, connect it again with --replace-webhook.',
  },
  BOT_ALREADY_CONNECTED: {
    status: 409,
    message:
      'This bot is already connected here. See to which project: roost bot list. Free it: roost bot disconnect BOT',
  },
  BOT_CHANGED: { status: 409, message: 'Somebody else changed this bot at the same moment. Look at it and try again.' },
  BOT_LIMITED: {
    status: 429,
    message: 'Telegram asks to wait before the next call for this bot. Nothing was changed.',
  },
  BOT_NOT_FOUND: { status: 404, message: 'There is no such bot here.' },
  BOT_STATE: { status: 409, message: 'This cannot be done with the bot as it is now.' },
  BOT_TOKEN_OTHER: {
    status: 409,
    message:
      'This token belongs to another bot. Here only a new token of the same bot can take the place of the old one.',
  },
  BOT_TOKEN_WRONG: {
    status: 400,
    message: 'Telegram does not accept this token. Open @BotFather, send /token, and paste the new one.',
  },
  BOT_UNREACHABLE: {
    status: 502,
    message: 'Telegram could not be reached. Nothing was changed. Try again in a minute.',
  },
  BOT_WEBHOOK_REFUSED: {
    status: 400,
    message: 'Telegram does not accept the address at which this server is to receive updates. Nothing was changed.',
  },
  BUG: { status: 500, message: 'Something went wrong here. It was written down; the request id finds it in the log.' },
  BUSY: { status: 503, message: 'Too much is asked for at this moment. Try again in a few seconds.' },
  CART_CHANGED: { status: 409, message: 'Something in the cart is not for sale any more, or not so much of it.' },
  CONFIG_WRONG: { status: 400, message: 'The configuration has mistakes.' },
  ROWS_TOO_MANY: { status: 400, message: 'A document has no room for so many rows.' },
  CSV_WRONG: { status: 400, message: 'The CSV file has mistakes. Nothing was stored.' },
  DATABASE_COPIED: {
    status: 409,
    message:
      'This database is a copy of the one in which the installation lives. Its bots do not run here, and nothing is said to Telegram, since they may be running there. If the other one is stopped for good, say so: roost installation claim',
  },
  DATABASE_FOREIGN: { status: 500, message: 'This database belongs to something else.' },
  DATABASE_NEWER: {
    status: 500,
    message: 'This database was made by a newer version of Roost. Start that version or a later one.',
  },
  DATABASE_UNAVAILABLE: { status: 503, message: 'The database cannot be reached. Try again in a moment.' },
  DATABASE_UNFIT: { status: 500, message: 'This PostgreSQL cannot serve Roost.' },
  DEAD_LETTER_NOT_FOUND: { status: 404, message: 'There is no such dead letter.' },
  DISK_FULL: { status: 500, message: 'The disk is full. Free some space and start again. Nothing was lost.' },
  DOCUMENT_WRONG: { status: 400, message: 'The document has mistakes.' },
  FILE_REFUSED: { status: 415, message: 'This kind of file is not accepted here.' },
  FILE_UNUSABLE: { status: 400, message: 'The file cannot be read or written.' },
  INPUT_WRONG: { status: 400, message: 'The request has mistakes.' },
  INSTALLATION_LOST: {
    status: 500,
    message:
      'The data folder knows this installation, but the database does not. The database may be empty or another one. Nothing was created. Restore the backup, or set DATABASE_URL to the right database.',
  },
  KEY_THERE: { status: 409, message: 'The master key is here, and it is the right one. Nothing was changed.' },
  KEY_USED: {
    status: 409,
    message: 'Something else was sent under this key before, and it has arrived. Send this under a new key.',
  },
  KEY_WRONG: {
    status: 500,
    message:
      'The master key cannot open what this database holds. Put the right key into ROOST_KEY or into the key file. If it is lost for good: roost keys lost',
  },
  LEAD_NOT_FOUND: { status: 404, message: 'Nothing with this number was sent to this project.' },
  MIGRATION_CHANGED: {
    status: 500,
    message:
      'A migration that this database has already run was edited. Put the file back as it was, and write a new migration.',
  },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  NOT_INSTALLED: { status: 400, message: 'There is no installation in this data folder yet. Start one: npm start' },
  PORT_TAKEN: {
    status: 500,
    message: 'The port is taken by another program. Choose another with PORT, or stop that program.',
  },
  POSTGRES_FAILED: { status: 500, message: 'The embedded PostgreSQL could not be started. Its log says why.' },
  POSTGRES_UNSUPPORTED: {
    status: 500,
    message: 'There is no embedded PostgreSQL for this machine. Set DATABASE_URL to a PostgreSQL 15 or later.',
  },
  POSTGRES_VERSION: {
    status: 500,
    message: 'The data folder was made by another major version of PostgreSQL. Nothing was changed.',
  },
  PROJECT_NAME_WRONG: { status: 400, message: 'This cannot be the name of a project.' },
  PROJECT_NOT_FOUND: { status: 404, message: 'There is no such project.' },
  PROJECT_EXISTS: { status: 409, message: 'A project of this name exists.' },
  RELEASE_NOT_FOUND: { status: 404, message: 'There is no such release.' },
  SITE_TAKEN: { status: 409, message: 'Another project has this address.' },
  SITE_WRONG: { status: 400, message: 'This cannot be the address of a site.' },
  SLOT_TAKEN: { status: 409, message: 'This time is taken. Choose another.' },
  STILL_RUNNING: {
    status: 409,
    message: 'A process of this installation is running. Nothing was changed. Stop it, and try again after 20 seconds.',
  },
  TABLE_NOT_FOUND: { status: 404, message: 'The project has no such table.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests from this address. Wait a little.' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized.' },
  UNKNOWN_VISITOR: { status: 401, message: 'Nobody knows who sent this. Open the app again.' },
  USAGE: { status: 400, message: 'This command was not understood.' },
} as const satisfies Record<string, { status: number; message: string }>;

/** True for PostgreSQL answers and socket errors after which the same work may simply be tried again. */
export function isDatabaseFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string')
    return /Connection terminated|timeout exceeded|not queryable|Query read timeout/.test(error.message);
  return transientCodes.has(code) || transientClasses.has(code.slice(0, 2));
}

// PostgreSQL classes: 08 connection, 53 out of resources (53100 disk full), 57 operator intervention,
// 58 system error. 40001 and 40P01 are lost races: the work is tried again.
const transientClasses = new Set(['08', '53', '57', '58']);
const transientCodes = new Set([
  '40001',
  '40P01',
  '55P03',
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
