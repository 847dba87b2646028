import { expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { until } from '../../../test/support/roost.ts';
import { freshKey, startTestApp } from './harness.ts';

test('what is sent to one process is answered by another one, which owns the bot', async () => {
  const shop = await startTestApp(undefined, { roles: ['edge'] });
  try {
    const { roost } = shop;
    const person = roost.simulator.people.create({ first_name: 'Анна' });
    const event = { key: freshKey(), form: 'lead', values: { name: 'Anna', agree: true }, locale: 'en' };
    const sent = await shop.send(event, { authorization: `tma ${shop.initData({ id: person.id })}` });
    expect(sent.body).toMatchObject({ ok: true, number: 1 });
    // Nobody owns the bot yet: it is stored, and waits.
    expect(await roost.db.one(sql`select state from inbox where key like 'app:%'`)).toEqual({ state: 0 });

    await roost.another(['core']);
    roost.simulator.people.text({ user: person.id, bot: shop.bot.id, text: '/start' });
    const heard = (): (string | undefined)[] =>
      roost
        .calls({ chat: person.id, method: 'sendMessage' })
        .map((call) => JSON.parse(call.params ?? '{}').text as string);
    await until(heard, (texts) => texts.includes('lead 1'));

    // The owner is told of the next one at once; it need not find it by looking.
    const next = { ...event, key: freshKey() };
    await shop.send(next, { authorization: `tma ${shop.initData({ id: person.id })}` });
    await until(heard, (texts) => texts.includes('lead 2'));
  } finally {
    await shop.close();
  }
});
