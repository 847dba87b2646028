import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { address, ended, query, useWorkshop } from './workshop.ts';

const shop = useWorkshop();

describe.runIf(hasPgBouncer)('behind PgBouncer in transaction mode', () => {
  test('the pooler really shares sessions, so that what leans on one would be seen', async () => {
    const database = await createTestDatabase();
    const pooler = await startPgBouncer(database, { serverConnections: 1 });
    try {
      await query(pooler.url, `set application_name = 'left behind'`);
      expect(await query(pooler.url, `select current_setting('application_name') as name`)).toEqual([
        { name: 'left behind' },
      ]);
    } finally {
      await pooler.stop();
      await database.close();
    }
  });

  test('it starts, migrates past the pooler, and answers', async () => {
    const database = await createTestDatabase({ migrated: false });
    const pooler = await startPgBouncer(database);
    try {
      const running = shop.roost(['start'], { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url });
      const at = await address(running);
      expect((await fetch(`${at}/readyz`)).status).toBe(200);
      await ended(running);
    } finally {
      await pooler.stop();
      await database.close();
    }
  });
});

test.runIf(!hasPgBouncer)('PgBouncer is not installed here, so nothing was tested with it', (context) =>
  context.skip(),
);
