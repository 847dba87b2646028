/**
 * How the embedded PostgreSQL runs. Durable first: what was committed survives a power cut. Small second: a
 * whole installation shall fit beside other things on a small machine. Everything else is PostgreSQL's default.
 */
export const productSettings: Readonly<Record<string, string>> = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  shared_buffers: '96MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_connections: '60',
  // Plain reads need no helper processes here: three workers fewer.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  huge_pages: 'off',
  // Compiling a plan costs more than any of our statements take.
  jit: 'off',
  random_page_cost: '1.1',

  max_wal_size: '1GB',
  wal_compression: 'on',
  wal_buffers: '8MB',
  checkpoint_timeout: '15min',
  // Queue tables change fast; a minute between looks lets them swell.
  autovacuum_naptime: '20s',
  idle_in_transaction_session_timeout: '60s',

  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Errors of statements are told to the caller, who logs them without the statement: it holds people's messages.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/** A throw-away cluster of tests: never synced to disk, since it is removed after the run. */
export const testSettings: Readonly<Record<string, string>> = {
  ...productSettings,
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '128MB',
  max_connections: '300',
  autovacuum_naptime: '60s',
  log_checkpoints: 'off',
};
