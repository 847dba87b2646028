// The tests as `.ci/run` runs them: all of them by `npm test`, then each file that failed once more by itself. A file that
// passes then is named `unstable` and counts as passed; docs/plan.md keeps it until it is mended. What fails twice fails the run.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { judgeAgain, judgeRun, parseRecord, type RecordLine } from './verdict.ts';

const folder = join(process.cwd(), '.cache', 'ci');
const wholeMinutesMax = 45;
const fileMinutesMax = 12;
// More than a handful at once is not bad luck; then the second runs would only hide for how long it was broken.
const suspectsMax = 12;

type Run = { lines: RecordLine[]; exitCode: number };

/** Runs `npm test` with these arguments; kills it, with everything it has started, when its time is over. */
async function runTests(name: string, args: readonly string[], minutesMax: number): Promise<Run> {
  const record = join(folder, `${name}.ndjson`);
  rmSync(record, { force: true });
  const command = ['npm', 'test', '--', ...args, '--reporter=default', '--reporter=./tools/ci/record.ts'];
  const child = spawn('timeout', ['--kill-after=30', `${minutesMax}m`, ...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TEST_RECORD: record },
  });
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
  return { lines: parseRecord(read(record)), exitCode };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Nothing was written: the run died before it began, which the verdict says.
    return '';
  }
}

mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);
let first = await runTests('tests', wanted, wholeMinutesMax);
if (!first.lines.some((line) => line.kind === 'begun')) {
  console.log('--- once more: all, since the run ended before it began a file');
  first = await runTests('tests', wanted, wholeMinutesMax);
}
const verdict = judgeRun(first.lines, first.exitCode);
let { passed } = verdict;
let failed = 0;
/** Told at the end, where it is found. */
const summary: string[] = [];
if (verdict.broken !== undefined) {
  summary.push(`broken: ${verdict.broken}`);
  failed += 1;
}
for (const [index, suspect] of verdict.suspects.entries()) {
  if (index >= suspectsMax) {
    summary.push(`failed: ${suspect.file} (not run again: ${verdict.suspects.length} files failed)`);
    failed += Math.max(1, suspect.failed);
    continue;
  }
  console.log(`--- once more: ${suspect.file}`);
  const again = await runTests(`again-${index}`, [suspect.file], fileMinutesMax);
  const { ok, passed: passedNow } = judgeAgain(suspect.file, again.lines, again.exitCode);
  summary.push(
    `${ok ? 'unstable' : 'failed twice'}: ${suspect.file}`,
    ...suspect.why.map((why) => `  at first: ${why}`),
  );
  passed += passedNow;
  if (!ok) failed += Math.max(1, suspect.failed);
}
for (const line of summary) console.log(line);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
