import { expect, test } from 'vitest';
import { call, control, ok, owner, startSimulator } from '../harness.ts';
import type { CallEntry } from '../simulator.ts';

type Page<Entry> = { entries: Entry[]; cursor: number; done: boolean };

test('everything can be done over HTTP', async () => {
  const simulator = await startSimulator();
  const bots = await control<{ id: number; token: string }[]>(simulator, 'POST', '/bots', [
    { first_name: 'A' },
    { first_name: 'B' },
  ]);
  const [bot] = bots;
  const user = await control<{ id: number }>(simulator, 'POST', '/users', { first_name: 'Анна' });
  if (!bot) throw new Error('no bot');
  const said = await control<{ result: { message_id: number }[] }>(simulator, 'POST', '/act/text', [
    { user: user.id, bot: bot.id, text: '1' },
    { user: user.id, bot: bot.id, text: '2' },
  ]);
  expect(said.result.map(({ message_id: id }) => id)).toEqual([1, 2]);
  await ok(simulator, bot, 'sendMessage', { chat_id: user.id, text: 'ответ' });
  const group = await control<{ chat: { id: number } }>(simulator, 'POST', '/chats', {
    type: 'group',
    creator: user.id,
    bots: [bot.id],
  });
  expect(group.chat.id).toBeLessThan(0);
  const migrated = await control<{ result: { chat: { type: string } } }>(simulator, 'POST', '/act/migrate', {
    chat: group.chat.id,
  });
  expect(migrated.result.chat.type).toBe('supergroup');
  const chat = await control<{ messages: { text: string }[] }>(simulator, 'GET', `/chats/${bot.id}:${user.id}`);
  expect(chat.messages.map(({ text }) => text)).toEqual(['1', '2', 'ответ']);
});

test('mistakes are told in words', async () => {
  const simulator = await startSimulator();
  expect(await control(simulator, 'POST', '/act/fly', {})).toEqual({ error: 'people cannot "fly"' });
  expect(await control(simulator, 'POST', '/act/constructor', {})).toEqual({ error: 'people cannot "constructor"' });
  expect(await control(simulator, 'POST', '/act/text', { user: 1, bot: 1, text: 'a' })).toEqual({
    error: 'there is no person 1',
  });
  const broken = await fetch(`${simulator.address}/control/bots`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...owner(simulator) },
    body: '{',
  });
  expect([broken.status, await broken.json()]).toEqual([400, { error: 'the body is not JSON' }]);
  // A form of another site's page cannot reach the control API without asking the browser first.
  const form = await fetch(`${simulator.address}/control/bots`, {
    method: 'POST',
    headers: owner(simulator),
    body: new URLSearchParams({ a: '1' }),
  });
  expect(form.status).toBe(415);
  expect(simulator.world.bots.size).toBe(0);
});

test('settings change while it runs', async () => {
  const simulator = await startSimulator();
  const before = await control<{ limits: object }>(simulator, 'GET', '/settings');
  const after = await control<{ limits: object; latencyMs: number }>(simulator, 'PATCH', '/settings', {
    latencyMs: 5,
    limits: { botPerSecond: 1 },
  });
  expect(after).toEqual({ ...before, latencyMs: 5, limits: { ...before.limits, botPerSecond: 1 } });
  expect(simulator.settings.limits.botPerSecond).toBe(1);
});

test('settings of another name or value are refused, and none of them is changed', async () => {
  const simulator = await startSimulator();
  const before = JSON.stringify(simulator.settings);
  const wrong: [unknown, RegExp][] = [
    [{ latencyMs: 5, nonsense: 1 }, /no setting of that name/],
    [{ latencyMs: 5, localFiles: true }, /chosen by the program/],
    [{ latencyMs: 'soon' }, /^latencyMs is a number from 0/],
    [{ latencyMs: -1 }, /^latencyMs/],
    [{ speed: 0 }, /^speed/],
    [{ strict: 1 }, /^strict is true or false$/],
    [{ logParams: 'all' }, /^logParams is one of/],
    [{ logMax: 1.5 }, /^logMax is a whole number/],
    [{ limits: { botPerSecond: null } }, /^botPerSecond is a number/],
    [{ limits: 5 }, /^limits is an object$/],
    [{ constructor: 5 }, /no setting of that name/],
    [[], /^the settings are an object$/],
    [null, /^the settings are an object$/],
  ];
  for (const [change, why] of wrong)
    expect(await control(simulator, 'PATCH', '/settings', change), JSON.stringify(change)).toEqual({
      error: expect.stringMatching(why),
    });
  expect(JSON.stringify(simulator.settings)).toBe(before);
  expect(before).not.toContain('localFiles');
});

test('faults strike as they are told', async () => {
  const simulator = await startSimulator({ limits: false });
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  simulator.people.start({ user, bot: bot.id });
  const add = (rule: object): Promise<unknown> => control(simulator, 'POST', '/faults', { times: 1, ...rule });
  const send = (): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> =>
    call(simulator, bot, 'sendMessage', { chat_id: user, text: 'a' });
  const last = (): CallEntry | undefined => simulator.calls.read(simulator.calls.end - 1);
  await add({ kind: '429', retry_after: 7 });
  const limited = await send();
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  expect(limited.body).toEqual({
    ok: false,
    error_code: 429,
    description: 'Too Many Requests: retry after 7',
    parameters: { retry_after: 7 },
  });
  expect(last()).toMatchObject({ accepted: false, code: 429, fault: '429' });
  for (const [rule, status, accepted] of [
    [{ kind: '5xx' }, 500, false],
    [{ kind: '5xx', status: 502, accept: true }, 502, true],
    [{ kind: '401' }, 401, false],
    [{ kind: '403' }, 403, false],
    [{ kind: 'migrate', migrate_to_chat_id: -1005 }, 400, false],
  ] as const) {
    await add(rule);
    expect((await send()).status).toBe(status);
    expect(last()).toMatchObject({ accepted, fault: rule.kind });
  }
  for (const [kind, accepted] of [
    ['html', false],
    ['truncated', true],
    ['lost', true],
    ['refused', false],
  ] as const) {
    await add({ kind });
    await expect(send()).rejects.toThrow();
    expect(last()).toMatchObject({ accepted, fault: kind });
  }
  const texts = [...simulator.people.chat({ user, bot: bot.id }).messages.values()].filter(({ text }) => text === 'a');
  expect(texts).toHaveLength(3);
  expect((await send()).status).toBe(200);
});

test('a hanging answer hangs until the caller goes, and keeps nobody from stopping', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  simulator.faults.add({ kind: 'hang', bot: bot.id });
  const struck = async (times: number): Promise<void> => {
    while (simulator.faults.list()[0]?.struck !== times) await ok(simulator, simulator.createBot(), 'getMe');
  };
  const controller = new AbortController();
  const gone = fetch(`${simulator.address}/bot${bot.token}/getMe`, { signal: controller.signal });
  await struck(1);
  controller.abort();
  await expect(gone).rejects.toThrow();
  const held = fetch(`${simulator.address}/bot${bot.token}/getMe`);
  await struck(2);
  await Promise.all([expect(held).rejects.toThrow(), simulator.close()]);
});

test('logs are read in pages, by field, and as lines', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  const other = simulator.createBot();
  for (let index = 0; index < 5; index++) await ok(simulator, index % 2 ? other : bot, 'getMe');
  await call(simulator, bot, 'getChat', { chat_id: 5 });
  const page = await control<Page<CallEntry>>(simulator, 'GET', '/calls?limit=2');
  expect([page.entries.map(({ seq }) => seq), page.done]).toEqual([[0, 1], false]);
  const rest = await control<Page<CallEntry>>(
    simulator,
    'GET',
    `/calls?after=${page.cursor}&bot_id=${bot.id}&accepted=true`,
  );
  expect(rest.entries.map(({ seq }) => seq)).toEqual([2, 4]);
  const lines = await fetch(`${simulator.address}/control/calls.ndjson?code=400`, { headers: owner(simulator) });
  const entries = (await lines.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CallEntry);
  expect(entries).toMatchObject([{ method: 'getChat', chat_id: 5, description: 'Bad Request: chat not found' }]);
  expect(await control(simulator, 'GET', '/counters')).toMatchObject({
    calls: { accepted: 5, refused: 1, by_method: { getMe: 5, getChat: 1 } },
  });
  await control(simulator, 'DELETE', '/logs');
  expect((await control<Page<CallEntry>>(simulator, 'GET', '/calls')).entries).toEqual([]);
});

test('latency holds back the answer, not the decision', async () => {
  const simulator = await startSimulator({ latencyMs: 60_000 });
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  simulator.people.start({ user, bot: bot.id });
  const controller = new AbortController();
  const held = fetch(`${simulator.address}/bot${bot.token}/sendMessage?chat_id=${user}&text=a`, {
    signal: controller.signal,
  });
  while (simulator.calls.end < 1) await control(simulator, 'GET', '/counters');
  expect(simulator.calls.read(0)).toMatchObject({ accepted: true, code: 200, answered_mono: null });
  expect(simulator.people.chat({ user, bot: bot.id }).messages.size).toBe(2);
  controller.abort();
  await expect(held).rejects.toThrow();
});

test('the feed tells what happens and what was missed', async () => {
  const simulator = await startSimulator();
  const bot = simulator.createBot();
  const user = simulator.people.create().id;
  const { mark } = simulator.world.feed;
  simulator.people.text({ user, bot: bot.id, text: 'missed' });
  const stream = await fetch(`${simulator.address}/control/events?after=${mark}&key=${simulator.controlKey}`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (what: string): Promise<void> => {
    while (!text.includes(what)) text += (await reader?.read())?.value ?? '';
  };
  await read('missed');
  simulator.people.text({ user, bot: bot.id, text: 'live' });
  await read('live');
  await reader?.cancel();
  const strange = await fetch(`${simulator.address}/control/events?after=other-0&key=${simulator.controlKey}`);
  const other = strange.body?.pipeThrough(new TextDecoderStream()).getReader();
  let first = '';
  while (!first.includes('reset')) first += (await other?.read())?.value ?? '';
  await other?.cancel();
});
