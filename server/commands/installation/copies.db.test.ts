import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createSimulator, type Simulator } from '../../../simulator/simulator.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { sampleDocument } from '../../domains/projects/fixtures.ts';
import { createTestCli, type TestCli } from '../cli/harness.ts';
import { commands } from '../registry.ts';

let telegram: Simulator;
let cli: TestCli;
let copy: TestDatabase;
let token: string;
beforeAll(async () => {
  telegram = createSimulator();
  await telegram.listen();
  token = telegram.createBot({ username: 'tea_bot', first_name: 'Tea' }).token;
  cli = await createTestCli({ env: { TELEGRAM_API_ROOT: telegram.address, PUBLIC_URL: 'https://bots.example.com' } });
  const path = join(cli.folder, 'Tea.json');
  await writeFile(path, JSON.stringify(sampleDocument()));
  await cli.run('project', 'import', path);
  await cli.run('project', 'publish', 'Tea');
  await cli.run('bot', 'connect', '--project', 'Tea', '--token', token);
  copy = await cli.database.copy();
});
afterAll(async () => {
  await copy.close();
  await cli.close();
  await telegram.close();
});

const projectsIn = (database: TestDatabase) =>
  database.db
    .many<{ name: string }>(sql`select name from project order by id`)
    .then((rows) => rows.map((row) => row.name));

describe('a copy of the database', () => {
  const onCopy = (...argv: string[]) => cli.runWith({ DATABASE_URL: copy.url }, ...argv);

  test('says that it is one, and answers what is only read', async () => {
    const shown = await onCopy('installation', 'show');
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('This is a copy of installation ') });
    expect((await onCopy('bot', 'list')).out).toContain('@tea_bot');
    expect((await cli.run('installation', 'show')).out).toMatch(/^This is installation /);
  });

  test('is changed alone by what was meant for it, and the command says so', async () => {
    const { code, place } = await onCopy('project', 'create', 'Proof');
    expect(code).toBe(0);
    expect(place).toMatch(/^On a copy of installation [0-9a-f]{8}, database \w+ at .+\.\n$/);
    expect(await projectsIn(copy)).toEqual(['Tea', 'Proof']);
    expect(await projectsIn(cli.database)).toEqual(['Tea']);
  });

  test.each([
    ['serve'],
    ['bot', 'connect', '--project', 'Tea', '--token', '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['bot', 'rotate', '@tea_bot'],
    ['bot', 'disconnect', '@tea_bot'],
  ])('says nothing to Telegram: %s', async (...argv) => {
    const webhook = telegram.world.botsByToken.get(token)?.webhook?.url;
    const { code, err } = await onCopy(...argv);
    expect([code, err]).toEqual([1, expect.stringMatching(/^DATABASE_COPIED: .*roost installation claim\n$/)]);
    expect(telegram.world.botsByToken.get(token)?.webhook?.url).toBe(webhook);
  });

  test('is the installation once somebody has said so', async () => {
    expect((await onCopy('installation', 'claim')).out).toContain('lives here now');
    expect((await onCopy('bot', 'rotate', '@tea_bot')).code).toBe(0);
    expect((await onCopy('installation', 'claim')).out).toContain('Nothing was changed');
  });
});

test('every command that is not known to read alone says what it speaks to', () => {
  const reads = commands.filter((command) => command.changes === undefined).map((command) => command.name);
  expect(reads.filter((name) => !/ (list|show|export|releases)$/.test(name))).toEqual([
    'start',
    'serve',
    'simulator',
    'status',
    'queue',
  ]);
});

describe('without the master key', () => {
  beforeAll(() => rm(join(cli.folder, 'data', 'master.key')));

  test('what needs none goes on, and what needs it says what is wrong', async () => {
    for (const argv of [['lead', 'list', 'Tea'], ['project', 'list'], ['bot', 'list'], ['dead', 'list'], ['queue']])
      expect([argv, (await cli.run(...argv)).err]).toEqual([argv, '']);
    expect((await cli.run('project', 'pause', 'Tea')).code).toBe(0);
    expect((await cli.run('project', 'resume', 'Tea')).code).toBe(0);
    const rotated = await cli.run('bot', 'rotate', '@tea_bot');
    expect(rotated.err).toMatch(/^KEY_WRONG: .*roost keys lost$/m);
  });

  test('nothing is given up before somebody says that the key is lost', async () => {
    const asked = await cli.run('keys', 'lost');
    expect(asked.out).toContain('Look for it first');
    expect((await cli.json('bot', 'list'))['bots']).toMatchObject([{ status: 'active' }]);
  });

  test('a new key takes its place, and each bot goes on where it was once it has its token again', async () => {
    const lost = await cli.run('keys', 'lost', '--yes');
    expect(lost.out).toContain('roost bot rotate @tea_bot --token TOKEN');
    expect((await cli.json('bot', 'list'))['bots']).toMatchObject([{ status: 'token_invalid' }]);
    expect((await cli.run('bot', 'rotate', '@tea_bot')).err).toContain('lost with the master key');
    const before = await cli.database.db.one<{ id: number }>(sql`select id from integration`);
    expect((await cli.run('bot', 'rotate', '@tea_bot', '--token', token)).code).toBe(0);
    expect((await cli.json('bot', 'list'))['bots']).toMatchObject([{ status: 'active', webhookProblem: null }]);
    expect(await cli.database.db.one(sql`select id from integration`)).toEqual(before);
    expect((await cli.run('keys', 'lost')).err).toMatch(/^KEY_THERE: /m);
  });
});
