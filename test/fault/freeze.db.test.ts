import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultPointName } from '../../kernel/faultpoint.ts';
import { sql } from '../../kernel/sql.ts';
import { openScene, type Scene } from './scene.ts';
import type { ServerProcess } from './servers.ts';
import { until } from './waiting.ts';

const testMs = 300_000;
let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ bots: 24, chatsABot: 4 });
});
afterAll(() => scene.close());

/** How many buckets a living process owns, and how many processes there are. */
async function owners(): Promise<{ buckets: number; nodes: number }> {
  const row = await scene.installation.db.one<{ buckets: number; nodes: number }>(sql`
    select count(*)::int as buckets, count(distinct n.id)::int as nodes
    from bucket b join node n on n.id = b.owner and n.ended is null and n.lease_until > now()`);
  return row ?? { buckets: 0, nodes: 0 };
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
      await until('one process to own everything', owners, ({ buckets, nodes }) => buckets === 256 && nodes === 1);
    }, 40);
    for (const victim of victims) victim.thaw();
    await scene.during(
      () => until('all to share again', owners, ({ buckets, nodes }) => buckets === 256 && nodes === 6),
      40,
    );
    for (const victim of victims) expect(victim.logged('node.lapsed')).toHaveLength(1);
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
      expect(frozen.logged('intake.not_stored')).not.toEqual([]);
    } finally {
      await patient.close();
    }
  },
  testMs,
);
