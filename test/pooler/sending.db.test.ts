import { startPgBouncer } from '../support/pgbouncer.ts';
import { reachDatabaseThrough } from '../support/roost.ts';
import { behindPgBouncer } from './behind.ts';

// As answers.db.test.ts; a file of its own, so that the two run side by side.
reachDatabaseThrough((database) => startPgBouncer(database, { serverConnections: 4 }));

behindPgBouncer('sending behind PgBouncer in transaction mode', async () => {
  await import('../flows/sending.db.test.ts');
});
