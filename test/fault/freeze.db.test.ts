import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultPointName } from '../../kernel/faultpoint.ts';
import { isSole, ownersOf } from './owners.ts';
import { openScene, type Scene } from './scene.ts';
import type { ServerProcess } from './servers.ts';
import { until } from './waiting.ts';

const testMs = 600_000;
let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ bots: 24, chatsABot: 4 });
});
afterAll(() => scene.close());

const owners = (): ReturnType<typeof ownersOf> => ownersOf(scene.installation.db);

/** Its lease ran out, and for each time that it did, it had been held until then: 12 s, as a process believes in it. */
function expectLapsed(server: ServerProcess): void {
  const moments = server.logged('node.lapsed').map((line) => Date.parse(String(line['time'])));
  expect(moments).not.toEqual([]);
  const apart = moments.slice(1).map((moment, index) => moment - (moments[index] as number));
  for (const ms of apart) expect(ms).toBeGreaterThanOrEqual(11_900);
}

/** Stopped as the kernel shows it; the process itself cannot say. */
async function isStopped(server: ServerProcess): Promise<boolean> {
  const { readFile } = await import('node:fs/promises');
  return /^State:\s+T/m.test(await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => ''));
}

/**
 * Each of these processes freezes at another moment; all of them sleep past their leases, the one that is left takes
 * over everything, and then all of them wake at once and go on where they stood.
 */
test(
  'processes frozen at named moments past their lease, and woken when others have taken over',
  async () => {
    const { installation } = scene;
    await installation.serve(['edge', 'core']);
    const moments: readonly [FaultPointName, number][] = [
      ['intake-before-commit', 10],
      ['turn-before-commit', 10],
      ['turn-after-commit', 10],
      ['send-before-call', 10],
      ['send-after-call', 10],
    ];
    const victims = await Promise.all(
      moments.map(([point, after]) =>
        installation.serve(['edge', 'core'], { fault: { point, after, action: 'stop' } }),
      ),
    );
    await scene.during(async () => {
      for (const victim of victims)
        await until(
          'it to freeze',
          () => isStopped(victim),
          (stopped) => stopped,
        );
      await until('one process to own everything', owners, isSole);
    }, 40);
    for (const victim of victims) victim.thaw();
    await scene.during(
      () =>
        until(
          'all to share again',
          owners,
          (all) => all.length === 6 && all.reduce((sum, { buckets }) => sum + buckets, 0) === 256,
        ),
      40,
    );
    for (const victim of victims) expectLapsed(victim);
    await scene.settle();
  },
  testMs,
);

/**
 * It froze with an update in its hands and wakes while Telegram still waits for its answer. If it could store that
 * update now, Telegram would send the next one, and the owner, who believes to be the only receiver, would work on
 * the next one first.
 */
test(
  'a receiver frozen past its lease stores nothing any more when it wakes',
  async () => {
    const patient = await openScene({ bots: 1, chatsABot: 1, simulator: { webhookTimeoutMs: 60_000 } });
    try {
      const { installation, crowd } = patient;
      const fault = { point: 'intake-before-commit', after: 0, action: 'stop' } as const;
      const frozen = await installation.serve(['edge'], { fault });
      const [chat] = crowd.chats;
      if (!chat) throw new Error('nobody is there');
      for (let count = 0; count < 5; count += 1) crowd.say(chat);
      await until(
        'it to freeze',
        () => isStopped(frozen),
        (stopped) => stopped,
      );
      const owner = await installation.serve(['edge', 'core']);
      installation.front.set([{ port: owner.port }]);
      await until(
        'it to be given up',
        () => owner.logged('node.ended').length,
        (count) => count > 0,
      );
      frozen.thaw();
      await patient.settle();
      await until(
        'it to say that it stored nothing',
        () => frozen.logged('intake.not_stored').length,
        (count) => count > 0,
      );
    } finally {
      await patient.close();
    }
  },
  testMs,
);
