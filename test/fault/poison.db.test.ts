import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { openScene, type Scene } from './scene.ts';
import { until } from './waiting.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ bots: 1, chatsABot: 2 });
});
afterAll(() => scene.close());

const attemptsMax = 5;

test('an update that kills whoever works on it is a dead letter after a few deaths, and its chat goes on', async () => {
  const { crowd, installation } = scene;
  const [chat] = crowd.chats;
  if (!chat) throw new Error('nobody is there');
  const row = () =>
    installation.db.one<{ state: number; attempts: number }>(
      sql`select state, attempts from inbox order by seq limit 1`,
    );
  let deaths = 0;
  const text = crowd.say(chat);
  // Whoever is about to commit a turn dies: as if this update made every process fall over.
  for (; deaths < 2 * attemptsMax && (await row())?.state !== 3; deaths += 1) {
    const fault = { point: 'turn-before-commit', after: 0 } as const;
    const victim = await installation.serve(['edge', 'core'], { fault });
    const over = async (): Promise<boolean> => !victim.alive() || (await row())?.state === 3;
    await until('it to die, or to give the update up', over, (yes) => yes);
    if (victim.alive()) await victim.stop();
  }
  expect(await row()).toEqual({ state: 3, attempts: attemptsMax });
  await installation.serve(['edge', 'core']);
  const next = crowd.say(chat);
  const { outbox } = await scene.settle(undefined, ['stored', 'asked', 'repeats', 'order', 'limits']);
  expect(outbox.map((each) => each.text)).toEqual([`#1 ${next}`]);
  expect(text).not.toBe(next);
}, 600_000);
