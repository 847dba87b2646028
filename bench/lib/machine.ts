import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

/** What the figures were taken on, in a line. */
export function machineName(): string {
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  return `${cpus().length} cores of ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.version}`;
}

function release(): string {
  return readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim();
}

/** How much others kept the machine busy: runnable processes over the last minute. */
export function loadAverage(): number {
  return Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0]);
}
