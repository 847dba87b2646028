import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../kernel/migrate.ts';
import { sql } from '../../kernel/sql.ts';
import { startTestCluster, type TestCluster } from '../support/cluster.ts';
import { isSole, ownersOf } from './owners.ts';
import { createProxy, type Loss, type TcpProxy } from './proxy.ts';
import { openScene, type Scene } from './scene.ts';
import type { ServerProcess } from './servers.ts';
import { pause, until } from './waiting.ts';

const testMs = 600_000;

/** A scene whose first server reaches its database through a proxy. */
async function openBehindProxy(): Promise<{ scene: Scene; proxy: TcpProxy; server: ServerProcess }> {
  const scene = await openScene();
  const proxy = await createProxy();
  proxy.set([{ port: Number(new URL(scene.tcpUrl).port) }]);
  const through = new URL(scene.tcpUrl);
  through.port = String(proxy.port);
  const server = await scene.installation.serve(['edge', 'core'], { url: through.href, directUrl: through.href });
  return { scene, proxy, server };
}

describe('an answer of the database is lost: what was asked for is done, and nobody knows', () => {
  let scene: Scene;
  let proxy: TcpProxy;
  beforeAll(async () => {
    ({ scene, proxy } = await openBehindProxy());
  });
  afterAll(async () => {
    await proxy.close();
    await scene.close();
  });

  const isCommit = (piece: string): boolean => piece.includes('COMMIT');
  const losses: readonly [string, Loss][] = [
    [
      'updates stored',
      { request: (piece) => piece.includes('insert into inbox (integration_id, bucket, lane'), times: 3 },
    ],
    [
      'turns committed',
      { request: (piece) => piece.includes('insert into outbox (integration_id'), answer: isCommit, times: 3 },
    ],
    [
      'messages marked as being sent',
      { request: (piece) => piece.includes('set state = 1, owner_token'), answer: isCommit, times: 3 },
    ],
    ['results recorded', { request: (piece) => piece.includes('update outbox o set state = u.state'), times: 3 }],
    ['the lease renewed', { request: (piece) => piece.includes('update node set lease_until') }],
  ];
  test.each(losses)(
    '%s',
    async (_name, loss) => {
      proxy.lose(loss);
      await scene.during(() =>
        until(
          'the answers to be lost',
          () => loss.lost ?? 0,
          (lost) => lost === (loss.times ?? 1),
        ),
      );
      proxy.lose(undefined);
      await scene.settle();
    },
    testMs,
  );

  test(
    'buckets claimed from a process that has died',
    async () => {
      const other = await scene.installation.serve(['edge', 'core']);
      await until(
        'it to have its share',
        () => other.logged('node.gained').length,
        (count) => count > 0,
      );
      const loss: Loss = { request: (piece) => piece.includes('with free as materialized') };
      await scene.during(async () => {
        proxy.lose(loss);
        await other.kill();
        await until(
          'the answer to be lost',
          () => loss.lost ?? 0,
          (lost) => lost === 1,
        );
      });
      await scene.settle();
    },
    testMs,
  );

  test(
    'buckets released to a process that has joined and dies right after',
    async () => {
      const loss: Loss = { request: (piece) => piece.includes('update bucket set owner = null') };
      proxy.lose(loss);
      const other = await scene.during(async () => {
        const joined = await scene.installation.serve(['core']);
        await until(
          'the answer to be lost',
          () => loss.lost ?? 0,
          (lost) => lost === 1,
        );
        return joined;
      });
      await scene.during(() => other.kill());
      await scene.settle();
      await until('the one that lives to own everything', () => ownersOf(scene.installation.db), isSole);
    },
    testMs,
  );
});

describe('the connection to the database is half open', () => {
  test(
    'a process that hears nothing from it lets go in time, another takes over, and it comes back',
    async () => {
      const { scene, proxy, server } = await openBehindProxy();
      try {
        const other = await scene.installation.serve(['edge', 'core']);
        await until(
          'both to share',
          () => other.logged('node.gained').length,
          (count) => count > 0,
        );
        await scene.during(async () => {
          proxy.blackhole(true);
          await until(
            'the other to have everything',
            () => ownersOf(scene.installation.db),
            (owners) => isSole(owners) && owners[0]?.pid === other.pid,
          );
          proxy.blackhole(false);
          await until(
            'it to be back',
            () => server.logged('node.gained').length,
            (count) => count > 1,
          );
        }, 40);
        await scene.settle();
      } finally {
        // First: what it holds open for nobody would be found as a leak.
        await proxy.close();
        await scene.close();
      }
    },
    testMs,
  );
});

describe('the database itself', () => {
  let cluster: TestCluster;
  let scene: Scene;
  beforeAll(async () => {
    // What was committed must outlive a crash, as in a real installation.
    cluster = await startTestCluster({ synchronous_commit: 'on' });
    await migrate(cluster.url());
    scene = await openScene({ ground: { url: cluster.url(), tcpUrl: cluster.tcpUrl(), close: cluster.stop } });
    await Promise.all([scene.installation.serve(['edge', 'core']), scene.installation.serve(['edge', 'core'])]);
  }, testMs);
  afterAll(() => scene.close());

  test(
    'is stopped at once under load, three times, and comes back',
    async () => {
      await scene.during(async () => {
        for (const downMs of [0, 500, 3_000]) {
          await pause(1_500);
          await cluster.crash();
          await pause(downMs);
          await cluster.restart();
        }
        await pause(1_000);
      });
      await scene.settle();
      expect(scene.installation.lastWords()).toEqual([]);
    },
    testMs,
  );

  test(
    'ends connections at random',
    async () => {
      await scene.during(async () => {
        for (let round = 0; round < 12; round += 1) {
          await pause(300);
          await scene.installation.db.run(sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`);
        }
      });
      await scene.settle();
      expect(scene.installation.lastWords()).toEqual([]);
    },
    testMs,
  );
});
