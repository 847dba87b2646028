import type pg from 'pg';
import { inTurn } from './migration-steps.ts';

/**
 * What the server shall not do for us any longer than this, whatever its own settings are: they belong to the
 * database user in this database, so every connection has them, also one that a pooler opened. What needs longer says so
 * with `set local`; a `set` of the session would stay with whoever gets the connection next.
 */
export const roleLimits: Readonly<Record<string, string>> = {
  // Less than the 4.5 s after which the processes give up waiting: what is given up is over in the server too.
  statement_timeout: '4s',
  lock_timeout: '2s',
  // A process that froze or whose host has vanished in the middle of a transaction must not keep its locks: less than
  // the lease, so that a takeover finds none.
  idle_in_transaction_session_timeout: '5s',
  // The same for a host that vanished with nothing under way, or while an answer was on its way to it.
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20000',
};

/** Gives the limits to the user of this connection, in this database; new connections have them. */
export async function settleRoleLimits(client: pg.Client): Promise<void> {
  await inTurn(client, async () => {
    const { rows } = await client.query<{ role: string; database: string; known: string[] }>(
      `select current_user as role, current_database() as database, coalesce((
         select s.setconfig from pg_db_role_setting s
         where s.setdatabase = (select oid from pg_database where datname = current_database())
           and s.setrole = (select oid from pg_roles where rolname = current_user)
       ), '{}') as known`,
    );
    const [row] = rows;
    if (row === undefined) return;
    const place = `${client.escapeIdentifier(row.role)} in database ${client.escapeIdentifier(row.database)}`;
    for (const [name, value] of Object.entries(roleLimits)) {
      if (row.known.includes(`${name}=${value}`)) continue;
      await client.query(`alter role ${place} set ${name} = ${client.escapeLiteral(value)}`);
    }
  });
}
