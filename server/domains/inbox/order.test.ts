import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../kernel/db.ts';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { Intake } from './intake.ts';
import { readUpdate } from './reading.ts';

const kit = realKit(createLog({ level: 'silent' }));
const bot = { id: 1, bucket: 1 };
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => void process.off('unhandledRejection', note));

const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
const refused = Object.assign(new Error('no such value'), { code: '22P02' });
const plain = (id: number): Buffer => Buffer.from(JSON.stringify({ update_id: id, message: { chat: { id: 7 } } }));
/** Keeps its bytes, so that it goes in a statement of its own. */
const exact = (id: number): Buffer =>
  Buffer.concat([
    Buffer.from(`{"update_id":${id},"callback_query":{"from":{"id":5},"data":"`),
    Buffer.from([0xff]),
    Buffer.from('"}}'),
  ]);

/** An intake before a database of which each statement ends as it is told, and what was handed on. */
function scene(endings: readonly (Error | 'stored')[]): { intake: Intake; handed: string[]; asked: () => number } {
  let asked = 0;
  const ask = async (): Promise<{ seq: number }> => {
    const ending = endings[asked] ?? 'stored';
    asked += 1;
    // Later than this turn of the event loop, as a database answers.
    await new Promise((resolve) => setImmediate(resolve));
    if (ending !== 'stored') throw ending;
    return { seq: asked };
  };
  const db = {
    one: ask,
    many: async ({ values }: { values: readonly unknown[] }) => {
      const { seq } = await ask();
      return (values[4] as string[]).map((key) => ({ integration_id: 1, key, seq }));
    },
  };
  const intake = new Intake(kit, db as unknown as Db, { id: () => 'x', receives: () => true });
  const handed: string[] = [];
  intake.onStored((rows) => void handed.push(...rows.map((row) => row.key)));
  return { intake, handed, asked: () => asked };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test.each([
  ['two with exact bytes, the first fails', [exact(1), exact(2)], [away], 1],
  ['a plain part before one with exact bytes', [plain(1), exact(2), plain(3)], [away], 1],
  ['the second of three', [exact(1), exact(2), exact(3)], ['stored' as const, away], 2],
  ['a batch that a value has refused, alone then', [plain(1), plain(2), plain(3)], [refused, away], 2],
])(
  'after one that is not stored none is stored, and no rejection is alone: %s',
  async (_what, bodies, endings, asks) => {
    const { intake, handed, asked } = scene(endings);
    await expect(intake.storeInOrder(bodies.map((body) => readUpdate(bot, body)))).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    await turns();
    expect(asked()).toBe(asks);
    expect(handed).toEqual(endings[0] === 'stored' ? ['1'] : []);
    expect(unhandled).toEqual([]);
  },
);

test('where all goes well all are handed on in order', async () => {
  const { intake, handed } = scene([]);
  await intake.storeInOrder([plain(1), plain(2), exact(3), plain(4)].map((body) => readUpdate(bot, body)));
  expect(handed).toEqual(['1', '2', '3', '4']);
});
