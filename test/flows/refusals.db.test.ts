import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { doorkeeper } from '../support/documents.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';

// What Telegram refuses, and whom that is about: the chat that a question names is not the chat of whoever is answered.
let roost: Roost;
beforeEach(async () => {
  roost = await startRoost();
});
afterEach(() => roost.close());

const heard = (chat: number, count: number): Promise<string[]> =>
  until(
    () =>
      roost
        .calls({ chat, method: 'sendMessage' })
        .filter((call) => call.accepted)
        .map((call) => (JSON.parse(call.params ?? '{}') as { text: string }).text),
    (texts) => texts.length >= count,
  );
const questions = () => roost.calls({ method: 'getChatMember' });
const contact = (id: number) =>
  roost.db.one<{ unreachable: string | null; migrated_to: number | null; tags: string[] }>(
    sql`select unreachable, migrated_to, tags from contact where contact_id = ${id}`,
  );

/** Somebody in a group, and a bot that asks whether one is. */
async function atTheDoor() {
  const anna = roost.simulator.people.create();
  const club = roost.simulator.people.createGroup({ title: 'Club', type: 'group', members: [anna.id] } as never);
  const document = doorkeeper(club.id);
  document.blocks.member.exits = { stranger: 'no', error: 'no' } as never;
  const bot = await roost.bot(document);
  roost.simulator.people.join({ chat: club.id, bot: bot.id } as never);
  const ask = (user: number): void => void roost.simulator.people.text({ user, bot: bot.id, text: '/start' });
  return { anna, club, bot, ask };
}

describe('a question about a chat', () => {
  test('that is a supergroup now is asked about that one, and the person stays who they are', async () => {
    const { anna, club, ask } = await atTheDoor();
    const fresh = roost.simulator.people.migrate({ chat: club.id });
    ask(anna.id);
    expect(await heard(anna.id, 1)).toEqual(['Welcome']);
    const asked = questions().map((call) => (JSON.parse(call.params ?? '{}') as { chat_id: number }).chat_id);
    expect(asked).toEqual([club.id, fresh.id]);
    expect((await contact(anna.id))?.migrated_to).toBeNull();
    expect(roost.calls({ chat: fresh.id, method: 'sendMessage' })).toEqual([]);
  });

  test('that moves whenever it is asked ends in its exit for errors', async () => {
    const { anna, ask } = await atTheDoor();
    roost.simulator.faults.add({ kind: 'migrate', method: 'getChatMember', migrate_to_chat_id: -1_009_999_999_991 });
    ask(anna.id);
    expect(await heard(anna.id, 1)).toEqual(['Join first']);
    expect(questions()).toHaveLength(2);
  });

  test('that the bot may not see ends in its exit for errors, and the person can still be written to', async () => {
    const { anna, ask } = await atTheDoor();
    const description = 'Forbidden: bot is not a member of the channel chat';
    roost.simulator.faults.add({ kind: '403', method: 'getChatMember', description, times: 1 });
    ask(anna.id);
    expect(await heard(anna.id, 1)).toEqual(['Join first']);
    expect((await contact(anna.id))?.unreachable).toBeNull();
    ask(anna.id);
    expect(await heard(anna.id, 2)).toEqual(['Join first', 'Welcome']);
  });

  test('that Telegram puts off waits by itself: its person, the others and the bot go on', async () => {
    const { anna, bot, ask } = await atTheDoor();
    const boris = roost.simulator.people.create();
    roost.simulator.faults.add({ kind: '429', method: 'getChatMember', retry_after: 3_000, times: 2 });
    ask(anna.id);
    ask(boris.id);
    const parked = await until(
      () => roost.db.many<{ chat_id: number }>(sql`select chat_id from park`),
      (rows) => rows.length === 2,
    );
    expect(parked.map((row) => row.chat_id)).not.toContain(0);
    expect(parked.map((row) => row.chat_id)).not.toContain(anna.id);
    roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
    expect(await heard(anna.id, 1)).toEqual(['Welcome']);
  });
});

test('an edit that cannot reach the person takes its exit', async () => {
  const bot = await roost.bot({
    roost: 1,
    locales: ['en'],
    defaultLocale: 'en',
    triggers: { start: { type: 'command', props: { command: 'start' }, to: 'hello' } },
    cards: { hello: { blocks: ['menu'] }, pressed: { blocks: ['change'] }, gone: { blocks: ['note'] } },
    blocks: {
      menu: { type: 'message', props: { text: 'menu', buttons: [[{ id: 'b', label: 'b' }]] }, exits: { b: 'pressed' } },
      change: { type: 'edit', props: { target: 'pressed', text: 'changed' }, exits: { blocked: 'gone' } },
      note: { type: 'tag', props: { add: ['gone'] } },
    },
    texts: { menu: { en: 'Choose' }, b: { en: 'This' }, changed: { en: 'Chosen' } },
  });
  const anna = roost.simulator.people.create();
  roost.simulator.faults.add({ kind: '403', method: 'editMessageText', times: 1 });
  roost.simulator.people.text({ user: anna.id, bot: bot.id, text: '/start' });
  await heard(anna.id, 1);
  roost.simulator.people.press({ user: anna.id, bot: bot.id, text: 'This' });
  const person = await until(
    () => contact(anna.id),
    (row) => (row?.tags ?? []).length > 0,
  );
  expect(person).toMatchObject({ unreachable: 'blocked', tags: ['gone'] });
});
