import { Refusal } from './errors.ts';

/** PostgreSQL's word for a full disk of its own: 53100, disk_full. */
const databaseDiskFull = '53100';
const causesMax = 4;

/**
 * A full disk, this program's own or the database's, as the refusal that says so; undefined for any other error. It
 * is the operator's trouble and no bug, wherever it strikes.
 */
export function diskFullRefusal(error: unknown, facts: Readonly<Record<string, unknown>> = {}): Refusal | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < causesMax; at = at.cause, depth += 1) {
    const { code } = at as { code?: unknown };
    if (code === 'ENOSPC' || code === 'EDQUOT') return new Refusal('DISK_FULL', undefined, facts);
    if (code === databaseDiskFull)
      return new Refusal('DISK_FULL', 'The disk of the database is full. Free some space there and try again.', facts);
  }
  return undefined;
}
