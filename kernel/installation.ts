import type { Config } from './config.ts';
import { withDirect } from './direct.ts';
import { Refusal } from './errors.ts';
import { claimHome, freshFolderKey, homeOf, type Identity, meet, readFolderId, settle } from './identity.ts';
import { migrate } from './migrate.ts';
import { borrowEmbedded, type EmbeddedPostgres, startEmbedded } from './postgres/embedded.ts';
import { explained, prepareFolder } from './postgres/folder.ts';
import { settleRoleLimits } from './role-limits.ts';

/** An installation whose database is there, is the right one, and has the newest schema. */
export type Ground = Omit<Identity, 'key'> & {
  readonly hasKey: boolean;
  /** Throws Refusal KEY_WRONG where the key is missing or another one. */
  masterKey(): Uint8Array;
  /** For the pool. */
  readonly url: string;
  /** Past any pooler: for LISTEN. */
  readonly directUrl: string;
  /** True at the very first start. */
  readonly isNew: boolean;
  /** The installation lives in this database from now on, and no longer where it was copied from. */
  claim(): Promise<void>;
  /** A master key in the place of one that is lost: the configured one, or one that is made in the data folder. */
  freshKey(): Promise<Uint8Array>;
  /** Stops the embedded database where this process runs it. The last thing to do; twice is fine. */
  close(): Promise<void>;
};

export type GroundOptions = {
  /**
   * `serve`: this process runs the embedded database, alone. `borrow`: a command beside a server, which takes
   * the server's where one runs.
   */
  readonly as: 'serve' | 'borrow';
  /** Told what a person should know, one line each. */
  readonly say: (line: string) => void;
};

/** Opens the ground that everything stands on, in the one order that notices a loss before it makes anything. */
export async function openGround(config: Config, options: GroundOptions): Promise<Ground> {
  let embedded: EmbeddedPostgres | undefined;
  try {
    await prepareFolder(config.dataDir);
    const folderId = await readFolderId(config.dataDir);
    if (config.databaseUrl === undefined) embedded = await embeddedOf(config, folderId !== undefined, options);
    const url = config.databaseUrl ?? embedded?.url ?? '';
    const directUrl = config.databaseDirectUrl ?? url;
    const meeting = await withDirect(directUrl, 'roost-identity', (client) => meet(client, folderId));
    await migrate(directUrl);
    await limitRoles(directUrl, url);
    const { dataDir, masterKey } = config;
    const { home, key, ...identity } = await withDirect(directUrl, 'roost-identity', async (client) => {
      const home = await homeOf(client, embedded?.data);
      return { home, ...(await settle(client, { dataDir, masterKey, meeting, home, say: options.say })) };
    });
    return {
      ...identity,
      hasKey: !(key instanceof Refusal),
      masterKey: () => opened(key),
      url,
      directUrl,
      isNew: meeting === 'new',
      claim: () => withDirect(directUrl, 'roost-identity', (client) => claimHome(client, home)),
      freshKey: async () => masterKey ?? (await freshFolderKey(dataDir)),
      close: async () => embedded?.stop(),
    };
  } catch (error) {
    await embedded?.stop();
    throw await explained(error, config.dataDir);
  }
}

/** The user past the pooler may be another one than the one that goes through it. */
async function limitRoles(directUrl: string, url: string): Promise<void> {
  for (const each of new Set([directUrl, url])) await withDirect(each, 'roost-limits', settleRoleLimits);
}

function opened(key: Uint8Array | Refusal): Uint8Array {
  if (key instanceof Refusal) throw key;
  return key;
}

function embeddedOf(config: Config, known: boolean, options: GroundOptions): Promise<EmbeddedPostgres> {
  const start = options.as === 'serve' ? startEmbedded : borrowEmbedded;
  return start({ dataDir: config.dataDir, known, say: options.say });
}
