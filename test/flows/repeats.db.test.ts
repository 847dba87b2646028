import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { collector, parrot } from '../support/documents.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';

let roost: Roost;
let bot: { id: number };
let anna: number;
let nextId = 1_900_000_000;

beforeEach(async () => {
  roost = await startRoost();
  anna = roost.simulator.people.create({ first_name: 'Anna' }).id;
});
afterEach(() => roost.close());

const say = (text: string): unknown => roost.simulator.people.text({ user: anna, bot: bot.id, text });

const texts = (): string[] =>
  roost
    .calls({ chat: anna, method: 'sendMessage' })
    .filter((call) => call.accepted)
    .map((call) => (JSON.parse(call.params ?? '{}') as { text?: string }).text ?? '');

const heard = (count: number): Promise<string[]> => until(texts, (found) => found.length >= count);

/** Everything that Telegram has delivered so far, as it stands in the inbox. */
const delivered = (count: number): Promise<{ body: string }[]> =>
  until(
    () => roost.db.many<{ body: string }>(sql`select body from inbox order by seq`),
    (rows) => rows.length === count,
  );

/** Telegram delivers the same once more, each under a new update_id. */
function repeat(rows: readonly { body: string }[]): void {
  for (const { body } of rows) {
    const update = JSON.parse(body) as { update_id: number };
    roost.simulator.people.inject({ bot: bot.id, body: JSON.stringify({ ...update, update_id: nextId++ }) });
  }
}

/** Why updates were not given to the flow; waits for so many. */
async function ignored(count: number): Promise<string> {
  const rows = await until(
    () => roost.db.many<{ trace: string }>(sql`select trace from inbox where state = 4`),
    (found) => found.length >= count,
  );
  return rows.map(({ trace }) => trace).join();
}

describe('a message that comes again under another update_id', () => {
  test('has its effect once, also where others came in between', async () => {
    bot = await roost.bot(parrot);
    say('hello');
    say('pay');
    await heard(2);
    repeat(await delivered(2));
    say('more');
    expect(await heard(3)).toEqual(['1: hello', '2: pay', '3: more']);
    expect(await ignored(2)).toContain('under another update_id');
    expect(await roost.db.one(sql`select vars->>'all' as "all" from bot_memory`)).toEqual({ all: '3' });
  });

  test('is known again by the next process, from what the conversation has committed', async () => {
    bot = await roost.bot(parrot);
    say('pay');
    await heard(1);
    const [pay] = await delivered(1);
    await roost.running.stop();
    await roost.another(['edge', 'core', 'control']);
    // It listens elsewhere, so the rows are put where the webhook would put them.
    for (const body of [pay?.body ?? '', withNumber(pay?.body ?? '', 77)])
      await roost.db.run(sql`
        insert into inbox (integration_id, key, bucket, lane, body)
        select integration_id, ${String(nextId++)}, bucket, lane, ${body}::json from inbox limit 1`);
    expect(await heard(2)).toEqual(['1: pay', '2: pay']);
    expect(await ignored(1)).toContain('under another update_id');
  });

  test('and was never handled is handled, whatever its number', async () => {
    bot = await roost.bot(parrot);
    say('hello');
    const [row] = await delivered(1);
    await heard(1);
    repeat([{ body: withNumber(row?.body ?? '', 5_000) }, { body: withNumber(row?.body ?? '', 4_000) }]);
    expect(await heard(3)).toEqual(['1: hello', '2: hello', '3: hello']);
  });

  test('is one album, whether it comes at once or later', async () => {
    bot = await roost.bot({
      ...collector,
      triggers: { ...collector.triggers, end: anyText },
    });
    roost.simulator.people.album({ user: anna, bot: bot.id, items: [{ kind: 'photo' }, { kind: 'photo' }] });
    const parts = await delivered(2);
    repeat(parts);
    expect(await heard(1)).toEqual(['Got album']);
    await delivered(4);
    await until(
      () => roost.db.one<{ left: number }>(sql`select count(*)::int as left from inbox where state = 0`),
      (row) => row?.left === 0,
    );
    repeat(parts);
    await delivered(6);
    say('over');
    expect(await heard(2)).toEqual(['Got album', 'Got text']);
    await ignored(2);
  });

  test('a part that comes after its album was answered begins nothing', async () => {
    bot = await roost.bot({ ...collector, triggers: { ...collector.triggers, end: anyText } });
    roost.simulator.people.album({ user: anna, bot: bot.id, items: [{ kind: 'photo' }, { kind: 'photo' }] });
    const [part] = await delivered(2);
    expect(await heard(1)).toEqual(['Got album']);
    repeat([{ body: withNumber(part?.body ?? '', 9_000) }]);
    await delivered(3);
    say('over');
    expect(await heard(2)).toEqual(['Got album', 'Got text']);
    expect(await ignored(1)).toContain('a part of an album that was answered');
  });
});

const anyText = { type: 'text', props: { any: true }, to: 'got' };

function withNumber(body: string, number: number): string {
  const update = JSON.parse(body) as { message: object };
  return JSON.stringify({ ...update, message: { ...update.message, message_id: number } });
}
