import { startPgBouncer } from '../support/pgbouncer.ts';
import { reachDatabaseThrough } from '../support/roost.ts';
import { behindPgBouncer } from './behind.ts';

// The very tests of the whole path, with a pooler between the servers and their database: what leans on a session
// fails here. They register themselves in the suite that imports them.
reachDatabaseThrough((database) => startPgBouncer(database, { serverConnections: 4 }));

behindPgBouncer('answers behind PgBouncer in transaction mode', async () => {
  await import('../flows/answers.db.test.ts');
});
