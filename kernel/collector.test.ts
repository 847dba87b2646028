import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Says how large the young generation was at most, after it had been full and a whole collection had emptied it. */
const script = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { keepHeapSmall } from './kernel/collector.ts';
  const youngMb = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20;
  const soon = () => new Promise((done) => setImmediate(done));
  async function fillUntil(isThere) {
    for (let kept = []; !isThere(); kept = kept.length > 400_000 ? [] : kept) {
      for (let at = 0; at < 20_000; at += 1) kept.push({ at: [at, { at }] });
      await soon();
    }
  }
  keepHeapSmall();
  let peakMb = 0;
  for (let round = 0; round < 3; round += 1) {
    await fillUntil(() => youngMb() >= 64);
    // Whoever looks at collections is told of them after the present work.
    let turns = 0;
    await fillUntil(() => (turns += 1) > 20);
    while (youngMb() > 8) {
      gc({ type: 'major', flavor: 'last-resort' });
      await soon();
    }
    await fillUntil(() => (peakMb = Math.max(peakMb, youngMb())) >= 48);
  }
  console.log(peakMb <= 64 ? 'grows again, and no further' : peakMb);
  process.exit();
`;

test('after a whole collection the young generation grows again, up to its limit', async () => {
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const options = { cwd: `${import.meta.dirname}/..`, timeout: 50_000 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  expect(stdout.trim()).toBe('grows again, and no further');
}, 60_000);
