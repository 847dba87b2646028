// What the tests of the bots share: a clock that is moved by hand, a vault, rows.
import type { Queryable } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { hashSecret, makePublicId } from './secret.ts';
import { secretPlace, tokenPlace } from './tokens.ts';
import type { SealingKey, Vault } from './vault.ts';
import { createVault, seal } from './vault.ts';

export type TestKit = Kit & {
  advance(ms: number): void;
  readonly lines: string[];
  /** The lines of one event. */
  eventsOf(name: string): Record<string, unknown>[];
  /** Resolves with the next line of this event. */
  next(name: string): Promise<Record<string, unknown>>;
};

/** A kit whose clocks stand still, at the present, until they are moved, and whose log is kept. */
export function testKit(): TestKit {
  let ms = Date.now();
  const lines: string[] = [];
  const waiting: { name: string; resolve(event: Record<string, unknown>): void }[] = [];
  const write = (line: string): void => {
    lines.push(line);
    const event = JSON.parse(line) as Record<string, unknown>;
    for (const each of waiting.filter((waiter) => waiter.name === event['msg'])) {
      waiting.splice(waiting.indexOf(each), 1);
      each.resolve(event);
    }
  };
  return {
    log: createLog({ level: 'debug', sink: { write } }),
    now: () => ms,
    monotonicMs: () => ms,
    random: () => 0.5,
    advance: (by) => {
      ms += by;
    },
    lines,
    eventsOf: (name) =>
      lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((event) => event['msg'] === name),
    next: (name) => new Promise((resolve) => waiting.push({ name, resolve })),
  };
}

/** Takes everything out again: a database a test costs 400 ms, this 10. */
export const emptyTables = (q: Queryable) =>
  q.run(sql`truncate project, integration, notice, inbox restart identity cascade`);

export const testVault = (): Vault => createVault({ master: Buffer.alloc(32, 7) });

export type TestProject = { id: number; publicId: string; key: SealingKey };

export async function insertProject(q: Queryable, name: string, vault: Vault = testVault()): Promise<TestProject> {
  const publicId = `prj_${name}`;
  const { sealed, key } = vault.makeDataKey(publicId);
  const row = await q.one<{ id: number }>(
    sql`insert into project (public_id, name, data_key) values (${publicId}, ${name}, ${sealed}) returning id`,
  );
  return { id: row?.id ?? 0, publicId, key };
}

export type TestBot = { id: number; publicId: string; botId: number; token: string; secret: string };

/** A bot as connectBot would leave it, without Telegram. */
export async function insertBot(
  q: Queryable,
  project: TestProject,
  bot: {
    botId: number;
    status?: string;
    secret?: string;
    apiRoot?: string | null;
    token?: string;
    allowedUpdates?: string[];
    webhookUrl?: string;
  },
): Promise<TestBot> {
  const publicId = makePublicId();
  const token = bot.token ?? `${100_000_000 + bot.botId}:${'T'.repeat(35)}`;
  const secret = bot.secret ?? `secret-${bot.botId}`;
  const row = await q.one<{ id: number }>(sql`
    insert into integration (public_id, project_id, bot_id, username, status, token_sealed, secret_sealed, secret_hash, api_root, allowed_updates, webhook_url,
      webhook_set_at)
    values (${publicId}, ${project.id}, ${bot.botId}, ${`bot${bot.botId}`}, ${bot.status ?? 'active'}, ${seal(project.key, tokenPlace(publicId), token)},
      ${seal(project.key, secretPlace(publicId), secret)}, ${hashSecret(secret)}, ${bot.apiRoot ?? null}, ${bot.allowedUpdates ?? ['message']},
      ${bot.webhookUrl ?? null}, ${bot.webhookUrl === undefined ? null : new Date()})
    returning id`);
  return { id: row?.id ?? 0, publicId, botId: bot.botId, token, secret };
}

/** Many bots in one statement, with nothing in their seals: for tests of numbers. */
export const insertManyBots = (q: Queryable, project: TestProject, count: number) =>
  q.run(sql`
    insert into integration (public_id, project_id, bot_id, username, token_sealed, secret_sealed, secret_hash, allowed_updates)
    select 'int_many' || md5(${project.publicId} || n), ${project.id}, n, 'bot_number_' || n || '_bot', decode('00', 'hex'), decode('00', 'hex'), sha256(int8send(n)), '{callback_query,message}'
    from generate_series(1, ${count}::bigint) n`);

export function gate(): { open(): void; opened: Promise<void> } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}
