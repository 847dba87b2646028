import pg from 'pg';

/** What a connection of the driver knows of itself and of the backend that serves it. */
type Served = { processID: number | null; secretKey: number | Buffer | null };
type Wire = {
  connect(port: number | string, host?: string): void;
  cancel(processID: number, secretKey: number | Buffer): void;
  on(event: string, listener: () => void): void;
  stream: { unref?(): void; destroy(): void };
};
type Dialler = { connection: Wire; host: string; port: number };

const cancelMsMax = 5_000;

/**
 * Ends the statement that a connection is waiting for, in the server: whoever gives up must not leave it running there.
 * By the driver's own request, which needs a connection of its own and goes through poolers. Nothing is awaited; where
 * the server is not reached its statement_timeout does the same.
 */
export function cancelStatement(url: string, client: pg.PoolClient): void {
  const { processID, secretKey } = client as unknown as Served;
  if (processID === null || secretKey === null) return;
  const { connection, host, port } = new pg.Client({ connectionString: url }) as unknown as Dialler;
  const end = (): void => connection.stream.destroy();
  const timer = setTimeout(end, cancelMsMax);
  timer.unref();
  const send = (): void => connection.cancel(processID, secretKey);
  connection.on('connect', send);
  connection.on('sslconnect', send);
  connection.on('error', end);
  connection.on('end', () => clearTimeout(timer));
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}
