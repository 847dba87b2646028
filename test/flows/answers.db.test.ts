import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { collector, doorkeeper, menu, parrot, patient } from '../support/documents.ts';
import { example, type Roost, startRoost, until } from '../support/roost.ts';

let roost: Roost;
beforeEach(async () => {
  roost = await startRoost();
});
afterEach(() => roost.close());

type Params = { text?: string; reply_markup?: { inline_keyboard?: { text: string; callback_data?: string }[][] } };

/** The texts sent to a chat, in the order in which Telegram accepted them. */
const texts = (chat: number): string[] =>
  roost
    .calls({ chat, method: 'sendMessage' })
    .filter((call) => call.accepted)
    .map((call) => (JSON.parse(call.params ?? '{}') as Params).text ?? '');

const heard = (chat: number, count: number): Promise<string[]> =>
  until(
    () => texts(chat),
    (found) => found.length >= count,
  );

const states = (): Promise<{ state: number; count: number }[]> =>
  roost.db.many(sql`select state, count(*)::int as count from inbox group by state order by state`);

describe('an update', () => {
  test('goes over HTTP into the inbox, through its turn, and is answered', async () => {
    const bot = await roost.bot(await example('support-menu'));
    const anna = roost.simulator.people.create({ first_name: 'Анна', language_code: 'ru' });
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
    await heard(anna.id, 2);
    expect(await until(states, (rows) => rows.every((row) => row.state !== 0))).toEqual([{ state: 2, count: 1 }]);
  });

  test('has its chat answered in order, and every one counted once', async () => {
    const bot = await roost.bot(parrot);
    const people = Array.from({ length: 5 }, () => roost.simulator.people.create());
    for (let index = 1; index <= 4; index += 1) {
      for (const person of people) roost.simulator.people.text({ user: person.id, bot: bot.id, text: `m${index}` });
    }
    for (const person of people) expect(await heard(person.id, 4)).toEqual(['1: m1', '2: m2', '3: m3', '4: m4']);
    const memory = await roost.db.one<{ vars: string }>(sql`select vars from bot_memory`);
    expect(JSON.parse(memory?.vars ?? '{}')).toEqual({ all: 20 });
  });

  test('that comes twice is answered once', async () => {
    const bot = await roost.bot(parrot);
    const anna = roost.simulator.people.create();
    roost.simulator.faults.add({ kind: 'repeat', times: 1 });
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'hello' });
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'bye' });
    expect(await heard(anna.id, 2)).toEqual(['1: hello', '2: bye']);
  });

  test('that nobody wants is stored and marked as ignored', async () => {
    const bot = await roost.bot(menu);
    const anna = roost.simulator.people.create();
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'who are you' });
    expect(await until(states, (rows) => rows.some((row) => row.state === 4))).toEqual([{ state: 4, count: 1 }]);
  });

  test('whose turn always fails becomes a dead letter, and its chat goes on', async () => {
    const bot = await roost.bot(parrot);
    const anna = roost.simulator.people.create();
    await roost.db.run(sql`
      create function poison() returns trigger language plpgsql as $$
      begin if new.key = (select min(key) from inbox) then raise exception 'poisoned'; end if; return new; end $$`);
    await roost.db.run(
      sql`create trigger poison before update on inbox for each row when (new.state = 2) execute function poison()`,
    );
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'poison' });
    await until(
      () => roost.db.one<{ attempts: number }>(sql`select max(attempts) as attempts from inbox`),
      (row) => (row?.attempts ?? 0) >= 1,
    );
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'after' });
    await until(
      () => roost.db.one<{ stored: number }>(sql`select count(*)::int as stored from inbox`),
      (row) => row?.stored === 2,
    );
    // The pauses between attempts grow to a minute: a restart finds the fourth one made.
    await roost.running.stop();
    await roost.db.run(sql`update inbox set attempts = 4, available_at = null where state = 0 and attempts >= 1`);
    await roost.another(['edge', 'core', 'control']);
    const dead = await until(
      () => roost.db.one<{ error: string; attempts: number }>(sql`select error, attempts from inbox where state = 3`),
      (row) => row !== undefined,
    );
    expect(dead?.error).toContain('poisoned');
    expect(await heard(anna.id, 1)).toEqual(['1: after']);
  });
});

describe('a button', () => {
  async function shown(): Promise<{ bot: { id: number }; anna: number; press(label: string): void }> {
    const bot = await roost.bot(menu);
    const anna = roost.simulator.people.create({ language_code: 'en' });
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
    const [call] = await until(
      () => roost.calls({ chat: anna.id, method: 'sendMessage' }),
      (found) => found[0]?.message_id != null,
    );
    const message = call?.message_id as number;
    return {
      bot,
      anna: anna.id,
      press: (button: string) =>
        void roost.simulator.people.press({ user: anna.id, bot: bot.id, message_id: message, text: button }),
    };
  }

  const answers = (): Params[] =>
    roost
      .calls({ method: 'answerCallbackQuery' })
      .filter((call) => call.accepted)
      .map((call) => JSON.parse(call.params ?? '{}') as Params);

  test('that works once is acknowledged with its own answer, and the second time says that it is out of date', async () => {
    const { anna, press } = await shown();
    press('Once');
    expect(await heard(anna, 2)).toContain('presses: 1');
    expect((await until(answers, (found) => found.length === 1))[0]?.text).toBe('Done');
    press('Once');
    const second = (await until(answers, (found) => found.length === 2))[1];
    expect(second?.text).toBe('This button no longer works.');
    expect(await until(states, (rows) => rows.every((row) => row.state !== 0))).toBeTruthy();
    expect(texts(anna)).toEqual(['Choose', 'presses: 1']);
  });

  test('that repeats works every time', async () => {
    const { anna, press } = await shown();
    press('Many');
    await heard(anna, 2);
    press('Many');
    expect(await heard(anna, 3)).toEqual(['Choose', 'presses: 1', 'presses: 2']);
  });

  test('that answers later is answered by the flow, once', async () => {
    const { press } = await shown();
    press('Later');
    expect((await until(answers, (found) => found.length === 1))[0]?.text).toBe('From the flow');
  });
});

describe('time and other events', () => {
  test('a wait ends by itself and survives in the table', async () => {
    const bot = await roost.bot(patient);
    const anna = roost.simulator.people.create();
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
    expect(await heard(anna.id, 1)).toEqual(['After a while']);
    expect(await roost.db.one(sql`select count(*)::int as left from timer`)).toEqual({ left: 0 });
  });

  test('an album is one event', async () => {
    const bot = await roost.bot(collector);
    const anna = roost.simulator.people.create();
    roost.simulator.people.album({
      user: anna.id,
      bot: bot.id,
      items: [{ kind: 'photo' }, { kind: 'photo' }, { kind: 'photo' }],
    });
    expect(await heard(anna.id, 1)).toEqual(['Got album']);
    expect(await until(states, (rows) => rows.every((row) => row.state === 2))).toEqual([{ state: 2, count: 3 }]);
    expect(texts(anna.id)).toHaveLength(1);
  });

  test('a question to Telegram comes back as an event and leads on', async () => {
    const anna = roost.simulator.people.create();
    const channel = roost.simulator.people.createGroup({ title: 'Members', type: 'supergroup' });
    const bot = await roost.bot(doorkeeper(channel.id));
    roost.simulator.people.join({ chat: channel.id, bot: bot.id } as never);
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
    expect(await heard(anna.id, 1)).toEqual(['Join first']);
  });

  test('a checkout is refused, since nothing is sold', async () => {
    const bot = await roost.bot(parrot);
    const anna = roost.simulator.people.create({ language_code: 'ru' });
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: 'x' });
    await heard(anna.id, 1);
    roost.simulator.people.inject({
      bot: bot.id,
      kind: 'pre_checkout_query',
      body: Buffer.from(
        JSON.stringify({
          update_id: 424242,
          pre_checkout_query: {
            id: '9',
            from: { id: anna.id, is_bot: false, first_name: 'A', language_code: 'ru' },
            currency: 'XTR',
            total_amount: 5,
            invoice_payload: 'p',
          },
        }),
      ),
    } as never);
    const [answer] = await until(
      () => roost.calls({ method: 'answerPreCheckoutQuery' }),
      (found) => found.length > 0,
    );
    expect(JSON.parse(answer?.params ?? '{}')).toMatchObject({
      ok: false,
      error_message: expect.stringContaining('Деньги не списаны'),
    });
  });
});
