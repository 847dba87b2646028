import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { words } from '../server/domains/miniapps/words.ts';
import { createTestDatabase } from '../test/support/database.ts';
import { type Running, runProgram } from '../test/support/running.ts';

const project = join(import.meta.dirname, '..');
const parts = [
  ...['contract', 'kernel', 'migrations', 'miniapp', 'server', 'simulator', 'tools'],
  ...['package.json', 'tsconfig.base.json'],
];
const run = promisify(execFile);

/** As much of the project as is bundled, in another folder in which nothing was built yet. */
async function makeClone(): Promise<string> {
  const clone = await mkdtemp(join(tmpdir(), 'roost-bundle-'));
  onTestFinished(() => rm(clone, { recursive: true, force: true }));
  await chmod(clone, 0o755);
  for (const name of parts) await cp(join(project, name), join(clone, name), { recursive: true });
  await symlink(join(project, 'node_modules'), join(clone, 'node_modules'));
  return clone;
}

/** Runs the bundle as somebody who may only read it. */
async function serve(clone: string): Promise<Running> {
  const database = await createTestDatabase();
  const data = join(clone, 'data');
  await mkdir(data);
  await chmod(data, 0o777);
  await chmod(join(clone, '.cache'), 0o555);
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.tcpUrl, DATA_DIR: data, PORT: '0' };
  const server = [process.execPath, join(clone, 'dist/main.js'), 'serve'];
  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  const [program, ...args] = (process.getuid?.() === 0 ? [...nobody, ...server] : server) as [string, ...string[]];
  const running = runProgram(program, args, { env, cwd: clone });
  onTestFinished(async () => {
    running.kill('SIGTERM');
    await running.exit;
    await chmod(join(clone, '.cache'), 0o755);
    await database.close();
  });
  return running;
}

test('a server that starts from a bundle serves Mini Apps, with nothing there to build or to write', async () => {
  const clone = await makeClone();
  await run(process.execPath, [join(clone, 'tools/bundle.ts')], { cwd: clone });
  // As after `npm prune`, and after a copy that has given the files other times.
  await rm(join(clone, 'node_modules'));
  await utimes(join(clone, 'miniapp/app.css'), new Date(), new Date());
  const list = JSON.parse(await readFile(join(clone, '.cache/miniapp/list.json'), 'utf8')) as { runtime: string };
  const [, address] = await (await serve(clone)).line(/"address":"([^"]+)"/);
  expect((await fetch(`${address}/_/${list.runtime}`)).status).toBe(200);
  const nothing = await fetch(`${address}/a/none`, { headers: { 'accept-language': 'ru' } });
  expect(await nothing.text(), 'words of any language are as they were').toContain(words('ru').nothing);
  for (const name of await readdir(join(clone, 'dist')))
    expect(/[^\0-\x7f]/.exec(await readFile(join(clone, 'dist', name), 'utf8')), name).toBeNull();
});
