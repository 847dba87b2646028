import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { SimulatorCore } from '../core.ts';
import type { FeedEvent } from '../world/feed.ts';

/** A comment line in this pace keeps proxies from closing a silent stream. */
const HEARTBEAT_MS = 15_000;
/** A page that reads slower than this loses its stream and comes back. */
const BUFFER_BYTES_MAX = 4 * 1024 * 1024;

function writeEvent(response: ServerResponse, mark: string, event: FeedEvent): void {
  if (response.writableLength > BUFFER_BYTES_MAX) response.destroy();
  else response.write(`id: ${mark}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Server-sent events: everything that happens, and what was missed since `Last-Event-ID`. */
export function feedRoutes(server: FastifyInstance, core: SimulatorCore): void {
  const { feed } = core.world;
  const streams = new Set<ServerResponse>();
  server.get<{ Querystring: { after?: string } }>('/events', (request, reply) => {
    const last = request.headers['last-event-id'] ?? request.query.after;
    const missed = feed.sinceMark(String(last ?? feed.mark));
    const write = (event: FeedEvent): void => writeEvent(response, feed.markOf(event.seq), event);
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.write('retry: 1000\n\n');
    if (missed) for (const event of missed) write(event);
    else write({ seq: feed.seq, type: 'reset', chat: '', data: null });
    const stop = feed.listen(write);
    const beat = setInterval(() => response.write(': here\n\n'), HEARTBEAT_MS);
    streams.add(response);
    response.once('close', () => {
      stop();
      clearInterval(beat);
      streams.delete(response);
    });
  });
  server.addHook('preClose', (done) => {
    for (const response of streams) response.end();
    done();
  });
}
