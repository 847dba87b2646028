import { expect, test } from 'vitest';
import { createHttp } from '../../../kernel/http.ts';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { createMetrics } from '../../../kernel/metrics.ts';
import { registerMetrics } from './metrics.ts';
import { opsRoutes, type Probe, type Probes } from './routes.ts';

const info = {
  version: '0.1.0',
  schemaLevel: 3,
  codeLevel: 1,
  roles: ['edge'],
  identity: 'installation',
  node: 'node',
  startedAt: '2026-01-01T00:00:00.000Z',
};

async function server(ready: readonly Probe[], over: Partial<Probes> = {}): Promise<ReturnType<typeof createHttp>> {
  const app = createHttp(realKit(createLog({ level: 'silent' })));
  await app.register(opsRoutes({ draining: () => false, ready, info: () => info, metrics: createMetrics(), ...over }));
  return app;
}

test('a process is alive whatever the database does', async () => {
  const app = await server([{ name: 'database', check: () => new Promise(() => {}) }]);
  const answer = await app.inject('/livez');
  expect([answer.statusCode, answer.body]).toEqual([200, 'ok\n']);
});

test('ready when every probe is, and else says which is not', async () => {
  const good = await server([{ name: 'database', check: () => undefined }]);
  expect((await good.inject('/readyz')).json()).toEqual({ ready: true, checks: { database: 'ok' } });
  const bad = await server([
    { name: 'database', check: () => Promise.reject(new Error('gone: postgresql://roost:hunter22@db/roost')) },
    { name: 'schema', check: () => 'Migrations are missing.' },
    { name: 'queue', check: () => undefined },
  ]);
  const answer = await bad.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({
    ready: false,
    checks: { database: 'gone: postgresql://roost:[cut]@db/roost', schema: 'Migrations are missing.', queue: 'ok' },
  });
});

test('a process that stops is not ready at once, and asks nothing any more', async () => {
  let asked = 0;
  const app = await server([{ name: 'database', check: () => void (asked += 1) }], { draining: () => true });
  expect((await app.inject('/readyz')).statusCode).toBe(503);
  expect(asked).toBe(0);
});

test('many who ask at once share one look', async () => {
  let asked = 0;
  const app = await server([{ name: 'database', check: async () => void (asked += 1) }]);
  await Promise.all(Array.from({ length: 50 }, () => app.inject('/readyz')));
  expect(asked).toBe(1);
});

test('a probe that hangs makes a process not ready, in bounded time', async () => {
  const app = await server([{ name: 'database', check: () => new Promise(() => {}) }]);
  const answer = await app.inject('/readyz');
  expect(answer.json()).toEqual({ ready: false, checks: { database: 'No answer in 2 s.' } });
});

test('a process says what it is', async () => {
  expect((await (await server([])).inject('/_info')).json()).toEqual(info);
});

test('every metric that operators count on is there, with values and without people', async () => {
  const metrics = createMetrics();
  let reads = 0;
  const hot = registerMetrics(metrics, {
    info: { version: '0.1.0', roles: ['edge', 'core'], schemaLevel: 3 },
    received: () => ({ 'webhook stored': 5, 'polling stored': 2 }),
    turns: () => ({ done: 4 }),
    failedStores: () => 9,
    sends: () => ({ sent: 4 }),
    telegramRequests: () => ({ 'sendMessage 2xx': 4, 'sendMessage 4xx': 1 }),
    acknowledgements: () => ({ 'press answered': 7, 'checkout given_up': 1 }),
    retryAfterSeconds: () => 17,
    queue: async () => {
      reads += 1;
      return {
        depth: 3,
        oldestAgeSeconds: 1.5,
        deadLetters: 2,
        outboxDepth: 1,
        outboxOldestAgeSeconds: 0.5,
        unknownSends: 0,
      };
    },
    dbLoad: () => ({ inUse: 2, waiting: 0 }),
    submissions: () => ({ accepted: 6, 'refused SLOT_TAKEN': 2 }),
    appCache: () => ({ page: { entries: 3, bytes: 4_096, hits: 90, misses: 10 } }),
  });
  hot.updateProcessing.observe(0.004);
  const app = await server([], { metrics });
  const { body, headers } = await app.inject('/metrics');
  await app.inject('/metrics');
  expect(headers['content-type']).toContain('text/plain');
  for (const line of [
    'roost_updates_received_total{integration_kind="webhook",result="stored"} 5',
    'roost_updates_received_total{integration_kind="polling",result="stored"} 2',
    'roost_update_processing_seconds_bucket{le="0.005"} 1',
    'roost_inbox_oldest_age_seconds 1.5',
    'roost_inbox_depth 3',
    'roost_failed_stores_total 9',
    'roost_telegram_requests_total{method="sendMessage",code_class="4xx"} 1',
    'roost_acknowledgements_total{kind="press",result="answered"} 7',
    'roost_acknowledgements_total{kind="checkout",result="given_up"} 1',
    'roost_telegram_retry_after_seconds 17',
    'roost_db_pool_in_use 2',
    'roost_db_pool_waiting 0',
    'roost_dead_letters 2',
    'roost_app_submissions_total{result="accepted",reason=""} 6',
    'roost_app_submissions_total{result="refused",reason="SLOT_TAKEN"} 2',
    'roost_app_cache_hits_total{part="page"} 90',
    'roost_app_cache_misses_total{part="page"} 10',
    'roost_app_cache_entries{part="page"} 3',
    'roost_app_cache_bytes{part="page"} 4096',
    'roost_unknown_sends 0',
    'roost_build_info{version="0.1.0",roles="edge,core",schema_level="3"} 1',
  ])
    expect(body).toContain(`${line}\n`);
  expect(body).toMatch(/^roost_event_loop_lag_seconds \d/m);
  expect(reads, 'figures of the queue are read once for scrapes that follow each other').toBe(1);
});
