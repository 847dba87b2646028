import type { z } from 'zod';
import {
  type logLevels,
  type roleNames,
  telegramRoot,
  type Values,
  type VariableName,
  variables,
} from './config-table.ts';
import { Refusal } from './errors.ts';
import { keepSecret } from './redact.ts';

export type RoleName = (typeof roleNames)[number];

/** Everything that can be set, checked. Made once at the start and handed down; nothing else reads the environment. */
export type Config = {
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Past any pooler; the same as `databaseUrl` where there is none. */
  readonly databaseDirectUrl: string | undefined;
  /** Connections may remember statements: nothing stands between them and PostgreSQL. */
  readonly databasePrepared: boolean;
  readonly databaseConnectionsMax: number;
  readonly dataDir: string;
  /** Undefined: in the data folder. */
  readonly masterKey: Uint8Array | undefined;
  readonly host: string;
  readonly port: number;
  /** Without a slash at its end. Undefined: bots are polled. */
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly telegramApiRoot: string;
  readonly telegramAppScript: string;
  /** `production`, `test`, or a public key in hexadecimal digits. */
  readonly telegramAppKeys: readonly string[];
  readonly appCacheBytesMax: number;
  readonly roles: readonly RoleName[];
  readonly logLevel: (typeof logLevels)[number];
  readonly refusedPerMinuteMax: number;
  readonly keep: { readonly bodyHours: number; readonly keyHours: number; readonly sentHours: number };
};

type Env = Readonly<Record<string, string | undefined>>;

// Read by main.ts alone, for our own fault tests; not something to set.
const unlisted = new Set(['ROOST_FAULT']);

/** Checks the whole environment. Every mistake is named in the one refusal; secrets are never repeated in it. */
export function readConfig(env: Env): Config {
  const mistakes: string[] = [];
  const values: Partial<Record<VariableName, unknown>> = {};
  for (const name of Object.keys(variables) as VariableName[]) {
    const variable: { schema: z.ZodType<unknown>; secret?: true } = variables[name];
    // An empty variable is one that is not set: that is how compose files and unit files leave them out.
    const text = env[name]?.trim() || undefined;
    const outcome = variable.schema.safeParse(text);
    if (outcome.success) values[name] = outcome.data;
    else mistakes.push(mistakeOf(name, variable.secret ? undefined : text, outcome.error));
  }
  mistakes.push(...unknownNames(env), ...contradictions(values, env));
  if (mistakes.length > 0) {
    const message = `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}.`;
    throw new Refusal('CONFIG_WRONG', message, { mistakes });
  }
  keepSecrets(env, values as Values);
  return configOf(values as Values);
}

function mistakeOf(name: string, text: string | undefined, error: z.ZodError): string {
  const shown = text === undefined ? '' : `, and is ${JSON.stringify(text.slice(0, 60))}`;
  return `${name} ${error.issues[0]?.message ?? 'is wrong'}${shown}.`;
}

/** A variable with our prefix that we do not know is a typing mistake, which would otherwise do nothing in silence. */
function unknownNames(env: Env): string[] {
  const known = Object.keys(variables);
  return Object.keys(env)
    .filter((name) => name.startsWith('ROOST_') && !known.includes(name) && !unlisted.has(name))
    .map((name) => {
      const meant = known.find((each) => each === name.slice('ROOST_'.length));
      return `${name} is not known.${meant === undefined ? '' : ` It is called ${meant}.`}`;
    });
}

// Where Telegram delivers webhooks: https://core.telegram.org/bots/api#setwebhook
const webhookPorts = ['', '443', '80', '88', '8443'];

/** Why Telegram would not deliver to this address, as the end of a sentence; undefined where it would. */
export function webhookBaseFault(base: string): string | undefined {
  const { protocol, port } = new URL(base);
  if (protocol !== 'https:') return 'must start with https://, since Telegram sends nowhere else';
  return webhookPorts.includes(port) ? undefined : `has the port ${port}; Telegram sends only to 443, 80, 88 and 8443`;
}

function contradictions(values: Partial<Record<VariableName, unknown>>, env: Env): string[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, PUBLIC_URL, TELEGRAM_API_ROOT, KEEP_BODY_DAYS, KEEP_KEY_DAYS } =
    values as Partial<Values>;
  const found: string[] = [];
  // Where the variable itself is broken, its own mistake says so.
  if (DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined && !env.DATABASE_URL) {
    found.push('DATABASE_DIRECT_URL is set, and DATABASE_URL is not.');
  }
  if (values.DATABASE_PREPARED === 'yes' && DATABASE_DIRECT_URL !== undefined) {
    found.push('DATABASE_PREPARED is yes, and DATABASE_DIRECT_URL says that a pooler stands before the database.');
  }
  if (PUBLIC_URL !== undefined && TELEGRAM_API_ROOT === telegramRoot) {
    const fault = webhookBaseFault(PUBLIC_URL);
    if (fault !== undefined) found.push(`PUBLIC_URL ${fault}.`);
  }
  if (KEEP_BODY_DAYS !== undefined && KEEP_KEY_DAYS !== undefined && KEEP_BODY_DAYS > KEEP_KEY_DAYS) {
    found.push(`KEEP_BODY_DAYS is ${KEEP_BODY_DAYS}, more than the ${KEEP_KEY_DAYS} of KEEP_KEY_DAYS.`);
  }
  return found;
}

/** Makes sure that no log and no message ever shows them, whatever error carries them there. */
function keepSecrets(env: Env, { DATABASE_URL, DATABASE_DIRECT_URL }: Values): void {
  if (env.ROOST_KEY) keepSecret(env.ROOST_KEY.trim());
  for (const url of [DATABASE_URL, DATABASE_DIRECT_URL]) {
    const password = url === undefined ? '' : new URL(url).password;
    if (password !== '') {
      keepSecret(password);
      keepSecret(decodeURIComponent(password));
    }
  }
}

function configOf(values: Values): Config {
  return {
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
    databasePrepared: (values.DATABASE_PREPARED ?? (values.DATABASE_URL === undefined ? 'yes' : 'no')) === 'yes',
    databaseConnectionsMax: values.DATABASE_CONNECTIONS,
    dataDir: values.DATA_DIR,
    masterKey: values.ROOST_KEY,
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUSTED_PROXIES,
    telegramApiRoot: values.TELEGRAM_API_ROOT,
    telegramAppScript: values.TELEGRAM_APP_SCRIPT,
    telegramAppKeys: values.TELEGRAM_APP_KEYS,
    appCacheBytesMax: values.APP_CACHE_MB * 1024 * 1024,
    roles: values.ROLES,
    logLevel: values.LOG_LEVEL,
    refusedPerMinuteMax: values.REFUSED_PER_MINUTE,
    keep: {
      bodyHours: values.KEEP_BODY_DAYS * 24,
      keyHours: values.KEEP_KEY_DAYS * 24,
      sentHours: values.KEEP_SENT_DAYS * 24,
    },
  };
}
