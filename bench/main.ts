// npm run bench -- NAME [--json]: measures one claim. bench/README.md says how, and keeps the last figures.
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { benches } from './claims/registry.ts';
import { monoMs } from './lib/clock.ts';
import { loadAverage } from './lib/machine.ts';
import { summarise } from './lib/profile.ts';
import { json, table } from './lib/report.ts';
import { createScope } from './lib/scope.ts';
import { prepareBuild } from './lib/server.ts';

const help = `npm run bench -- NAME [--json] [--source] [--per-project N] [--profile FOLDER]

  --json             one JSON object as the last line
  --source           the server runs from its sources instead of the bundle that production runs
  --per-project N    how many bots share a project and its release; 10 when absent
  --profile FOLDER   writes CPU profiles of the server there and prints where its time goes (implies --source)

${Object.entries(benches)
  .map(([name, bench]) => `  ${name.padEnd(9)} ${bench.about}`)
  .join('\n')}
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    source: { type: 'boolean', default: false },
    'per-project': { type: 'string', default: '10' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const name = positionals[0] ?? '';
const bench = benches[name];
if (values.help || bench === undefined || positionals.length > 1) {
  process.stdout.write(help);
  process.exitCode = values.help ? 0 : 2;
} else {
  const scope = createScope();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void scope.close().then(() => process.exit(130)));
  }
  const startedMs = monoMs();
  const load = loadAverage();
  const profileFolder = values.profile === undefined ? undefined : resolve(values.profile);
  if (profileFolder !== undefined) await mkdir(profileFolder, { recursive: true });
  try {
    const build = await prepareBuild(values.source || profileFolder !== undefined ? 'source' : 'bundle', profileFolder);
    const result = await bench.run({
      scope,
      build,
      perProject: Number(values['per-project']),
      say: (line) => void process.stderr.write(`${line}\n`),
    });
    await scope.close();
    const seconds = (monoMs() - startedMs) / 1_000;
    const run = { name, about: bench.about, server: build.kind, load, seconds };
    process.stdout.write(table(run, result));
    if (profileFolder !== undefined) process.stdout.write(await summarise(profileFolder));
    if (values.json) process.stdout.write(json(run, result));
  } finally {
    await scope.close();
  }
}
