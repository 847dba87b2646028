import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Command, defineCommand } from './command.ts';
import { createTestCli, type TestCli } from './harness.ts';

const token = '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const command = (name: string, run: Command['run']): Command =>
  defineCommand({ name, summary: 'Does a thing', args: [], options: {}, json: true, run });

let cli: TestCli;
beforeAll(async () => {
  cli = await createTestCli({
    commands: [
      command('bug', async () => {
        throw new Error(`call of https://api.telegram.org/bot${token}/getMe failed`, {
          cause: new TypeError('inner reason'),
        });
      }),
      command('full', async ({ installation }) => {
        const { db } = await installation();
        await db.run({
          text: `do $$ begin raise exception using errcode = '53100', message = 'no space'; end $$`,
          values: [],
        });
      }),
      command('full-here', async () => {
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      }),
      command('seven', async () => 7),
      command('twice', async ({ installation, say }) => {
        const [first, second] = await Promise.all([installation(), installation()]);
        say(String(first === second));
      }),
    ],
  });
});
afterAll(() => cli.close());

test('a bug prints a short stack without secrets and ends with 1', async () => {
  const { code, out, err } = await cli.run('bug');
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('/bot[token]/getMe failed');
  expect(err).toContain('caused by TypeError: inner reason');
  expect(err).not.toContain(token);
  expect(err.split('\n').length).toBeLessThan(20);
  const asked = await cli.run('bug', '--json');
  expect(JSON.parse(asked.out)).toMatchObject({ ok: false, error: { code: 'BUG' } });
  expect(asked.out).not.toContain(token);
});

test('a full disk is no bug, the own one as little as that of the database', async () => {
  const database = await cli.run('full');
  expect(database).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^DISK_FULL: The disk of the database is full.*\n$/m),
  });
  expect((await cli.run('full-here')).err).toMatch(/^DISK_FULL: The disk is full\. .*\n$/);
  expect(JSON.parse((await cli.run('full', '--json')).out)).toMatchObject({ error: { code: 'DISK_FULL' } });
});

test('the exit code is what the command answers', async () => {
  expect((await cli.run('seven')).code).toBe(7);
  expect(await cli.run('sevne')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean "seven"?') });
  expect(JSON.parse((await cli.run('sevne', '--json')).out)).toMatchObject({ ok: false, error: { code: 'USAGE' } });
});

test('an installation is opened once for a command', async () => {
  expect((await cli.run('twice')).out).toBe('true\n');
});

test('all mistakes of the configuration are named at once, and help is given without one', async () => {
  const broken = await createTestCli({ env: { PORT: 'x', LOG_LEVEL: 'loud' } });
  const { code, err } = await broken.run('project', 'list');
  expect(code).toBe(1);
  expect(err).toMatch(/^CONFIG_WRONG: The configuration has 2 mistakes\.\n {2}PORT .*\n {2}LOG_LEVEL .*\n$/);
  expect(await broken.run('help')).toMatchObject({ code: 0 });
  await broken.close();
});

test('where nothing is installed, a command makes nothing', async () => {
  const empty = await createTestCli({ env: { DATABASE_URL: '' } });
  expect((await empty.run('project', 'list')).err).toMatch(
    /^NOT_INSTALLED: There is no installation in .*\/data yet\. Start one: npm start\n$/,
  );
  await empty.close();
});

test('a database that is away is one clear line', async () => {
  const away = await createTestCli({ env: { DATABASE_URL: 'postgresql://roost:hunter2hunter2@127.0.0.1:1/roost' } });
  const { code, err } = await away.run('project', 'list');
  expect(code).toBe(1);
  expect(err).toMatch(/^DATABASE_UNAVAILABLE: The database cannot be reached: [^\n]+\n$/);
  expect(err).not.toContain('hunter2');
  await away.close();
});
