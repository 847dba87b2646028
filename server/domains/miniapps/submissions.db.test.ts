import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { until } from '../../../test/support/roost.ts';
import { deleteRows, insertRow, type Place, type Tables } from '../tables/tables.ts';
import { shopDocument } from './fixtures.ts';
import { freshKey, signed, startTestApp, type TestApp } from './harness.ts';
import { type Cancelled, cancelLead, listLeads } from './miniapps.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp();
});
afterAll(() => shop.close());

const lead = (values: object = {}, more: object = {}) => ({
  key: freshKey(),
  form: 'lead',
  values: { name: 'Anna', agree: true, ...values },
  locale: 'en',
  ...more,
});
const count = async (table: 'lead' | 'inbox' | 'booking_cell' | 'order_line'): Promise<number> => {
  const statements = {
    lead: sql`select count(*)::int as n from lead`,
    inbox: sql`select count(*)::int as n from inbox`,
    booking_cell: sql`select count(*)::int as n from booking_cell`,
    order_line: sql`select count(*)::int as n from order_line`,
  };
  return (await shop.roost.db.one<{ n: number }>(statements[table]))?.n ?? -1;
};
const heard = (person: number): (string | undefined)[] =>
  shop.roost.calls({ chat: person, method: 'sendMessage' }).map((call) => JSON.parse(call.params ?? '{}').text);
const as = (id: number) => ({ authorization: `tma ${shop.initData({ id })}` });

const cancel = (number: number): Promise<Cancelled> =>
  shop.roost.db.tx((tx) => cancelLead(tx, shop.project.id, number));

/** A visitor of the web: the cookie that the server gave. */
async function webVisitor(): Promise<Record<string, string>> {
  const response = await fetch(`${shop.address}/v1/apps/${shop.app}/visitors`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const cookie = response.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^roost_visitor=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
  return { cookie: cookie.split(';')[0] ?? '' };
}

describe('a form', () => {
  test('is stored, told to the bot in the visitor’s chat, and answered with the maker’s words', async () => {
    const person = shop.roost.simulator.people.create({ first_name: 'Анна', language_code: 'en' });
    // Telegram lets a bot write to whoever has pressed Start.
    shop.roost.simulator.people.text({ user: person.id, bot: shop.bot.id, text: '/start' });
    const { status, body } = await shop.send(lead({ phone: '+7 (900) 123-45-67', kind: 'a' }), as(person.id));
    expect([status, body]).toEqual([200, { ok: true, duplicate: false, number: 1, done: 'Thank you, Anna' }]);
    await until(
      () => heard(person.id),
      (texts) => texts.includes('lead 1'),
    );
    const [stored] = await listLeads(shop.roost.db, shop.project.id, { limit: 1 });
    expect(stored).toMatchObject({
      number: 1,
      form: 'lead',
      fields: { name: 'Anna', phone: '+79001234567', kind: 'a', agree: true },
      // The owner's language, whatever the visitor's.
      words: { kind: 'Первый', agree: 'да' },
      visitor: { kind: 'telegram', id: String(person.id), firstName: 'Анна' },
    });
  });

  test('that is sent twice, also at once, is one', async () => {
    const event = lead({ name: 'Twice' });
    const before = await count('lead');
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.send(event, as(78))));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.number)).size).toBe(1);
    expect(await count('lead')).toBe(before + 1);
    // The key is the visitor's own: somebody else's is another.
    expect((await shop.send(event, as(79))).body).toMatchObject({ ok: true, duplicate: false });
  });

  test('that was changed is not the one that arrived: under the same key it is refused, and nobody is thanked', async () => {
    const event = lead({ name: 'First' });
    const { body } = await shop.send(event, as(76));
    const before = await count('lead');
    for (const changed of [
      { ...event, values: { ...event.values, name: 'Second' } },
      { ...event, cart: { '1': 1 } },
    ]) {
      const refused = await shop.send(changed, as(76));
      expect([refused.status, refused.body.error.code]).toEqual([409, 'KEY_USED']);
      expect(refused.body.error.message).toContain('has arrived');
    }
    // The same in another order, or after the language was changed, is the same.
    const values = Object.fromEntries(Object.entries(event.values).reverse());
    const same = await shop.send({ ...event, values, locale: 'ru' }, as(76));
    expect(same.body).toMatchObject({ ok: true, duplicate: true, number: body.number });
    expect(await count('lead')).toBe(before);
  });

  test('has numbers without gaps, whatever was refused between', async () => {
    const first = (await shop.send(lead(), as(80))).body.number;
    await shop.send(lead({ name: '' }), as(80));
    await shop.send({ ...lead(), form: 'order', values: { name: 'A' }, cart: { '99': 1 } }, as(80));
    expect((await shop.send(lead(), as(80))).body.number).toBe(first + 1);
  });

  test('names every field that is wrong, in the visitor’s language, and keeps nothing', async () => {
    const before = await count('lead');
    const { status, body } = await shop.send(
      { ...lead({ name: '', phone: 'ring me', kind: 'c', agree: false }), locale: 'ru' },
      as(81),
    );
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'INPUT_WRONG',
      message: 'Проверьте отмеченные поля. Ничего не отправлено.',
      facts: {
        fields: {
          name: 'Заполните это поле',
          phone: 'Напишите номер цифрами, как +7 900 123-45-67',
          kind: 'Выберите один из вариантов',
          agree: 'Без согласия отправить нельзя',
        },
      },
    });
    expect(await count('lead')).toBe(before);
  });

  test('leaves out what was not shown, and takes what is hidden from the link, as Telegram has signed it', async () => {
    const authorization = `tma ${shop.initData({ id: 82 }, { start_param: 'summer' })}`;
    await shop.send(lead({ why: 'not asked', kind: 'a', from: 'forged' }, { start: 'forged' }), { authorization });
    const [stored] = await listLeads(shop.roost.db, shop.project.id, { limit: 1 });
    expect(stored?.fields).toEqual({ name: 'Anna', kind: 'a', agree: true, from: 'summer' });
    // A button of the bot has it in its address: nobody signs that, and a link is worth no more, since anybody makes one.
    await shop.send(lead({}, { start: 'button' }), as(82));
    const [byButton] = await listLeads(shop.roost.db, shop.project.id, { limit: 1 });
    expect(byButton).toMatchObject({ start: 'button', fields: { from: 'button' } });
    expect((await shop.send(lead({ kind: 'b' }), as(82))).body.error.facts.fields).toEqual({
      why: 'Fill in this field',
    });
  });

  test('with a field or a form that is not there is refused: the page is of another time', async () => {
    for (const event of [lead({ extra: 1 }), { ...lead(), form: 'nothing' }, { ...lead(), form: 'constructor' }]) {
      const { status, body } = await shop.send(event, as(83));
      expect([status, body.error?.code], JSON.stringify(event)).toEqual(
        event.form === 'constructor' ? [400, 'INPUT_WRONG'] : [409, 'APP_OUTDATED'],
      );
    }
  });
});

describe('a visitor', () => {
  const refused = async (headers: Record<string, string>): Promise<[number, string]> => {
    const { status, body } = await shop.send(lead(), headers);
    return [status, body.error?.code];
  };

  test('of Telegram is believed only with a fresh signature of this very bot', async () => {
    const before = await count('lead');
    const user = JSON.stringify({ id: 90, first_name: 'Eve' });
    const other = shop.roost.simulator.createBot();
    const good = shop.initData({ id: 90 });
    for (const data of [
      '',
      'hash=1',
      good.replace('%3A90', '%3A91'),
      good.replace(/hash=./, 'hash=x'),
      `${good}&user=${encodeURIComponent(user)}`,
      signed({ user }, other.token),
      signed({ user }, shop.bot.token, Date.now() - 86_500_000),
      signed({ user }, shop.bot.token, Date.now() + 3_600_000),
      signed({}, shop.bot.token),
      signed({ user: '{"id":"1"}' }, shop.bot.token),
    ])
      expect(await refused({ authorization: `tma ${data}` }), data).toEqual([401, 'UNKNOWN_VISITOR']);
    expect(await refused({})).toEqual([401, 'UNKNOWN_VISITOR']);
    expect(await refused({ authorization: `Bearer ${good}` })).toEqual([401, 'UNKNOWN_VISITOR']);
    expect(await count('lead')).toBe(before);
  });

  test('of the web has a cookie of ours, and its events have a lane that is no chat', async () => {
    const web = await webVisitor();
    const { status, body } = await shop.send(lead({ name: 'Web' }), web);
    expect([status, body.done]).toEqual([200, 'Thank you, Web']);
    const row = await shop.roost.db.one<{ lane: number; body: string }>(
      sql`select lane, body from inbox where key like 'app:%' order by seq desc limit 1`,
    );
    expect(row?.lane).toBeLessThanOrEqual(-(2 ** 52));
    expect(JSON.parse(row?.body ?? '{}').roost.visitor).toMatchObject({ kind: 'web', id: row?.lane });
    for (const cookie of ['roost_visitor=a.b.c', web['cookie']?.replace(/.$/, '!') ?? '', 'other=1'])
      expect(await refused({ cookie }), cookie).toEqual([401, 'UNKNOWN_VISITOR']);
  });

  test('from another site is not believed, whatever cookie comes along', async () => {
    const web = await webVisitor();
    expect(await refused({ ...web, origin: 'https://evil.example' })).toEqual([401, 'UNKNOWN_VISITOR']);
    expect(await refused({ ...web, 'sec-fetch-site': 'cross-site' })).toEqual([401, 'UNKNOWN_VISITOR']);
    expect((await shop.send(lead(), { ...web, origin: shop.address })).status).toBe(200);
  });

  test('that fills in what people do not see is thanked, and nothing is kept', async () => {
    const before = await count('lead');
    expect((await shop.send(lead({}, { trap: 'http://spam' }), as(92))).body).toMatchObject({ ok: true });
    expect(await count('lead')).toBe(before);
  });

  test('who sends too much waits', async () => {
    const answers = [];
    for (let index = 0; index < 14; index += 1) answers.push(await shop.send(lead({ name: '' }), as(93)));
    expect(answers.map(({ status }) => status)).toEqual([...Array(12).fill(400), 429, 429]);
    expect(answers.at(-1)?.body.error.message).toContain('Wait a little');
    const response = await fetch(`${shop.address}/v1/apps/${shop.app}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...as(93) },
      body: JSON.stringify(lead()),
    });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('an order', () => {
  let asked = 0;
  const order = (cart: Record<string, number>) => ({
    key: freshKey(),
    form: 'order',
    values: { name: 'Anna' },
    cart,
    locale: 'en',
  });
  const stock = async (id: number): Promise<number> =>
    Number(
      (
        await shop.roost.db.one<{ stock: string }>(
          sql`select values->>'stock' as stock from record where project_id = ${shop.project.id} and table_name = 'goods' and id = ${id}`,
        )
      )?.stock,
    );

  const goods = (): Place => {
    const { tables } = shopDocument() as { tables: Tables };
    return { projectId: shop.project.id, name: 'goods', table: tables['goods'] as Place['table'] };
  };

  test('has the prices of the table, and takes the goods off the stock', async () => {
    const { body } = await shop.send(order({ '1': 2, '2:M': 1 }), as(100));
    expect(body).toMatchObject({ ok: true, done: 'An order of €29' });
    expect([await stock(1), await stock(2)]).toEqual([8, 2]);
    const [stored] = await listLeads(shop.roost.db, shop.project.id, { limit: 1, form: 'order' });
    expect(stored).toMatchObject({
      total: 29,
      currency: 'EUR',
      lines: [
        { id: 1, title: 'Honey', variant: null, count: 2, price: 12.5 },
        // In the owner's language, whatever the visitor's.
        { id: 2, title: 'Tea', variant: 'M', count: 1, price: 4 },
      ],
    });
    const row = await shop.roost.db.one<{ body: string }>(
      sql`select body from inbox where key like 'app:%' order by seq desc limit 1`,
    );
    expect(JSON.parse(row?.body ?? '{}').roost).toMatchObject({ total: 29, cart: [{ title: 'Honey', count: 2 }, {}] });
  });

  test('that cannot be filled is refused whole, with what is left', async () => {
    const before = [await stock(1), await stock(2), await count('lead')];
    for (const [cart, said] of [
      [{ '1': 1, '2:M': 3 }, 'Black tea (2 left)'],
      [{ '2:S': 2, '2:M': 1 }, 'Black tea (2 left)'],
      [{ '1': 1, '99': 1 }, '№ 99'],
      [{ '3': 1 }, '№ 3'],
      [{ '2': 1 }, 'Black tea'],
      [{ '2:XXL': 1 }, 'Black tea XXL'],
      [{ '1:M': 1 }, 'Honey M'],
      [{}, 'The cart is empty'],
    ] as const) {
      const { status, body } = await shop.send(order(cart), as(10_000 + (asked += 1)));
      expect([status, body.error?.code], JSON.stringify(cart)).toEqual([409, 'CART_CHANGED']);
      expect(body.error.message, JSON.stringify(cart)).toContain(said);
    }
    for (const cart of [{ '1': 0 }, { '1': 1.5 }, { '1': 100 }, { '-1': 1 }, { '1e3': 1 }, { __proto__: 1, x: 1 }])
      expect((await shop.send(order(cart as never), as(102))).status, JSON.stringify(cart)).toBe(400);
    expect([await stock(1), await stock(2), await count('lead')]).toEqual(before);
  });

  test('of more different things than an order holds is refused in words', async () => {
    const cart = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`${index + 1}`, 1]));
    const said = async (locale: string) => (await shop.send({ ...order(cart), locale }, as(107))).body.error;
    expect(await said('en')).toMatchObject({
      code: 'INPUT_WRONG',
      message: 'One order has room for 50 different things. Take some out. Nothing was ordered.',
    });
    expect((await said('ru')).message).toMatch(/^В одном заказе помещается 50 разных товаров\./);
  });

  test('of a sum that nobody pays is refused in words', async () => {
    const dear = { title: 'Palace', price: 50_000_000_000, stock: 1_000 };
    const place = goods();
    const written = await shop.roost.db.tx((tx) => insertRow(tx, place, dear));
    const id = written.ok ? `${written.rows[0]?.id}` : '';
    const { status, body } = await shop.send({ ...order({ [id]: 20 }), locale: 'ru' }, as(105));
    expect([status, body.error]).toMatchObject([
      409,
      { code: 'CART_CHANGED', message: 'Для одного заказа это слишком много. Закажите меньше. Ничего не заказано.' },
    ]);
    expect((await shop.send(order({ [id]: 19 }), as(105))).status).toBe(200);
    expect(await stock(Number(id))).toBe(981);
  });

  test('that is cancelled says only of those goods that they are back for which there is a row', async () => {
    const place = goods();
    const written = await shop.roost.db.tx((tx) => insertRow(tx, place, { title: 'Jam', price: 3, stock: 5 }));
    const id = written.ok ? (written.rows[0]?.id ?? 0) : 0;
    const { number } = (await shop.send(order({ '1': 1, [id]: 2 }), as(106))).body;
    await shop.roost.db.tx((tx) => deleteRows(tx, place, [{ field: 'title', is: 'Jam' }]));
    expect(await cancel(number)).toEqual({ changed: true, freed: false, goods: 1 });
  });

  test('that is cancelled gives the goods back, once, and stays on the list', async () => {
    const before = [await stock(1), await stock(2)];
    const { number } = (await shop.send(order({ '1': 2, '2:M': 1, '2:S': 1 }), as(104))).body;
    expect([await stock(1), await stock(2)]).toEqual([(before[0] ?? 0) - 2, (before[1] ?? 0) - 2]);
    const answers = await Promise.all([cancel(number), cancel(number), cancel(number)]);
    expect(answers.filter(({ changed }) => changed)).toEqual([{ changed: true, freed: false, goods: 4 }]);
    expect([await stock(1), await stock(2)]).toEqual(before);
    const [stored] = await listLeads(shop.roost.db, shop.project.id, { limit: 1 });
    expect(stored).toMatchObject({ number, total: 33, cancelledAt: expect.any(Date) });
    await expect(cancel(1_000_000)).rejects.toMatchObject({ code: 'LEAD_NOT_FOUND' });
  });

  test('of the last one is given to one of many', async () => {
    const left = await stock(1);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => shop.send(order({ '1': 1 }), as(2_000 + index))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(left);
    expect(answers.filter(({ body }) => body.error?.code === 'CART_CHANGED')).toHaveLength(30 - left);
    expect(await stock(1)).toBe(0);
  });
});

describe('a booking', () => {
  type Slot = { start: string; day: string; time: string; left: number };
  const slots = async (query: string): Promise<Slot[]> =>
    ((await (await shop.get(`/v1/apps/${shop.app}/slots?${query}`)).json()) as { slots: Slot[] }).slots;
  const visit = (time: string, master: unknown = 1) => ({
    key: freshKey(),
    form: 'visit',
    values: { master, time },
    locale: 'en',
  });

  test('of one time is given to as many as there are places, of a hundred at once', async () => {
    const [slot] = (await slots('booking=visit&each=1&days=14')).slice(5);
    const before = await count('booking_cell');
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => shop.send(visit(slot?.start ?? ''), as(3_000 + index))),
    );
    const codes = answers.map(({ status, body }) => (status === 200 ? 'ok' : body.error.code)).sort();
    expect(codes).toEqual([...Array(98).fill('SLOT_TAKEN'), 'ok', 'ok']);
    expect(await count('booking_cell')).toBe(before + 2 * 12);
    const others = await slots('booking=visit&each=1&days=14');
    expect(others.some(({ start }) => start === slot?.start)).toBe(false);
    // The other master is free then.
    expect((await slots('booking=visit&each=2&days=14')).find(({ start }) => start === slot?.start)?.left).toBe(2);
  });

  test('that is cancelled leaves its place to the next', async () => {
    const [slot] = (await slots('booking=visit&each=2&days=14')).slice(8);
    const time = slot?.start ?? '';
    const [first] = [await shop.send(visit(time, 2), as(3_500)), await shop.send(visit(time, 2), as(3_501))];
    expect((await shop.send(visit(time, 2), as(3_502))).body.error?.code).toBe('SLOT_TAKEN');
    expect(await cancel(first.body.number)).toEqual({ changed: true, freed: true, goods: 0 });
    expect((await slots('booking=visit&each=2&days=14')).find(({ start }) => start === time)?.left).toBe(1);
    expect((await shop.send(visit(time, 2), as(3_502))).status).toBe(200);
    expect((await shop.send(visit(time, 2), as(3_503))).body.error?.code).toBe('SLOT_TAKEN');
  });

  test('is of a time that is offered, with somebody who is there', async () => {
    const [slot] = (await slots('booking=visit&each=2&days=14')).slice(3);
    const at = Date.parse(slot?.start ?? '');
    for (const time of [at + 1_800_000, at - 30 * 86_400_000, at + 90 * 86_400_000])
      expect((await shop.send(visit(new Date(time).toISOString(), 2), as(4_000))).body.error.code).toBe('SLOT_TAKEN');
    expect((await shop.send(visit(slot?.start ?? '', 99), as(4_000))).body.error.facts.fields).toEqual({
      master: 'This is gone. Choose another',
    });
    expect((await shop.send(visit('soon', 2), as(4_000))).status).toBe(400);
    expect((await shop.send(visit(slot?.start ?? '', 2), as(4_000))).status).toBe(200);
  });

  test('is asked for with care', async () => {
    for (const query of ['booking=nothing', 'booking=visit', 'booking=visit&each=99'])
      expect((await shop.get(`/v1/apps/${shop.app}/slots?${query}`)).status, query).toBe(404);
    for (const query of [
      '',
      'booking=visit&each=1&days=400',
      'booking=visit&each=1&from=2026-99-99',
      'booking=visit&x=1',
    ])
      expect((await shop.get(`/v1/apps/${shop.app}/slots?${query}`)).status, query).toBe(400);
  });
});
