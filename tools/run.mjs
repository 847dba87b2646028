// What every npm script runs: `node tools/run.mjs COMMAND ...`. It installs what is missing, then runs the command on
// Node 24 or later. Plain JavaScript without any package, since it starts on whatever Node >= 20 there is.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, npm, Trouble } from './install.mjs';
import { onceEach } from './once-each.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nodeMajor = 24;

// `serves`: lives on until it is told to stop, so it must not outlive us.
const commands = {
  start: { script: 'server/main.ts', args: ['start'], serves: true },
  roost: { script: 'server/main.ts', args: [], serves: true },
  test: { script: 'node_modules/vitest/vitest.mjs', args: ['run'], fromRoot: true },
  'ci-tests': { script: 'tools/ci/tests.ts', args: [], fromRoot: true },
  check: { script: 'tools/check.ts', args: [], fromRoot: true },
  judge: { script: 'tools/judge.ts', args: [], fromRoot: true },
  chaos: { script: 'test/fault/chaos.ts', args: [], fromRoot: true },
  bench: { script: 'bench/main.ts', args: [], fromRoot: true },
};

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function main([name, ...args]) {
  const command = commands[name ?? ''];
  if (command === undefined) throw new Trouble(`Usage: npm run ${Object.keys(commands).join('|')}`);
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new Trouble(`Roost needs Node 20 or later; this is ${process.version}.`);
  await ensureInstalled(root, (line) => process.stderr.write(`${line}\n`));
  const node = await findNode();
  const script = join(root, command.script);
  if (!existsSync(script)) throw new Trouble(`There is no ${command.script} in this clone.`);
  run(node, command, [script, ...command.args, ...args]);
}

/** The Node to run on: this one where it is new enough, else the one that npm has installed with the packages. */
async function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= nodeMajor) return process.execPath;
  const installed = join(root, 'node_modules', '.bin', 'node');
  if (await works(installed)) return installed;
  // Its install script has not run: switched off in the user's npm, or cut short.
  await npm(root, ['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error']).catch(() => {});
  if (await works(installed)) return installed;
  throw new Trouble(
    `Roost needs Node ${nodeMajor} or later; this is ${process.version}, and npm could not install a newer one here. Install it from https://nodejs.org and try again.`,
  );
}

function works(program) {
  return new Promise((resolve) => execFile(program, ['--version'], (error) => resolve(error === null)));
}

/**
 * Runs the command and becomes it: same signals, same exit. It gets a process group of its own, because a Ctrl-C goes
 * to everybody in ours, and npm then passes it on once more: the second would end the server before it has drained.
 */
function run(node, command, args) {
  // Type stripping and SQLite, which the lock of the data folder uses, are called experimental by early releases of Node 24.
  const flags = ['--disable-warning=ExperimentalWarning'];
  if (command.serves) flags.push('--import', join(root, 'tools', 'end-with-parent.mjs'));
  const child = spawn(node, [...flags, ...args], {
    cwd: command.fromRoot ? root : (process.env.INIT_CWD ?? process.cwd()),
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH ?? ''}` },
    stdio: command.serves ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    detached: true,
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
  // A terminal that is closed asks a server to stop; its default would be to die on the spot.
  const meant = (signal) => (signal === 'SIGHUP' && command.serves ? 'SIGTERM' : signal);
  const pass = onceEach(300, (signal) => child.kill(meant(signal)));
  for (const signal of signals) process.on(signal, pass);
  const watching = watchParent(() => child.kill('SIGTERM'));

  child.on('error', (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    clearInterval(watching);
    if (signal === null) process.exit(code ?? 1);
    // Ended by a signal: so do we, so that whoever waits for us sees the same.
    for (const each of signals) process.off(each, pass);
    process.kill(process.pid, signal);
  });
}

/** npm ends at once on some signals, and on a kill, without a word to us; then there is nobody left to stop us. */
function watchParent(onGone) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 500);
  return timer;
}
