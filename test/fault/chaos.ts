// `npm run chaos -- --minutes 10 --seed N`: the release gate for as long as wanted, on a PostgreSQL of its own that is
// crashed too. The seed replays the schedule; the machine's own timing is never the same twice.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../kernel/migrate.ts';
import { startTestCluster } from '../support/cluster.ts';
import { runFullDisk } from './disk.ts';
import { type GateResult, runGate } from './gate.ts';
import { keepLogs } from './logs.ts';

const usage = `npm run chaos -- [--minutes M] [--seed N] [--rate TEXTS-A-SECOND]
Three processes under kills, freezes and faults for M minutes (1), then everything is healed and audited.
Ends with 1 when anything was violated. The same seed gives the same schedule.`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    rate: { type: 'string', default: '50' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else process.exitCode = await main();

async function main(): Promise<number> {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  const seconds = Math.max(1, Math.round(Number(values.minutes) * 60));
  console.log(`Seed ${seed}. To replay: npm run chaos -- --minutes ${values.minutes} --seed ${seed}`);
  const cluster = await startTestCluster({ synchronous_commit: 'on' });
  let failed = 0;
  try {
    await migrate(cluster.url());
    const ground = { url: cluster.url(), crash: cluster.crash, restart: cluster.restart };
    const result = await runGate({
      seed,
      seconds,
      ground,
      perSecond: Number(values.rate),
      say: (line) => console.log(line),
    });
    failed += await report(result, seed);
    await result.installation.close();
  } finally {
    await cluster.stop();
  }
  failed += await fullDisk();
  console.log(failed === 0 ? 'Nothing was violated.' : `${failed} violations. Seed ${seed}.`);
  return failed === 0 ? 0 : 1;
}

/** The disk of the database full for a while, where a small one can be mounted. */
async function fullDisk(): Promise<number> {
  const result = await runFullDisk();
  if (result === undefined) {
    console.log('Full disk: left out, only root can mount one.');
    return 0;
  }
  const { violations, stuck, refused, ended } = result;
  console.log(
    `Full disk: ${refused} deliveries refused meanwhile, ${ended} processes ended, ${violations.length} violations`,
  );
  for (const { rule, text } of violations.slice(0, 20)) console.log(`${rule}: ${text}`);
  if (stuck !== undefined) console.log(stuck);
  return violations.length + ended + (stuck === undefined ? 0 : 1);
}

/** The summary; what the processes logged is kept when something is wrong. */
async function report({ violations, figures, stuck, installation }: GateResult, seed: number): Promise<number> {
  console.table(Object.fromEntries(Object.entries(figures).map(([name, count]) => [name, { count }])));
  const rules = new Map<string, number>();
  for (const { rule } of violations) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  if (rules.size > 0)
    console.table(Object.fromEntries([...rules].map(([rule, count]) => [rule, { violations: count }])));
  for (const { rule, text } of violations.slice(0, 50)) console.log(`${rule}: ${text}`);
  if (stuck !== undefined) console.log(stuck);
  const failed = violations.length + (stuck === undefined ? 0 : 1);
  if (failed > 0) {
    const folder = await keepLogs(installation, join('.cache', 'chaos', String(seed)));
    console.log(`The logs of the processes are in ${folder}`);
  }
  return failed;
}
