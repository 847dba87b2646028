// What a command works on: the database of this installation, and the bots' secrets when it needs them.
import type { Config } from '../../../kernel/config.ts';
import { type Db, openDb } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { readFolderId } from '../../../kernel/identity.ts';
import { type Ground, openGround } from '../../../kernel/installation.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type BotsDeps, createVault, type Vault } from '../../domains/bots/bots.ts';
import { createTelegram, type Telegram } from '../../domains/telegram/telegram.ts';

export type Installation = {
  readonly ground: Ground;
  readonly db: Db;
  /** What the bots' domain needs; the client of Telegram is opened at the first call. */
  bots(): BotsDeps;
  /** Closes everything, the embedded database last, where this command has started it. Twice is fine. */
  close(): Promise<void>;
};

export type InstallationOptions = {
  /** `serve`: this process runs the embedded database, alone. `borrow`: beside a server, whose database it takes. */
  readonly as?: 'serve' | 'borrow';
  /** Makes an installation where there is none. Other commands would find nothing in it anyway. */
  readonly create?: boolean;
};

/** A short command needs few; a server takes what is configured. */
const commandConnectionsMax = 4;
const statementMsMax = 30_000;

export async function openInstallation(
  kit: Kit,
  config: Config,
  say: (line: string) => void,
  { as = 'borrow', create = false }: InstallationOptions = {},
): Promise<Installation> {
  if (!create && config.databaseUrl === undefined && (await readFolderId(config.dataDir)) === undefined) {
    throw new Refusal('NOT_INSTALLED', `There is no installation in ${config.dataDir} yet. Start one: npm start`, {
      folder: config.dataDir,
    });
  }
  const ground = await openGround(config, { as, say });
  const connectionsMax = create ? config.databaseConnectionsMax : commandConnectionsMax;
  const db = openDb(kit, { url: ground.url, connectionsMax, statementMsMax, name: 'commands', patient: true });
  let telegram: Telegram | undefined;
  let vault: Vault | undefined;
  let closing: Promise<void> | undefined;
  return {
    ground,
    db,
    bots: () => ({
      kit,
      db,
      telegram: (telegram ??= createTelegram(kit)),
      // Opened by whoever needs it: without the key everything else still works.
      get vault() {
        return (vault ??= createVault({ master: ground.masterKey() }));
      },
      apiRootDefault: config.telegramApiRoot,
      publicUrl: config.publicUrl,
    }),
    close: () => (closing ??= closeAll([() => telegram?.close(), () => db.close(), () => ground.close()])),
  };
}

/** Which installation this is and where, for whoever is about to change something in it. */
export function placeOf(
  ground: Pick<Ground, 'id' | 'isCopy'>,
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): string {
  const name = `installation ${ground.id.slice(0, 8)}`;
  return `${ground.isCopy ? `a copy of ${name}` : name}, ${databasePlace(config)}`;
}

/** Without the user and the password. */
function databasePlace({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return `its own database in ${dataDir}`;
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? (hostname || 'this machine');
  return `database ${pathname.slice(1) || 'of its user'} at ${host}${port === '' ? '' : `:${port}`}`;
}

/** Every one is closed, also after one that failed; the first failure is told. */
async function closeAll(steps: readonly (() => Promise<void> | undefined)[]): Promise<void> {
  const outcomes = [];
  for (const step of steps) outcomes.push(await Promise.allSettled([step()]));
  for (const [outcome] of outcomes) if (outcome?.status === 'rejected') throw outcome.reason;
}
