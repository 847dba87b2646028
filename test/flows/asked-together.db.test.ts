// Kinds of questions that answer many turns at once: here tables, told to do so.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';

const { sizes } = vi.hoisted(() => ({ sizes: [] as number[] }));
vi.mock('../../server/domains/turns/asks/registry.ts', async () => {
  const { tableAsks } = await import('../../server/domains/turns/asks/tables.ts');
  const answer: typeof tableAsks.answer = (tx, asked, nowMs) => {
    sizes.push(asked.length);
    return tableAsks.answer(tx, asked, nowMs);
  };
  return { askKinds: { table: { together: true, answer } } };
});

let roost: Roost;
beforeEach(async () => {
  sizes.length = 0;
  roost = await startRoost();
});
afterEach(() => roost.close());

/** `/put` writes two rows, one after the other: two rounds of questions. */
const keeper = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  tables: { notes: { columns: { person: { type: 'number' } } } },
  triggers: { put: { type: 'command', props: { command: 'put' }, to: 'put' } },
  cards: { put: { blocks: ['first', 'second', 'stored'] } },
  blocks: {
    first: { type: 'table', props: { do: 'insert', table: 'notes', set: { person: { var: 'contact.id' } } } },
    second: { type: 'table', props: { do: 'insert', table: 'notes', set: { person: { var: 'contact.id' } } } },
    stored: { type: 'message', props: { text: 'stored' } },
  },
  texts: { stored: { en: 'Stored' } },
} as const;

const peopleOf = (count: number): number[] =>
  Array.from({ length: count }, () => roost.simulator.people.create({ first_name: 'P' }).id);
const heard = (chat: number): boolean =>
  roost.calls({ chat, method: 'sendMessage' }).some((call) => call.params?.includes('Stored'));
const rowsOf = async (person: number): Promise<number> =>
  (
    await roost.db.one<{ count: number }>(
      sql`select count(*)::integer as count from record where (values->>'person')::bigint = ${person}`,
    )
  )?.count ?? 0;

test('many turns are answered in rounds, in one transaction', async () => {
  const bot = await roost.bot(keeper);
  const people = peopleOf(30);
  for (const user of people) roost.simulator.people.text({ user, bot: bot.id, text: '/put' });
  await until(() => people.every(heard), Boolean);
  expect(await Promise.all(people.map(rowsOf))).toEqual(people.map(() => 2));
  expect(Math.max(...sizes)).toBeGreaterThan(1);
  expect(roost.calls({ method: 'sendMessage' })).toHaveLength(30);
});

test('one that fails falls out, and the others are answered', async () => {
  const bot = await roost.bot(keeper);
  const people = peopleOf(10);
  const [bad = 0, ...good] = people;
  await roost.db.run({
    text: `create function refuse() returns trigger language plpgsql as $$ begin raise 'no' using errcode = '22003'; end $$`,
    values: [],
  });
  await roost.db.run({
    text: `create trigger refuse before insert on record for each row when ((new.values->>'person')::bigint = ${bad}) execute function refuse()`,
    values: [],
  });
  for (const user of people) roost.simulator.people.text({ user, bot: bot.id, text: '/put' });
  await until(() => good.every(heard), Boolean);
  expect([heard(bad), await rowsOf(bad)]).toEqual([false, 0]);
  await roost.db.run({ text: 'drop trigger refuse on record', values: [] });
  await until(() => heard(bad), Boolean);
  expect(await Promise.all(people.map(rowsOf))).toEqual(people.map(() => 2));
});
