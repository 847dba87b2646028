// `npm run check`: everything that can be said about the code without running it, one line a check. With names behind
// it only those: `npm run check -- types layers`.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { habits } from './habits.ts';

const root = join(import.meta.dirname, '..');

/** Answers with nothing when all is well, else with what to mend. */
type Check = { readonly name: string; readonly about: string; run(): Promise<string> };

const folders = ['contract', 'kernel', 'server', 'simulator', 'miniapp', 'cabinet', 'tools', 'test', 'bench'].filter(
  (name) => existsSync(join(root, name)),
);

const checks: Check[] = [
  { name: 'types', about: 'TypeScript, one project a folder', run: () => program('typescript/bin/tsc', ['-b']) },
  {
    name: 'style',
    about: 'format and lint',
    run: () =>
      program('@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '--max-diagnostics=50', '--colors=off']),
  },
  {
    name: 'layers',
    about: 'who may import whom',
    run: () =>
      program('dependency-cruiser/bin/dependency-cruiser.mjs', [
        ...folders,
        '--config',
        '.dependency-cruiser.cjs',
        '--output-type',
        'err-long',
      ]),
  },
  {
    name: 'unused',
    about: 'files, exports and packages that nothing uses',
    run: () => program('knip/bin/knip.js', ['--no-progress']),
  },
  ...generators().map((name) => ({
    name: name.replace('.ts', ''),
    about: 'what is generated is up to date',
    run: () => node([join('tools', name), '--check']),
  })),
  ...habits(root).map((habit) => ({ ...habit, run: async () => (await habit.faults()).join('\n') })),
];

/** Tools that write a file, and say with --check whether it is stale. */
function generators(): string[] {
  const tools = readdirSync(join(root, 'tools')).filter((name) => /^[a-z-]+\.ts$/.test(name));
  return tools.filter(
    (name) => name !== 'check.ts' && readFileSync(join(root, 'tools', name), 'utf8').includes('--check'),
  );
}

const program = (path: string, args: string[]): Promise<string> => node([join('node_modules', path), ...args]);

function node(args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' },
    };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve(error === null ? '' : `${stdout}${stderr}`.trim() || `ended with ${error.code}`);
    });
  });
}

const linesMax = 120;

/** Enough to begin with; `npm run check -- NAME` after mending shows the rest. */
function shortened(fault: string): string {
  const lines = fault.split('\n');
  return lines.length <= linesMax
    ? fault
    : [...lines.slice(0, linesMax), `... and ${lines.length - linesMax} lines more`].join('\n');
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}. There are: ${checks.map((check) => check.name).join(', ')}`);
  process.exit(2);
}

let failed = 0;
const chosen = checks.filter((check) => wanted.length === 0 || wanted.includes(check.name));
for (const check of chosen) {
  const fault = await check.run();
  if (fault !== '') failed += 1;
  console.log(`${fault === '' ? 'ok  ' : 'FAIL'}  ${check.name.padEnd(16)} ${check.about}`);
  if (fault !== '') console.log(shortened(fault).replaceAll(/^/gm, '        '));
}
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
