import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names the place in which process ids mean something: host, boot and pid namespace. Two processes with the
 * same answer can tell whether the other one lives, so a killed process need not be waited for.
 */
export function hostIdentity(): string {
  return [hostname(), read('/proc/sys/kernel/random/boot_id'), namespace()].join('/');
}

/** True when no process of this id exists here. A zombie (killed, not yet reaped) counts as dead. */
export function isDeadHere(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  return /^State:\s+[ZX]/m.test(read(`/proc/${pid}/status`));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
