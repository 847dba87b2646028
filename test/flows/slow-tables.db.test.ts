import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { parrot } from '../support/documents.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';

let roost: Roost;
beforeEach(async () => {
  roost = await startRoost();
});
afterEach(() => roost.close());

/** `put` writes a row; whatever else is said is answered without a table. */
const keeper = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  tables: { notes: { columns: { words: { type: 'text' } } } },
  triggers: {
    put: { type: 'command', props: { command: 'put' }, to: 'put' },
    any: { type: 'text', props: { any: true }, to: 'pong' },
  },
  cards: { put: { blocks: ['insert', 'stored'] }, pong: { blocks: ['answer'] } },
  blocks: {
    insert: { type: 'table', props: { do: 'insert', table: 'notes', set: { words: 'x' } } },
    stored: { type: 'message', props: { text: 'stored' } },
    answer: { type: 'message', props: { text: 'pong' } },
  },
  texts: { stored: { en: 'Stored' }, pong: { en: 'Pong' } },
} as const;

const say = (bot: number, user: number, text: string) => roost.simulator.people.text({ user, bot, text });
const answers = (chat: number): string[] =>
  roost
    .calls({ chat, method: 'sendMessage' })
    .map((call) => (JSON.parse(call.params ?? '{}') as { text?: string }).text ?? '');
const heard = (chat: number, text: string) => until(() => answers(chat).includes(text), Boolean);

/** From now on each write to this project's tables takes a minute. */
async function makeSlow(project: string): Promise<void> {
  await roost.db.run(sql`
    create function slowly() returns trigger language plpgsql as $$
    begin
      if new.project_id = (select id from project where name = tg_argv[0]) then perform pg_sleep(60); end if;
      return new;
    end $$`);
  await roost.db.run({
    text: `create trigger slow before insert on record for each row execute function slowly('${project}')`,
    values: [],
  });
}

/** The slow writes that are under way, each by where and when it began. */
const sleepers = async (): Promise<string[]> => {
  const rows = await roost.db.many<{ began: string }>(sql`
    select pid || ' ' || query_start as began from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep' and pid <> pg_backend_pid()`);
  return rows.map(({ began }) => began);
};

/** Asks until an answer comes within one slow write: who waits for those is never answered so. */
async function answeredMeanwhile(ask: () => void, count: () => number): Promise<void> {
  for (;;) {
    const before = await until(sleepers, (found) => found.length > 0);
    const had = count();
    ask();
    await until(count, (now) => now > had);
    const after = await sleepers();
    if (after.some((began) => before.includes(began))) return;
  }
}

test('what one bot asks of its tables holds up no other bot, and is over in the database when its time is over', async () => {
  const slow = await roost.bot(keeper, { name: 'Slow' });
  const other = await roost.bot(keeper, { name: 'Other' });
  const good = await roost.bot(parrot, { name: 'Good' });
  await makeSlow('Slow');
  const people = [1, 2, 3].map(() => roost.simulator.people.create({ first_name: 'P' }).id);
  const [mary = 0, paul = 0] = [1, 2].map(() => roost.simulator.people.create({ first_name: 'M' }).id);

  for (const each of people) say(slow.id, each, '/put');
  await answeredMeanwhile(
    () => say(good.id, mary, 'hello'),
    () => roost.calls({ bot: good.id, chat: mary, method: 'sendMessage' }).length,
  );
  await answeredMeanwhile(
    () => say(other.id, paul, '/put'),
    () => answers(paul).filter((text) => text === 'Stored').length,
  );

  // It counts as an attempt, so it ends as a dead letter; nothing of it goes on.
  const tried = sql`
    select i.attempts, i.error from inbox i join integration g on g.id = i.integration_id
    where g.public_id = ${slow.publicId} and i.attempts > 0`;
  const rows = await until(
    () => roost.db.many<{ error: string }>(tried),
    (found) => found.length > 0,
  );
  expect(rows[0]?.error).toContain('A question to a table takes more than 3000 ms.');
  await until(sleepers, (found) => found.length <= 2);
});

test('the other chats of a bot go on between the attempts of a slow one', async () => {
  const slow = await roost.bot(keeper, { name: 'Slow' });
  await makeSlow('Slow');
  const [anna = 0, ben = 0] = [1, 2].map(() => roost.simulator.people.create({ first_name: 'P' }).id);
  say(slow.id, anna, '/put');
  await until(
    () => roost.db.run(sql`select from inbox where state = 0 and attempts = 1`),
    (count) => count === 1,
  );
  say(slow.id, ben, 'ping');
  await heard(ben, 'Pong');
});
