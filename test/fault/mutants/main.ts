// `node test/fault/mutants/main.ts [NAME ...]`: breaks each guard once, in a copy of the tree, and shows that the suite
// goes red. Takes about a minute a guard. Ends with 1 when one was broken and nobody noticed.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Mutant, mutants } from './mutants.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const testMsMax = 400_000;

const wanted = process.argv.slice(2);
const chosen = mutants.filter((mutant) => wanted.length === 0 || wanted.includes(mutant.name));
const copy = await copyTree();
try {
  process.exitCode = (await tryAll(copy)) === 0 ? 0 : 1;
} finally {
  await rm(copy, { recursive: true, force: true });
}

async function tryAll(folder: string): Promise<number> {
  let survivors = 0;
  for (const mutant of chosen) {
    const caughtBy = await tryOne(folder, mutant);
    if (caughtBy === undefined) survivors += 1;
    console.log(
      `${caughtBy === undefined ? 'SURVIVED' : 'caught  '}  ${mutant.name.padEnd(24)} ${caughtBy ?? mutant.test}`,
    );
  }
  console.log(`${chosen.length - survivors} caught, ${survivors} survived`);
  return survivors;
}

/** What the repository holds, as it stands now, without its packages. */
async function copyTree(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roost-mutants-'));
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of stdout.split('\0').filter((name) => name !== '' && name !== 'node_modules')) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file)).catch(() => {});
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The first test that goes red, or undefined when all stay green. */
async function tryOne(folder: string, mutant: Mutant): Promise<string | undefined> {
  const originals = new Map<string, string>();
  for (const { file, from, to } of mutant.edits) {
    const text = await readFile(join(folder, file), 'utf8');
    if (!originals.has(file)) originals.set(file, text);
    if (text.split(from).length !== 2) throw new Error(`${mutant.name}: "${from}" stands not exactly once in ${file}`);
    await writeFile(
      join(folder, file),
      text.replace(from, () => to),
    );
  }
  try {
    return await firstRed(folder, mutant);
  } finally {
    for (const [file, text] of originals) await writeFile(join(folder, file), text);
  }
}

async function firstRed(folder: string, { test, only }: Mutant): Promise<string | undefined> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', test, ...(only ? ['-t', only] : [])];
  try {
    await run(process.execPath, args, { cwd: folder, timeout: testMsMax, maxBuffer: 64 * 1024 * 1024 });
    return undefined;
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      killed = false,
    } = error as { stdout?: string; stderr?: string; killed?: boolean };
    if (killed) return `${test}: no end`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal are cut
    const plain = `${stdout}${stderr}`.replaceAll(/\x1b\[[0-9;]*m/g, '');
    const [, name = 'it failed before any test'] = /FAIL +(.*)/.exec(plain) ?? [];
    const rules = [...new Set([...plain.matchAll(/"rule": "(\w+)"/g)].map(([, rule]) => rule))];
    return `${name}${rules.length > 0 ? ` (${rules.join(', ')})` : ''}`;
  }
}
