import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject } from 'vitest';
import { type Db, openDb } from '../../kernel/db.ts';
import { realKit } from '../../kernel/kit.ts';
import { createLog } from '../../kernel/log.ts';
import { uniqueName } from './cluster.ts';
import type { DoorAnswer } from './global-setup.ts';

export type TestDatabase = {
  /** Over the private socket: for this process and its children. */
  readonly url: string;
  /** Over TCP on the loopback: for proxies and poolers. */
  readonly tcpUrl: string;
  readonly db: Db;
  /** Another database with the same content, as a dump that was loaded there makes it. Connections to this one are cut. */
  copy(): Promise<TestDatabase>;
  /** Closes `db`, fails when somebody still holds a connection, and drops the database. */
  close(): Promise<void>;
};

export type TestDatabaseOptions = {
  /** False: an empty database, for tests of migrations. */
  migrated?: boolean;
  /** The name of a database to copy instead. */
  from?: string;
  connectionsMax?: number;
  /** How long connections whose owners have gone may take to be noticed by PostgreSQL; a leak is one that stays. */
  leakMsMax?: number;
};

/** A database of its own for one test or one file: a copy of the migrated template. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const cluster = await askDoor();
  const name = uniqueName('test');
  const template = options.from ?? ((options.migrated ?? true) ? cluster.template : 'template0');
  await asAdmin(cluster.url, async (client) => {
    await client.query(`create database ${name} template ${template}`);
    const owner = (expect.getState().testPath ?? 'unknown').replaceAll("'", "''");
    await client.query(`comment on database ${name} is '${owner}'`);
  });
  const url = named(cluster.url, name);
  const kit = realKit(createLog({ level: 'silent' }));
  const db = openDb(kit, { url, connectionsMax: options.connectionsMax ?? 8, statementMsMax: 30_000, name: 'test' });

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await db.close();
    const leaks = await asAdmin(cluster.url, (client) => connectionsLeft(client, name, options.leakMsMax));
    await asAdmin(cluster.url, (client) => client.query(`drop database ${name} with (force)`));
    if (leaks.length > 0) throw new Error(`Connections that were never closed:\n${leaks.join('\n')}`);
  };
  const copy = async (): Promise<TestDatabase> => {
    await asAdmin(cluster.url, (client) =>
      client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [name]),
    );
    return createTestDatabase({ ...options, from: name });
  };
  return { url, tcpUrl: named(cluster.tcpUrl, name), db, copy, close: () => (closing ??= close()) };
}

const named = (url: string, database: string): string => {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
};

function askDoor(): Promise<Exclude<DoorAnswer, { error: string }>> {
  return new Promise((resolve, reject) => {
    const socket = connect(inject('clusterDoor'));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('error', reject);
    socket.on('end', () => {
      const answer = JSON.parse(text) as DoorAnswer;
      if ('error' in answer) reject(new Error(answer.error));
      else resolve(answer);
    });
  });
}

async function asAdmin<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'test-admin' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Who is still connected. A closed connection takes PostgreSQL a moment to notice, and those of many killed processes
 * on a slow machine many moments, so it is asked again for a while: less than the minute after which a pool itself
 * closes what it does not use.
 */
async function connectionsLeft(client: pg.Client, database: string, leakMsMax = 45_000): Promise<string[]> {
  const endMs = performance.now() + leakMsMax;
  for (;;) {
    const { rows } = await client.query<{ line: string }>(
      `select format('%s: %s (%s)', coalesce(nullif(application_name, ''), 'no name'), left(query, 200), state) as line
       from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [database],
    );
    if (rows.length === 0 || performance.now() > endMs) return rows.map((row) => row.line);
    await pause(20);
  }
}
