import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from '../../kernel/sql.ts';
import type { Installation } from './installation.ts';

/** What the processes said, where a failed test can be looked into: .cache/fault. */
export async function keepLogs(installation: Installation, folder = join('.cache', 'fault')): Promise<string> {
  const path = join(import.meta.dirname, '..', '..', folder);
  await mkdir(path, { recursive: true });
  for (const [index, server] of installation.servers.entries())
    await writeFile(join(path, `server-${index}-${server.pid}.log`), server.output());
  await writeFile(join(path, 'calls.ndjson'), callsOf(installation));
  await writeFile(join(path, 'deliveries.ndjson'), deliveriesOf(installation));
  await writeFile(join(path, 'inbox.ndjson'), await arrivalsOf(installation));
  await writeFile(join(path, 'outbox.ndjson'), await rowsOf(installation));
  return path;
}

/** Every call that Telegram has seen, as its log shows it. */
function callsOf({ simulator: { calls } }: Installation): string {
  const lines: string[] = [];
  for (let row = calls.start; row < calls.end; row += 1) lines.push(JSON.stringify(calls.read(row)));
  return lines.join('\n');
}

/** Every delivery that Telegram has tried. */
function deliveriesOf({ simulator: { deliveries } }: Installation): string {
  const lines: string[] = [];
  for (let row = deliveries.start; row < deliveries.end; row += 1) lines.push(JSON.stringify(deliveries.read(row)));
  return lines.join('\n');
}

/** What has arrived, in the order of its places. */
async function arrivalsOf({ db }: Installation): Promise<string> {
  const rows = await db.many<object>(sql`
    select integration_id, key, lane, seq, state, attempts, received_at, done_at, trace from inbox order by seq`);
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

async function rowsOf({ db }: Installation): Promise<string> {
  const rows = await db.many<object>(sql`select * from outbox order by id`);
  return rows.map((row) => JSON.stringify(row)).join('\n');
}
