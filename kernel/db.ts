import type { Writable } from 'node:stream';
import pg from 'pg';
import { cancelStatement } from './cancel.ts';
import type { Kit } from './kit.ts';
import type { Sql } from './sql.ts';

/** Where statements can be run: the pool (each on its own) or a transaction. */
export type Queryable = {
  many<Row>(statement: Sql): Promise<Row[]>;
  /** The first row, or undefined. */
  one<Row>(statement: Sql): Promise<Row | undefined>;
  /** How many rows the statement touched. */
  run(statement: Sql): Promise<number>;
};

/** A transaction. Only `Db.tx` and `Db.batch` make one, and only they begin and end it. */
export type Tx = Queryable & { readonly inTransaction: true };

export type Db = Queryable & {
  /** Runs `work` in one transaction; any throw rolls it back. */
  tx<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * One transaction whose statements do not need each other's answers: begin, all of them and commit go out
   * in one write, so the whole costs one round trip. `work` starts its statements without awaiting them and
   * returns their promises. When one fails, none is kept, and the first error is thrown.
   */
  batch<const Results extends readonly Promise<unknown>[]>(
    work: (tx: Tx) => Results,
  ): Promise<{ -readonly [Index in keyof Results]: Awaited<Results[Index]> }>;
  /** Connections in use and callers waiting for one. */
  load(): { inUse: number; waiting: number };
  close(): Promise<void>;
};

export type DbOptions = {
  url: string;
  connectionsMax: number;
  /**
   * A statement that gets no answer in this time is given up: it is ended in the server, and its connection destroyed
   * (half-open sockets). Where this is more than the limits of the role allow (`role-limits.ts`), see `patient`.
   */
  statementMsMax: number;
  name: string;
  /**
   * Statements may take all of `statementMsMax`, whatever the limits of the role, and wait half of it for a lock. Each
   * that stands alone becomes a transaction for that, since nothing may be set for a session.
   */
  patient?: boolean;
  /**
   * Each connection parses a statement once and remembers it. Only for a database that is surely reached directly:
   * behind PgBouncer in transaction mode such a statement belongs to somebody else's connection. Measured at 300
   * messages a second: 1.6 ms of the database's CPU a message instead of 2.1, p50 of a message 3.4 ms instead of 4.1.
   */
  prepared?: boolean;
};

/** Opens a pool. Connects lazily; unless `prepared`, nothing here needs a session. */
export function openDb(kit: Kit, options: DbOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    query_timeout: options.statementMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A plan that is kept would be that of an empty queue when it is full.
    ...(options.prepared ? { options: '-c plan_cache_mode=force_custom_plan' } : {}),
    types: { getTypeParser },
    // Statements of one batch are written without waiting; everything else is awaited one by one.
    ...({ pipeline: true } as object),
  });
  // Between the moments at which the pool hands a connection on and somebody listens to it, one that the server ends right
  // then has nobody: the pool's own listener is gone, and that would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  // A pooled connection that dies while idle is not an error of anybody's work; the next caller gets a new one.
  // After `close` nobody waits for one: the last of them may still be saying goodbye when the database stops.
  let closed = false;
  pool.on('error', (error) => {
    // pg hangs the whole client on the error: a page of log that says nothing.
    delete (error as { client?: unknown }).client;
    if (!closed) kit.log.warn({ db: options.name, err: error }, 'db.connection_lost');
  });

  const form = options.prepared ? preparer() : unprepared;
  const lend: Lend = (work) => withClient(pool, options.url, work);
  const begin = options.patient ? patientBegin(options.statementMsMax) : 'begin';
  const alone: Run = options.patient
    ? async (statement) =>
        (await lend((client) => batch(client, asTx(client, form), () => [client.query(form(statement))], begin)))[0]
    : (statement) => lend((client) => client.query(form(statement)));
  return {
    ...queryable(alone),
    tx: (work) => lend((client) => transaction(client, asTx(client, form), work, begin)),
    batch: (work) => lend((client) => batch(client, asTx(client, form), work, begin)),
    load: () => ({ inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close: () => {
      closed = true;
      return pool.end();
    },
  };
}

type Run = (statement: Sql) => Promise<pg.QueryResult>;

function queryable(run: Run): Queryable {
  return {
    many: async <Row>(statement: Sql) => (await run(statement)).rows as Row[],
    one: async <Row>(statement: Sql) => (await run(statement)).rows[0] as Row | undefined,
    run: async (statement) => (await run(statement)).rowCount ?? 0,
  };
}

type Form = (statement: Sql) => pg.QueryConfig;

const unprepared: Form = ({ text, values }) => ({ text, values: values as unknown[] });

/** More texts than the code has: whoever builds texts at run time must not fill every connection with them. */
const preparedMax = 500;

/** Names statements by their text, so that a connection recognises them. */
function preparer(): Form {
  const names = new Map<string, string>();
  return ({ text, values }) => {
    let name = names.get(text);
    if (name === undefined && names.size < preparedMax) {
      name = `roost_${names.size}`;
      names.set(text, name);
    }
    return name === undefined ? unprepared({ text, values }) : { name, text, values: values as unknown[] };
  };
}

function asTx(client: pg.PoolClient, form: Form): Tx {
  const { many, one, run } = queryable((statement) => client.query(form(statement)));
  return {
    many: <Row>(statement: Sql) => heard(many<Row>(statement)),
    one: <Row>(statement: Sql) => heard(one<Row>(statement)),
    run: (statement) => heard(run(statement)),
    inTransaction: true,
  };
}

/**
 * Statements of a transaction are started before they are awaited. Where something else throws in between, one that fails
 * would be a rejection without a handler and end the process; that the transaction is lost the commit says too.
 */
function heard<Result>(started: Promise<Result>): Promise<Result> {
  started.catch(() => {});
  return started;
}

type Lend = <Result>(work: (client: pg.PoolClient) => Promise<Result>) => Promise<Result>;

const patientBegin = (ms: number): string =>
  `begin; set local statement_timeout = ${ms}; set local lock_timeout = ${Math.round(ms / 2)}; ` +
  `set local idle_in_transaction_session_timeout = ${ms}`;

const isGivenUp = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';

async function withClient<Result>(
  pool: pg.Pool,
  url: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  const onError = (error: Error): void => {
    failure = error;
  };
  client.on('error', onError);
  try {
    return await work(client);
  } catch (error) {
    if (isGivenUp(error)) {
      cancelStatement(url, client);
      failure ??= error as Error;
    }
    if (client.getTransactionStatus?.() !== 'I') failure ??= error as Error;
    throw error;
  } finally {
    client.off('error', onError);
    // A connection that broke, or that is still inside a transaction, must not serve anybody else.
    client.release(failure);
  }
}

async function transaction<Result>(
  client: pg.PoolClient,
  tx: Tx,
  work: (tx: Tx) => Promise<Result>,
  begin: string,
): Promise<Result> {
  await client.query(begin);
  let result: Result;
  try {
    result = await work(tx);
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
  await committed(client.query('commit'));
  return result;
}

async function batch<const Results extends readonly Promise<unknown>[]>(
  client: pg.PoolClient,
  tx: Tx,
  work: (tx: Tx) => Results,
  begin: string,
): Promise<{ -readonly [Index in keyof Results]: Awaited<Results[Index]> }> {
  // Written as one piece: a system call a statement was 15 to 28 % of the CPU of a busy server.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  const begun = client.query(begin);
  let results: Results;
  let commit: Promise<void>;
  try {
    results = work(tx);
    commit = committed(client.query('commit'));
  } catch (error) {
    stream.uncork();
    // Nothing was asked but to begin; the connection goes back clean.
    await begun;
    await client.query('rollback');
    throw error;
  }
  stream.uncork();
  // All are awaited, so that no rejection is left alone; the earliest failure is the true reason, later
  // ones only say that the transaction is aborted.
  const outcomes = await Promise.allSettled([begun, ...results, commit]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  const values = outcomes.slice(1, -1).map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value);
  return values as { -readonly [Index in keyof Results]: Awaited<Results[Index]> };
}

/** PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error. */
async function committed(commit: Promise<pg.QueryResult>): Promise<void> {
  const result = await commit;
  if (result.command !== 'COMMIT') throw new Error('The transaction was rolled back.');
}

const int8 = 20;
const json = 114;

/** int8 becomes a number (our ids stay under 2^53); json stays text, since a stored body must not be changed by parsing. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === int8) return Number;
  if (oid === json) return String;
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}
