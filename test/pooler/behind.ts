import { describe, expect, test } from 'vitest';
import { hasPgBouncer } from '../support/pgbouncer.ts';

/**
 * A suite that needs PgBouncer. Where the machine has none it says so by name: a failure in CI, where it must be
 * there, and a skipped test on a developer's machine.
 */
export function behindPgBouncer(name: string, body: () => void | Promise<void>): void {
  if (hasPgBouncer) {
    describe(name, body);
    return;
  }
  test(`${name}: nothing was tested, because PgBouncer is not installed (apt-get install pgbouncer)`, (context) => {
    console.warn(`PgBouncer is not installed: "${name}" was not tested.`);
    expect(process.env['CI'] ?? '', 'in CI PgBouncer must be there').toBe('');
    context.skip('PgBouncer is not installed');
  });
}
