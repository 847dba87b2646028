import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../../../simulator/simulator.ts';
import { sampleDocument } from '../../domains/projects/fixtures.ts';
import { createTestCli, type TestCli } from '../cli/harness.ts';

let telegram: Simulator;
let cli: TestCli;
let token: string;
beforeAll(async () => {
  telegram = createSimulator();
  await telegram.listen();
  token = telegram.createBot({ username: 'tea_bot', first_name: 'Tea' }).token;
  cli = await createTestCli({
    env: { TELEGRAM_API_ROOT: telegram.address, PUBLIC_URL: 'https://bots.example.com' },
    input: `${token}\n`,
  });
  const path = join(cli.folder, 'Tea.json');
  await writeFile(path, JSON.stringify(sampleDocument()));
  await cli.run('project', 'import', path);
  await cli.run('project', 'publish', 'Tea');
});
afterAll(async () => {
  await cli.close();
  await telegram.close();
});

test('where no bot is connected, the list says how to connect one', async () => {
  const { code, out } = await cli.run('bot', 'list');
  expect([code, out]).toEqual([0, expect.stringContaining('roost bot connect --project PROJECT --token TOKEN')]);
});

test('a wrong token and an unknown project are refused in words, and the token is never repeated', async () => {
  const wrong = '987654321:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB';
  const refused = await cli.run('bot', 'connect', '--project', 'Tea', '--token', wrong);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/^BOT_TOKEN_WRONG: /);
  expect(refused.err + refused.out).not.toContain(wrong);
  expect((await cli.run('bot', 'connect', '--project', 'Nobody', '--token', token)).err).toMatch(
    /^PROJECT_NOT_FOUND: /,
  );
  expect((await cli.run('bot', 'connect', '--project', 'Tea')).code).toBe(2);
});

test('a bot is connected with its token from the input, shown, paused and taken up again', async () => {
  const connected = await cli.run('bot', 'connect', '--project', 'Tea', '--token', '-');
  expect(connected.err).toBe('');
  expect(connected.out).toMatch(/^Connected @tea_bot\.\n/);
  expect(connected.out).not.toContain(token);
  expect((await cli.run('bot', 'list')).out).toMatch(/@tea_bot +[\w-]+ +Tea +active +webhook/);
  const shown = await cli.run('bot', 'show', '@tea_bot');
  expect(shown.out).toMatch(/Kinds of updates: +.*message/);
  const { bot } = await cli.json<{ bot: Record<string, unknown> }>('bot', 'show', 'TEA_bot');
  expect(bot).toMatchObject({ username: 'tea_bot', project: 'Tea', status: 'active', receives: 'webhook' });
  expect(JSON.stringify(bot)).not.toContain(token);
  expect((await cli.run('bot', 'pause', '@tea_bot')).out).toMatch(/^Paused @tea_bot\./);
  expect((await cli.json<{ bots: { status: string }[] }>('bot', 'list')).bots[0]?.status).toBe('paused');
  expect((await cli.run('bot', 'resume', '@tea_bot')).code).toBe(0);
  expect((await cli.run('status')).out).toContain('1 active');
});

test('the same bot is not connected twice', async () => {
  const { code, err } = await cli.run('bot', 'connect', '--project', 'Tea', '--token', token);
  expect([code, err]).toEqual([1, expect.stringMatching(/^BOT_ALREADY_CONNECTED: .*roost bot rotate @tea_bot/)]);
});

test('a secret is rotated, and only the same bot’s token takes the place of the old one', async () => {
  expect((await cli.run('bot', 'rotate', '@tea_bot')).out).toBe('@tea_bot has a new webhook secret.\n');
  const other = telegram.createBot({ username: 'other_bot' });
  expect((await cli.run('bot', 'rotate', '@tea_bot', '--token', other.token)).err).toMatch(/^BOT_TOKEN_OTHER: /);
});

test('a disconnected bot leaves the list, and can be asked for with --all', async () => {
  expect((await cli.run('bot', 'disconnect', '--help')).out).toMatch(/What waits for it is ended/);
  expect((await cli.run('bot', 'disconnect', '@tea_bot')).out).toBe('Disconnected @tea_bot.\n');
  expect((await cli.run('bot', 'list')).out).toContain('No bot is connected.');
  expect((await cli.run('bot', 'list', '--all')).out).toMatch(/@tea_bot .* disconnected +-/);
  expect((await cli.run('bot', 'show', '@tea_bot')).out).toMatch(/Updates come by: +nothing: it is disconnected\n/);
  expect((await cli.run('bot', 'show', '@nobody_bot')).err).toMatch(
    /^BOT_NOT_FOUND: There is no bot "@nobody_bot" here\./,
  );
});
