import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { asAccount, findAccount } from '../../kernel/postgres/account.ts';
import { freePort } from './cluster.ts';
import type { TestDatabase } from './database.ts';

export type PgBouncer = {
  /** The same database, through the pooler. */
  readonly url: string;
  /** Before the database is closed: the pooler's own connections to it would count as leaks. */
  stop(): Promise<void>;
};

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

/** PgBouncer is not in npm: tests that need it run where the system has it, as in .ci/run. */
export const hasPgBouncer = program !== undefined;

/**
 * Puts a PgBouncer in transaction mode before a test database. Few server connections for many clients, so that
 * two statements of one client hardly ever meet the same session: what relies on one fails here.
 */
export async function startPgBouncer(
  database: TestDatabase,
  options: { serverConnections?: number } = {},
): Promise<PgBouncer> {
  if (program === undefined) throw new Error('PgBouncer is not installed: apt-get install pgbouncer');
  const folder = await mkdtemp(join(tmpdir(), 'roost-pgbouncer-'));
  await chmod(folder, 0o755);
  const target = new URL(database.url);
  const name = target.pathname.slice(1);
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(
    config,
    `[databases]
${name} = host=${target.searchParams.get('host')} port=${target.port} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${options.serverConnections ?? 4}
max_client_conn = 500
server_reset_query =
`,
  );
  // It refuses root, like PostgreSQL, and must not outlive us: the shell ends it when the pipe closes.
  const script = '"$1" -q "$2" & pid=$!; read -r _; kill -INT "$pid"; wait "$pid"';
  const shell = spawn('/bin/sh', ['-c', script, 'sh', program, config], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    ...asAccount(await findAccount()),
  });
  const gone = new Promise<void>((resolve) => shell.once('exit', () => resolve()));
  const url = `postgresql://${target.username}@127.0.0.1:${port}/${name}`;
  await untilItAnswers(url);
  return {
    url,
    async stop() {
      shell.stdin.end();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const startMsMax = 60_000;

async function untilItAnswers(url: string): Promise<void> {
  const endMs = performance.now() + startMsMax;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      await client.end().catch(() => {});
      if (performance.now() > endMs) throw error;
      await pause(50);
    }
  }
}
