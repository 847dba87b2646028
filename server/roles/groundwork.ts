import { boundedDb } from '../../kernel/bounded-db.ts';
import type { Config, RoleName } from '../../kernel/config.ts';
import { type Db, openDb } from '../../kernel/db.ts';
import type { Ground } from '../../kernel/installation.ts';
import type { Kit } from '../../kernel/kit.ts';
import { purposeKey } from '../../kernel/purpose-key.ts';
import { createSignals, type Signals } from '../../kernel/signals.ts';
import {
  type BotsDeps,
  createDirectory,
  createTokenWatch,
  createVault,
  type Directory,
  type TokenWatch,
} from '../domains/bots/bots.ts';
import { appAddress } from '../domains/miniapps/miniapps.ts';
import { Node } from '../domains/nodes/nodes.ts';
import { createReleases, type Releases } from '../domains/projects/projects.ts';
import { createTelegram, type Telegram, type TelegramOptions } from '../domains/telegram/telegram.ts';
import { createPressMint, type PressMint } from '../domains/turns/turns.ts';

/** What the roles stand on: a database that is there, is ours, and has the newest schema. */
export type RolesGround = Pick<Ground, 'url' | 'directUrl' | 'id'> & { readonly masterKey: Uint8Array };

/** What every role of a process shares. */
export type Groundwork = {
  readonly kit: Kit;
  readonly config: Config;
  readonly db: Db;
  /** For renewals alone, past any pooler: a busy pool must not cost the lease. */
  readonly leaseDb: Db;
  /** For turns that use tables, and for those whose tables take more than their share: nobody else waits for them. */
  readonly tablesDb: { readonly among: Db; readonly apart: Db };
  /** For what visitors of pages ask: a crowd of them stands in its own line, and not in that of the bots. */
  readonly visitorsDb: Db;
  readonly telegram: Telegram;
  readonly bots: BotsDeps;
  readonly directory: Directory;
  readonly tokens: TokenWatch;
  readonly releases: Releases;
  readonly mint: PressMint;
  /** Where the app of a bot's project stands, from memory; undefined where there is none. */
  readonly appAddress: (integrationId: number) => string | undefined;
  /** A key for one purpose, made from the master key. */
  readonly sealingKey: (purpose: string) => Buffer;
  readonly signals: Signals;
  readonly node: Node;
};

/** For visitors: enough for pages that are not ready, and for parts of films. */
const visitorConnectionsMax = 3;
const visitorsWaitingMax = 200;

// Given up well under a third of a lease, so that no owner writes under a lease that it has lost.
const statementMsMax = 4_500;

/** Makes it; nothing is started and nothing asked of the database yet. */
export function createGroundwork(
  kit: Kit,
  config: Config,
  ground: RolesGround,
  roles: readonly RoleName[],
  telegramOptions?: TelegramOptions,
): Groundwork {
  const { url, directUrl, masterKey } = ground;
  const {
    databaseConnectionsMax: connectionsMax,
    databasePrepared: prepared,
    telegramApiRoot: apiRootDefault,
    publicUrl,
  } = config;
  const db = openDb(kit, { url, connectionsMax, statementMsMax, name: 'roles', prepared });
  const forTables = (name: string): Db => openDb(kit, { url, connectionsMax: 2, statementMsMax, name, prepared });
  const visitors = { url, connectionsMax: visitorConnectionsMax, statementMsMax, name: 'visitors', prepared };
  const visitorsDb = boundedDb(openDb(kit, visitors), visitorsWaitingMax);
  const leaseDb = openDb(kit, { url: directUrl, connectionsMax: 2, statementMsMax, name: 'lease' });
  const vault = createVault({ master: masterKey });
  const telegram = createTelegram(kit, telegramOptions);
  const sealingKey = (purpose: string): Buffer => purposeKey(masterKey, ground.id, purpose);
  const directory = createDirectory(kit, db, { vault, apiRootDefault });
  const releases = createReleases(kit, db);
  directory.onOtherServer(() => releases.forget());
  const bots: BotsDeps = { kit, db, telegram, vault, apiRootDefault, publicUrl, directory };
  return {
    kit,
    config,
    db,
    leaseDb,
    tablesDb: { among: forTables('tables'), apart: forTables('slow-tables') },
    visitorsDb,
    telegram,
    bots,
    directory,
    tokens: createTokenWatch(bots),
    releases,
    mint: createPressMint(sealingKey('roost presses')),
    sealingKey,
    appAddress: (id) => appAddress(directory.byId(id), publicUrl),
    signals: createSignals(kit, db, directUrl),
    node: new Node(kit, leaseDb, { roles }),
  };
}
