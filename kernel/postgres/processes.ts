import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Whether anything answers to this process id: the living, and the dead whom nobody has buried yet. */
export function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and belongs to somebody else.
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Whether a process lives. Where the system shows it, the unburied dead are told apart. */
export async function isAlive(pid: number): Promise<boolean> {
  if (!answersSignals(pid)) return false;
  return process.platform !== 'linux' || (await look(pid)) !== undefined;
}

/** The program of a living process, as Linux shows it; undefined for the dead and the unburied. */
async function look(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // `PID (name) STATE ...`: the name may hold anything, brackets too.
  const end = text.lastIndexOf(')');
  const state = text[end + 2];
  return state === undefined || state === 'Z' || state === 'X' ? undefined : text.slice(text.indexOf('(') + 1, end);
}

/** The processes of the PostgreSQL that works in `data`: the postmaster and its children. */
export async function processesOf(data: string): Promise<number[]> {
  return process.platform === 'linux' ? processesIn(await realpath(data)) : processesNaming(data);
}

/** All of PostgreSQL's processes have their data folder as working folder, and all are called the same. */
async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  for (const pid of pids) {
    // Unreadable means another user's, so not ours: PostgreSQL runs as us, or we are root.
    const at = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (at === folder && (await look(pid)) === 'postgres') found.push(pid);
  }
  return found;
}

/** Where there is no /proc: the postmaster names its folder on its command line; its children do not. */
async function processesNaming(folder: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,stat=,command=']);
  const lines = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\S+)\s+(.*)$/s.exec(line));
  return lines.flatMap((line) =>
    line?.[3]?.includes(` -D ${folder} `) && !line[2]?.startsWith('Z') ? [Number(line[1])] : [],
  );
}
