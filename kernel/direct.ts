import pg from 'pg';
import { isDatabaseFault, Refusal } from './errors.ts';
import { errorText } from './redact.ts';

// PostgreSQL refusing who we are or what we want to open: 28 authorization, 3D no such database.
const refusalClasses = new Set(['28', '3D']);

/**
 * One connection of its own, for what needs a session: migrations and what is asked once at the start. It must
 * not go through a pooler in transaction mode. A server that cannot be reached is a refusal with its reason.
 */
export async function withDirect<Result>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // The statement in hand is rejected by itself; without a listener the same loss would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw unavailable(error);
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function unavailable(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code ?? '');
  if (!isDatabaseFault(error) && !refusalClasses.has(code.slice(0, 2))) return error;
  // Node gives several addresses' failures as one error without words of its own.
  const errors = error instanceof AggregateError ? error.errors : [error];
  const reason = errorText(errors[0]);
  return new Refusal('DATABASE_UNAVAILABLE', `The database cannot be reached: ${reason}`, { reason });
}
