// Makes sure that what package-lock.json names is installed. Plain JavaScript without any package: it runs on Node 20
// in a clone in which nothing is installed yet.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A refusal of these tools: a sentence for people, without a stack. */
export class Trouble extends Error {}

const hourMs = 3_600_000;

/**
 * Installs what is missing or stale, and says so once. The packages are installed in a folder beside and moved into
 * place whole, so a kill leaves no half of them, and two at once do the work twice but break nothing.
 * @param {string} root the project
 * @param {(line: string) => void} say
 */
export async function ensureInstalled(root, say) {
  if (await isInstalled(root)) return;
  say('Installing what is missing. This takes about a minute, once.');
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  await removeAbandoned(cache);
  const folder = join(cache, `install-${randomBytes(4).toString('hex')}`);
  await mkdir(folder);
  try {
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      await copyFile(join(root, name), join(folder, name));
    await npm(folder, ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']);
    await putInPlace(root, join(folder, 'node_modules'), cache);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares package-lock.json with what npm wrote down at the end of its last installation. */
async function isInstalled(root) {
  const [wanted, there] = await Promise.all([
    packagesOf(join(root, 'package-lock.json')),
    packagesOf(join(root, 'node_modules', '.package-lock.json')),
  ]);
  if (wanted === undefined)
    throw new Trouble('package-lock.json is missing or broken. Take it from the repository again.');
  if (there === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    // Optional ones are mostly for other machines.
    if (path === '' || (there[path] === undefined && optional)) return true;
    return there[path]?.version === version;
  });
}

async function packagesOf(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function putInPlace(root, installed, cache) {
  // Another start may have been faster.
  if (await isInstalled(root)) return;
  const place = join(root, 'node_modules');
  const old = join(cache, `old-${randomBytes(4).toString('hex')}`);
  await rename(place, old).catch(ifCode('ENOENT'));
  await rename(installed, place).catch(async (error) => {
    if (!(await isInstalled(root))) throw new Trouble(`The packages could not be put into ${place}: ${error.message}`);
  });
  await rm(old, { recursive: true, force: true });
}

/** Folders of installations that were killed. Those of the last hour may be somebody's work. */
async function removeAbandoned(cache) {
  for (const name of await readdir(cache)) {
    if (!/^(install|old)-/.test(name)) continue;
    const { mtimeMs } = await stat(join(cache, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > hourMs) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** Runs npm quietly; its words are shown only when it fails. */
export function npm(folder, args) {
  // The npm that started us, where one did; else the one in the path.
  const own = process.env.npm_execpath;
  const [program, first] =
    own !== undefined && basename(own) === 'npm-cli.js' ? [process.execPath, [own]] : ['npm', []];
  return new Promise((resolve, reject) => {
    execFile(program, [...first, ...args], { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) return resolve(undefined);
      if (error.code === 'ENOENT')
        return reject(new Trouble('npm was not found. It comes with Node: https://nodejs.org'));
      const words = `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n');
      reject(new Trouble(`npm ${args[0]} failed:\n${words}`));
    });
  });
}

function ifCode(code) {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
