// What processes cost, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, the unit of times in /proc: 100 a second on every Linux of today. */
const msPerTick = 10;

type Times = { parent: number; ownMs: number; childrenMs: number };

function timesOf(pid: number): Times | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in brackets may hold blanks; the state is the first field after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    parent: field(4),
    ownMs: (field(14) + field(15)) * msPerTick,
    childrenMs: (field(16) + field(17)) * msPerTick,
  };
}

/** User and system time of one process, all its threads. */
export function cpuMsOf(pid: number): number {
  const times = timesOf(pid);
  if (times === undefined) throw new Error(`The process ${pid} is gone.`);
  return times.ownMs;
}

/** The same of a process with all its children, the ended ones included: a PostgreSQL and its backends. */
export function treeCpuMsOf(pid: number): number {
  const times = timesOf(pid);
  if (times === undefined) throw new Error(`The process ${pid} is gone.`);
  let total = times.ownMs + times.childrenMs;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const child = timesOf(Number(name));
    if (child?.parent === pid) total += child.ownMs + child.childrenMs;
  }
  return total;
}

/** Resident memory in MB of 2^20 bytes. */
export function rssMbOf(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}
