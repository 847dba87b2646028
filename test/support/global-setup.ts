import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../kernel/migrate.ts';
import { startTestCluster, type TestCluster } from './cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The socket that answers with the addresses of the test PostgreSQL, starting it at the first call. */
    clusterDoor: string;
  }
}

/** What the door answers: one line of JSON. */
export type DoorAnswer = { url: string; tcpUrl: string; template: string } | { error: string };

const template = 'roost_template';

/**
 * One PostgreSQL for a whole run of the tests, started when the first test asks for a database, so that a run
 * of pure tests does not wait for it. Its template is migrated once; every test database is a copy of it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'roost-door-'));
  const path = join(folder, 's');
  let starting: Promise<TestCluster> | undefined;

  const server = createServer((socket) => {
    socket.on('error', () => {});
    starting ??= startWithTemplate();
    starting.then(
      (cluster) => socket.end(JSON.stringify({ url: cluster.url(), tcpUrl: cluster.tcpUrl(), template })),
      (error: Error) => socket.end(JSON.stringify({ error: error.stack ?? error.message })),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  project.provide('clusterDoor', path);

  return async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
    const cluster = await starting?.catch(() => undefined);
    if (cluster === undefined) return;
    const left = await databasesLeft(cluster).finally(() => cluster.stop());
    if (left.length > 0) throw new Error(`Test databases that were never closed: ${left.join(', ')}`);
  };
}

async function startWithTemplate(): Promise<TestCluster> {
  const cluster = await startTestCluster();
  const client = new pg.Client({ connectionString: cluster.url() });
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  await migrate(cluster.url(template));
  return cluster;
}

/** Test databases that still stand at the end, each with the test file that made it. */
async function databasesLeft(cluster: TestCluster): Promise<string[]> {
  const client = new pg.Client({ connectionString: cluster.url() });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select coalesce(shobj_description(oid, 'pg_database'), datname) as name from pg_database where datname like 'test\\_%'`,
  );
  await client.end();
  return rows.map((row) => row.name);
}
