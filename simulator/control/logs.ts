import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { SimulatorCore } from '../core.ts';
import type { CallEntry } from '../log/call-log.ts';
import type { DeliveryEntry } from '../log/delivery-log.ts';
import type { LogFilter, ReadableLog } from '../log/query.ts';
import { queryLog, streamLog } from '../log/query.ts';

type Query = Record<string, string | undefined>;

/** Reads a filter from a query string: `after` and `limit` page, every other name is compared with that field. */
function filterOf(query: Query): LogFilter {
  const { after, limit, since, ...fields } = query;
  return {
    after: after === undefined ? -1 : Number(after),
    limit: limit === undefined ? 1_000 : Number(limit),
    sinceMono: since === undefined ? 0 : Number(since),
    fields: Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined),
  };
}

function routesOf<Entry extends CallEntry | DeliveryEntry>(
  server: FastifyInstance,
  path: string,
  log: ReadableLog<Entry>,
): void {
  server.get<{ Querystring: Query }>(path, ({ query }) => queryLog(log, filterOf(query)));
  server.get<{ Querystring: Query }>(`${path}.ndjson`, ({ query }, reply) => {
    reply.type('application/x-ndjson');
    return reply.send(Readable.from(streamLog(log, filterOf(query))));
  });
}

/** Both logs, as pages or as a stream of lines, and the counters. */
export function logRoutes(server: FastifyInstance, core: SimulatorCore): void {
  routesOf(server, '/calls', core.calls);
  routesOf(server, '/deliveries', core.deliveries);
  server.get('/counters', () => core.counters());
  server.delete('/logs', () => {
    core.resetLogs();
    return true;
  });
}
