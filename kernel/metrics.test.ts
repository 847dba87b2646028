import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('numbers are read when somebody scrapes', async () => {
  const metrics = createMetrics();
  const counts = { stored: 0, duplicate: 0 };
  metrics.counter({ name: 'received_total', help: 'Updates', labels: ['result'] }, () => [
    [{ result: 'stored' }, counts.stored],
    [{ result: 'duplicate' }, counts.duplicate],
  ]);
  counts.stored += 2;
  expect(await metrics.text()).toContain('received_total{result="stored"} 2');
  counts.stored += 1;
  const text = await metrics.text();
  expect(text).toContain('received_total{result="stored"} 3');
  expect(text).toContain('received_total{result="duplicate"} 0');
});

test('a gauge that cannot be read is left out, not shown as zero', async () => {
  const metrics = createMetrics();
  let away = false;
  metrics.gauge({ name: 'depth', help: 'Waiting' }, async () => {
    if (away) throw new Error('database away');
    return 7;
  });
  expect(await metrics.text()).toMatch(/^depth 7$/m);
  away = true;
  expect(await metrics.text()).not.toMatch(/^depth /m);
});

test('a distribution counts into its buckets', async () => {
  const metrics = createMetrics();
  const seconds = metrics.histogram({ name: 'turn_seconds', help: 'Turns' }, [0.1, 1]);
  seconds.observe(0.5);
  expect(await metrics.text()).toContain('turn_seconds_bucket{le="1"} 1');
});
