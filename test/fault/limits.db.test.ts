import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScene, type Scene } from './scene.ts';
import type { ServerProcess } from './servers.ts';
import { until } from './waiting.ts';

let scene: Scene;
beforeAll(async () => {
  // One bot and many people: what they ask for at once is several seconds of what a bot may send.
  scene = await openScene({ bots: 1, chatsABot: 60, groupsABot: 1 });
});
afterAll(() => scene.close());

test('the limits of a bot, a chat and a group hold exactly while its owner dies and others take over, twice', async () => {
  const { crowd, installation } = scene;
  const { simulator } = installation;
  const group = crowd.chats.find((chat) => chat.id < 0);
  if (!group) throw new Error('no group');
  await Promise.all([
    installation.serve(['edge', 'core']),
    installation.serve(['edge', 'core']),
    installation.serve(['core']),
  ]);
  const busy = crowd.chats.filter((chat) => chat.id > 0).slice(0, 5);
  for (let round = 1; round <= 2; round += 1) {
    const before = simulator.calls.accepted;
    // All at once is more than a bot may send in a second; what the busy ones ask for, more than a chat may get in ten.
    crowd.sayAll();
    for (let count = 0; count < 9; count += 1) for (const chat of busy) crowd.say(chat);
    for (let count = 0; count < 6; count += 1) crowd.say(group);
    await until(
      'half of them to be answered',
      () => simulator.calls.accepted - before,
      (count) => count > 60,
    );
    // Between two owners the bot has none.
    const owner = await until(
      'the bot to have an owner',
      () => ownerOf(scene),
      (server) => server !== undefined,
    );
    await owner?.kill();
    await installation.serve(['edge', 'core']);
  }
  const { sent } = await scene.settle();
  expect(sent.filter((call) => call.accepted).length).toBeGreaterThanOrEqual(crowd.total());
}, 600_000);

/** The process that has the bot's bucket now, and lives. */
async function ownerOf({ installation }: Scene): Promise<ServerProcess | undefined> {
  const row = await installation.db.one<{ pid: number }>({
    text: 'select n.pid from integration i join bucket b on b.id = i.bucket join node n on n.id = b.owner and n.ended is null',
    values: [],
  });
  return installation.living().find((server) => server.pid === row?.pid);
}
