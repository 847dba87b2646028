import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onePixel } from '../projects/fixtures.ts';
import { type Answer, freshKey, signed, startTestApp, type TestApp } from './harness.ts';
import { listLeads } from './miniapps.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp(undefined, { env: { PUBLIC_URL: '' } });
});
afterAll(() => shop.close());

test('the host that a visitor names is in no link that the owner reads', async () => {
  const headers = { authorization: `tma ${shop.initData({ id: 90 })}`, host: 'evil.example' };
  const post = async (path: string, type: string, body: Buffer | string) => {
    const answer = await request(`${shop.address}/v1/apps/${shop.app}/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type, 'x-forwarded-host': 'evil.example' },
      body,
    });
    return (await answer.body.json()) as { ok: boolean; file: string };
  };
  const { file } = await post('files?form=lead&field=file', 'application/octet-stream', onePixel);
  const values = { name: 'Anna', agree: true, file };
  const event = JSON.stringify({ key: freshKey(), form: 'lead', values, locale: 'en' });
  expect(await post('events', 'application/json', event)).toMatchObject({ ok: true });
  const [lead] = await listLeads(shop.roost.db, shop.project.id, { limit: 1 });
  expect(lead?.words['file']?.startsWith(`${shop.address}/v1/files/file_`), lead?.words['file']).toBe(true);
});

test('what is sent is counted by what became of it, and what is kept of the pages too', async () => {
  const figure = async (name: string): Promise<number> => {
    const line = (await (await shop.get('/metrics')).text()).split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.split(' ')[1] ?? Number.NaN);
  };
  const sent = (result: string, reason = ''): Promise<number> =>
    figure(`roost_app_submissions_total{result="${result}",reason="${reason}"}`);
  const outcomes = [
    ['accepted'],
    ['duplicate'],
    ['robot'],
    ['refused', 'INPUT_WRONG'],
    ['refused', 'UNKNOWN_VISITOR'],
    ['failed'],
  ] as const;
  const all = () => Promise.all(outcomes.map(([result, reason]) => sent(result, reason)));
  const before = await all();
  const authorization = `tma ${shop.initData({ id: 92 })}`;
  const event = { key: freshKey(), form: 'lead', values: { name: 'Anna', agree: true }, locale: 'en' };
  await shop.send(event, { authorization });
  await shop.send(event, { authorization });
  await shop.send({ ...event, key: freshKey(), trap: 'x' }, { authorization });
  await shop.send({ ...event, key: freshKey(), values: {} }, { authorization });
  await shop.send({ ...event, key: '' }, { authorization });
  await shop.send(event, {});
  const after = await all();
  expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1, 1, 2, 1, 0]);

  for (let times = 0; times < 2; times += 1) await (await shop.get(`/a/${shop.app}`)).text();
  for (const name of ['hits_total', 'misses_total', 'entries', 'bytes'])
    expect(await figure(`roost_app_cache_${name}{part="page"}`), name).toBeGreaterThan(0);
});

test('a refusal whose way out leads away from the page has words for a page that can keep what was written', async () => {
  const told = async (more: object, authorization: string): Promise<[message: string, kept: string]> => {
    const event = { key: freshKey(), form: 'lead', values: { name: 'Anna', agree: true }, ...more };
    const { message, facts } = (await shop.send(event, { authorization })).body.error;
    return [message, facts?.fields?.['$kept']];
  };
  const old = signed({ user: '{"id":93}' }, shop.bot.token, Date.now() - 86_500_000);
  expect(await told({ locale: 'en' }, `tma ${old}`)).toEqual([
    expect.stringMatching(/^The app has been open for more than a day\. Copy what you wrote/),
    expect.stringMatching(/^The app has been open for more than a day\. Close it and .* what you wrote will be there/),
  ]);
  expect(await told({ locale: 'ru' }, `tma ${old}`)).toEqual([
    expect.stringMatching(/^Приложение открыто больше суток\. Скопируйте написанное/),
    expect.stringMatching(/^Приложение открыто больше суток\. Закройте его .* написанное будет на месте/),
  ]);
  expect(await told({ locale: 'en' }, 'tma hash=1')).toEqual([
    expect.stringMatching(/Copy what you wrote/),
    expect.stringMatching(/what you wrote will be there/),
  ]);
  const fresh = `tma ${shop.initData({ id: 93 })}`;
  expect(await told({ locale: 'en', form: 'nothing' }, fresh)).toEqual([
    expect.stringMatching(/Reload it\. Nothing was sent/),
    expect.stringMatching(/Reload it: what you wrote will be there/),
  ]);
  // A visitor of the web allows cookies and sends again: the page stays.
  expect((await told({ locale: 'en' }, ''))[1]).toBeUndefined();
  const file = await request(`${shop.address}/v1/apps/${shop.app}/files?form=lead&field=file`, {
    method: 'POST',
    headers: { authorization: `tma ${old}`, 'content-type': 'application/octet-stream', 'accept-language': 'en' },
    body: onePixel,
  });
  const { error } = (await file.body.json()) as Answer;
  expect(error.facts.fields['$kept']).toMatch(/what you wrote will be there/);
});

describe('who comes too often', () => {
  const english = { 'accept-language': 'en', 'content-type': 'application/json' };
  const arrive = (headers: Record<string, string> = {}, body: object = {}): Promise<Response> =>
    fetch(`${shop.address}/v1/apps/${shop.app}/visitors`, {
      method: 'POST',
      headers: { ...english, ...headers },
      body: JSON.stringify(body),
    });
  const told = async (response: Response): Promise<string> => ((await response.json()) as Answer).error.message;
  const russian = 'Слишком много отправлено подряд. Подождите немного и попробуйте ещё раз.';

  test('is refused in the language of the page, and can still look at free times', async () => {
    const statuses = await Promise.all(Array.from({ length: 300 }, async () => (await arrive()).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(60);
    expect(await told(await arrive())).toMatch(/^Too much was sent/);
    expect(await told(await arrive({ referer: `${shop.address}/s/shop?lang=ru` }))).toBe(russian);
    expect(await told(await arrive({}, { locale: 'ru' }))).toBe(russian);
    // A page has no language that the app does not speak.
    expect(await told(await arrive({ referer: `${shop.address}/s/shop?lang=de` }))).toMatch(/^Too much was sent/);
    const slots = await shop.get(`/v1/apps/${shop.app}/slots?booking=visit&each=1`);
    expect(slots.status).toBe(200);
  });

  test('with a form is told so in the language of the form', async () => {
    const authorization = `tma ${shop.initData({ id: 91 })}`;
    const event = () => ({ key: freshKey(), form: 'lead', values: { name: 'Anna', agree: true }, locale: 'ru' });
    for (let count = 0; count < 12; count += 1) await shop.send(event(), { authorization });
    const { status, body } = await shop.send(event(), { authorization, 'accept-language': 'en' });
    expect([status, body.error.message]).toEqual([429, russian]);
  });
});
