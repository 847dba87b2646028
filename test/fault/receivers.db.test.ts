import { afterAll, beforeAll, test } from 'vitest';
import { openScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ bots: 4, chatsABot: 15 });
  await Promise.all([scene.installation.serve(['edge', 'core']), scene.installation.serve(['edge', 'core'])]);
});
afterAll(() => scene.close());

test('two receivers: texts of one chat come in through both, and are worked on in their order', async () => {
  const { crowd, installation } = scene;
  for (let round = 0; round < 4; round += 1) {
    crowd.sayAll(2);
    // New connections, so that the next texts come in another way than the last ones.
    installation.front.set(installation.living().map(({ port }) => ({ port })));
    await scene.settle();
  }
}, 300_000);
