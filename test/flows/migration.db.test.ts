import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { doorkeeper } from '../support/documents.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';

/** Pauses for an hour, then asks and waits for an answer for an hour. Time itself never passes: see `endWaits`. */
const patientGroup = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  variables: { name: { type: 'text', scope: 'conversation' } },
  triggers: {
    pause: { type: 'command', in: ['private', 'group'], props: { command: 'pause' }, to: 'pausing' },
    ask: { type: 'command', in: ['private', 'group'], props: { command: 'ask' }, to: 'asking' },
  },
  cards: {
    pausing: { blocks: ['hour', 'hourOver', 'on'] },
    asking: { blocks: ['question', 'thanks'] },
    late: { blocks: ['tooLate'] },
  },
  blocks: {
    hour: { type: 'wait', props: { for: 'PT1H' } },
    hourOver: { type: 'message', props: { text: 'hourOver.text' } },
    on: { type: 'jump', props: {}, exits: { to: 'asking' } },
    question: {
      type: 'input',
      props: { kind: 'text', into: 'name', text: 'question.text', timeout: 'PT1H' },
      exits: { timeout: 'late' },
    },
    thanks: { type: 'message', props: { text: 'thanks.text' } },
    tooLate: { type: 'message', props: { text: 'tooLate.text' } },
  },
  texts: {
    'hourOver.text': { en: ['An hour is over in ', { var: 'chat.id' }] },
    'question.text': { en: 'Who are you?' },
    'thanks.text': { en: 'Thank you' },
    'tooLate.text': { en: 'Too late' },
  },
} as const;

let roost: Roost;
let bot: { id: number };
let anna: number;
/** The group as it was. */
let group: number;

beforeEach(async () => {
  roost = await startRoost();
});
afterEach(() => roost.close());

async function begin(document: object): Promise<void> {
  bot = await roost.bot(document);
  anna = roost.simulator.people.create({ first_name: 'Anna' }).id;
  group = roost.simulator.people.createGroup({ title: 'G', type: 'group', creator: anna, bots: [bot.id] }).id;
  await quiet();
}

const say = (chat: number, text: string): unknown =>
  roost.simulator.people.text({ user: anna, bot: bot.id, chat, text });

/** What Telegram has accepted for a chat. */
const texts = (chat: number): string[] =>
  roost
    .calls({ chat, method: 'sendMessage' })
    .filter((call) => call.accepted)
    .map((call) => (JSON.parse(call.params ?? '{}') as { text?: string }).text ?? '');

const heard = (chat: number, count: number): Promise<string[]> =>
  until(
    () => texts(chat),
    (found) => found.length >= count,
  );

const count = async (query: Parameters<typeof roost.db.one>[0]): Promise<number> =>
  (await roost.db.one<{ count: number }>(query))?.count ?? 0;

const timers = (): Promise<number> => count(sql`select count(*)::int as count from timer`);
const waiting = (timersWanted: number): Promise<number> => until(timers, (found) => found === timersWanted);

/** Nothing is on its way from Telegram, and every update that came was handled. */
async function quiet(): Promise<void> {
  await until(
    async () => {
      const queued = roost.simulator.world.bots.get(bot.id)?.queue.pending.size ?? 0;
      return queued + (await count(sql`select count(*)::int as count from inbox where state = 0`));
    },
    (left) => left === 0,
  );
}

/** The group becomes a supergroup, and both of its service messages were handled. */
async function migrate(): Promise<number> {
  const { id } = roost.simulator.people.migrate({ chat: group });
  await until(
    () => count(sql`select count(*)::int as count from contact where migrated_to = ${id}`),
    (found) => found === 1,
  );
  await quiet();
  return id;
}

/** Lets every wait end now. */
const endWaits = (): Promise<unknown> => roost.db.run(sql`update timer set due_at = now()`);

/** One more of the service messages, as Telegram may repeat it. */
function notice(chat: number, type: string, more: object): void {
  const message = { message_id: 900_000, date: 1_796_000_000, chat: { id: chat, type, title: 'G' }, ...more };
  const from = { id: anna, is_bot: false, first_name: 'Anna' };
  roost.simulator.people.inject({
    bot: bot.id,
    body: JSON.stringify({ update_id: nextId++, message: { from, ...message } }),
  });
}
let nextId = 1_900_000_000;

describe('a group that becomes a supergroup takes along', () => {
  test('a pause: it ends in the new chat, in that chat’s lane', async () => {
    await begin(patientGroup);
    say(group, '/pause');
    await waiting(1);
    const fresh = await migrate();
    await endWaits();
    expect(await heard(fresh, 2)).toEqual([`An hour is over in ${fresh}`, 'Who are you?']);
    expect(texts(group)).toEqual([]);
    expect(await roost.db.many(sql`select distinct lane from inbox where key like 'timer:%'`)).toEqual([
      { lane: fresh },
    ]);
    // It goes on like any other.
    say(fresh, 'Anna');
    expect((await heard(fresh, 3)).at(-1)).toBe('Thank you');
    await waiting(0);
  });

  test('a question: its time ends in the new chat', async () => {
    await begin(patientGroup);
    say(group, '/ask');
    await heard(group, 1);
    const fresh = await migrate();
    await endWaits();
    expect(await heard(fresh, 1)).toEqual(['Too late']);
  });

  test('a question: it is answered in the new chat, and its timer is called off', async () => {
    await begin(patientGroup);
    say(group, '/ask');
    await heard(group, 1);
    const fresh = await migrate();
    say(fresh, 'Anna');
    expect(await heard(fresh, 1)).toEqual(['Thank you']);
    await waiting(0);
  });

  test('a question to Telegram whose answer is under way', async () => {
    const members = roost.simulator.people.createGroup({ title: 'Members', type: 'supergroup' });
    const document = doorkeeper(members.id);
    await begin({
      ...document,
      triggers: { start: { ...document.triggers.start, in: ['private', 'group'] } },
    });
    roost.simulator.people.join({ chat: members.id, bot: bot.id });
    await quiet();
    const unreachable = roost.simulator.faults.add({ kind: 'refused', method: 'getChatMember' });
    say(group, '/start');
    await until(
      () => count(sql`select count(*)::int as count from outbox where method = 'getChatMember'`),
      (found) => found === 1,
    );
    const fresh = await migrate();
    roost.simulator.faults.remove(unreachable.id);
    expect(await heard(fresh, 1)).toEqual(['Join first']);
  });

  test('what was waiting in the inbox of the old chat', async () => {
    await begin(patientGroup);
    say(group, '/ask');
    await heard(group, 1);
    const fresh = await migrate();
    // Said before the group became another one, and delivered after that.
    notice(group, 'group', { message_id: 800_000, text: 'Anna' });
    expect(await heard(fresh, 1)).toEqual(['Thank you']);
    await waiting(0);
  });
});

describe('the word that a group became a supergroup', () => {
  /** Telegram knows of it, but has not told: the bot learns it from the answer to its next message. */
  function migrateUnheard(): number {
    const { id } = roost.simulator.people.createGroup({ title: 'G', type: 'supergroup', creator: anna });
    const chat = roost.simulator.world.groups.get(id);
    chat?.members.set(bot.id, 'member');
    const old = roost.simulator.world.groups.get(group);
    if (old) old.migratedTo = id;
    return id;
  }

  test('may come after a timer, by the answer to what that timer sends; a later timer follows', async () => {
    await begin(patientGroup);
    say(group, '/pause');
    await waiting(1);
    const fresh = migrateUnheard();
    await endWaits();
    expect(await heard(fresh, 2)).toEqual([`An hour is over in ${group}`, 'Who are you?']);
    await waiting(1);
    await endWaits();
    expect((await heard(fresh, 3)).at(-1)).toBe('Too late');
    // What the old chat remembered went along: nothing waits there or here, so nobody is thanked in between.
    say(fresh, 'Anna');
    say(fresh, '/ask');
    expect((await heard(fresh, 4)).slice(2)).toEqual(['Too late', 'Who are you?']);
  });

  test('may come by the answer to a message, and the service messages later', async () => {
    await begin(patientGroup);
    say(group, '/pause');
    await waiting(1);
    const fresh = migrateUnheard();
    await endWaits();
    await heard(fresh, 2);
    notice(fresh, 'supergroup', { migrate_from_chat_id: group });
    notice(group, 'group', { migrate_to_chat_id: fresh });
    await quiet();
    say(fresh, 'Anna');
    expect((await heard(fresh, 3)).at(-1)).toBe('Thank you');
    await waiting(0);
  });

  test('may be repeated when the conversation has gone on', async () => {
    await begin(patientGroup);
    say(group, '/pause');
    await waiting(1);
    const fresh = await migrate();
    await endWaits();
    await heard(fresh, 2);
    for (const id of [1, 2]) {
      notice(group, 'group', { message_id: 900_000 + id, migrate_to_chat_id: fresh });
      notice(fresh, 'supergroup', { message_id: 900_000 + id, migrate_from_chat_id: group });
    }
    await quiet();
    await endWaits();
    expect((await heard(fresh, 3)).at(-1)).toBe('Too late');
  });

  test('is remembered by the next process', async () => {
    await begin(patientGroup);
    say(group, '/ask');
    await heard(group, 1);
    const fresh = await migrate();
    await roost.running.stop();
    await endWaits();
    await roost.another(['edge', 'core', 'control']);
    expect(await heard(fresh, 1)).toEqual(['Too late']);
  });
});
