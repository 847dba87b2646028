import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** A file, what it imports, and the rule that must say no. */
const planted: [rule: string, file: string, target: string][] = [
  ['contract-knows-zod-only', 'contract/flow.ts', 'kernel/kit.ts'],
  ['kernel-knows-no-domain', 'kernel/loop.ts', 'server/domains/bots/bots.ts'],
  ['domains-know-no-process', 'server/domains/bots/a.ts', 'server/roles/core.ts'],
  ['roles-know-no-command', 'server/roles/a.ts', 'server/commands/serve.ts'],
  ['simulator-stands-alone', 'simulator/a.ts', 'server/roles/core.ts'],
  ['simulator-has-one-door', 'server/roles/b.ts', 'simulator/world/world.ts'],
  ['page-scripts-stand-alone', 'simulator/page/a.js', 'contract/texts.ts'],
  ['tests-stay-in-tests', 'server/roles/c.ts', 'test/support/database.ts'],
  ['tests-stay-in-tests', 'server/domains/bots/d.ts', 'server/domains/bots/fixtures.ts'],
  ['tools-are-not-used', 'server/roles/d.ts', 'tools/check.ts'],
  ['bots-calls', 'server/domains/bots/e.ts', 'server/domains/turns/turns.ts'],
  ['turns-calls', 'server/domains/turns/a.ts', 'server/domains/bots/vault.ts'],
  ['flow-is-pure', 'server/domains/flow/a.ts', 'kernel/kit.ts'],
  ['flow-is-pure', 'server/domains/flow/b.ts', 'node:fs'],
  ['rules-are-pure', 'server/domains/bots/rules.ts', 'server/domains/bots/vault.ts'],
  ['rules-are-pure', 'server/domains/turns/rules.ts', 'node:crypto'],
  ['unknown-domain', 'server/domains/novelty/novelty.ts', 'kernel/kit.ts'],
  ['roles-use-doors', 'server/roles/e.ts', 'server/domains/bots/vault.ts'],
  ['commands-use-doors', 'server/commands/a.ts', 'server/domains/bots/worker.ts'],
  ['sql-is-private', 'server/domains/turns/b.ts', 'server/domains/bots/sql.ts'],
  ['sql-lives-in-sql-files', 'server/domains/bots/f.ts', 'kernel/sql.ts'],
  ['nothing-unresolvable', 'server/roles/f.ts', 'server/roles/missing.ts'],
  ['development-stays-in-development', 'server/roles/g.ts', 'vitest'],
];

/** What has its good reasons, and must pass. */
const allowed: [file: string, target: string][] = [
  ['contract/texts.ts', 'zod'],
  ['server/domains/bots/sql.ts', 'kernel/sql.ts'],
  ['server/domains/turns/c.ts', 'server/domains/bots/bots.ts'],
  ['server/domains/bots/bots.ts', 'server/domains/bots/vault.ts'],
  ['server/domains/bots/bots.test.ts', 'server/domains/bots/fixtures.ts'],
  ['server/roles/core.ts', 'server/domains/bots/worker.ts'],
  ['server/roles/h.ts', 'simulator/simulator.ts'],
  ['server/domains/flow/c.ts', 'contract/texts.ts'],
];

test('every rule of the layers catches what it forbids, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roost-layers-'));
  try {
    await plant(folder, [...planted.map(([, file, target]) => [file, target] as const), ...allowed]);
    const found = await cruise(folder);
    for (const [rule, file] of planted) expect(found, `${rule} in ${file}`).toContain(`${rule} ${file}`);
    for (const [file] of allowed) expect(found.filter((fault) => fault.endsWith(` ${file}`))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a cycle is caught, one of types alone is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roost-layers-'));
  try {
    await plant(folder, [
      ['kernel/a.ts', 'kernel/b.ts'],
      ['kernel/b.ts', 'kernel/a.ts'],
    ]);
    await writeFile(join(folder, 'kernel/c.ts'), `import type { D } from './d.ts';\nexport type C = D | string;\n`);
    await writeFile(join(folder, 'kernel/d.ts'), `import type { C } from './c.ts';\nexport type D = C | number;\n`);
    expect(await cruise(folder)).toEqual(['no-cycle kernel/a.ts']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function plant(folder: string, imports: readonly (readonly [file: string, target: string])[]): Promise<void> {
  await copyFile(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const depth = (file: string): string => '../'.repeat(file.split('/').length - 1) || './';
  const own = new Map(imports);
  const targets = imports
    .map(([, target]) => target)
    .filter((target) => /\.(ts|js)$/.test(target) && !target.includes('missing'));
  for (const file of new Set([...own.keys(), ...targets])) {
    const target = own.get(file);
    const path = target === undefined || !target.includes('.') ? target : depth(file) + target;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), path === undefined ? 'export const one = 1;\n' : `export * from '${path}';\n`);
  }
}

function cruise(folder: string): Promise<string[]> {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [program, '.', '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) => {
      if (stdout === '') return reject(new Error(stderr));
      const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string }; from: string }[] } };
      resolve(summary.violations.map(({ rule, from }) => `${rule.name} ${from}`));
    });
  });
}
