import type { FastifyPluginAsync } from 'fastify';
import type { Metrics } from '../../../kernel/metrics.ts';
import { errorText } from '../../../kernel/redact.ts';

/** One thing this process needs to do its work. */
export type Probe = {
  readonly name: string;
  /** What is wrong, as a sentence; undefined when nothing is. A throw counts as wrong. */
  check(): Promise<string | undefined> | string | undefined;
};

/** What a process says of itself. Nothing here is secret. */
export type ProcessInfo = {
  readonly version: string;
  readonly schemaLevel: number;
  readonly codeLevel: number;
  readonly roles: readonly string[];
  /** The installation, and this process in it. */
  readonly identity: string;
  readonly node: string;
  readonly startedAt: string;
};

export type Probes = {
  /** True from the first sign of stopping: readiness fails before anything else does. */
  draining(): boolean;
  /** Database, schema, queue: whatever the roles of this process need. */
  readonly ready: readonly Probe[];
  info(): ProcessInfo;
  readonly metrics: Metrics;
};

const probeMsMax = 2_000;
/** Balancers ask often and in numbers: one look serves all who ask in this time. */
const readyKeptMs = 500;

/**
 * GET /livez answers as long as the event loop turns and depends on nothing else, so that a database that is away
 * never makes a supervisor restart us. GET /readyz says whether work should come here. GET /_info says what this
 * is. GET /metrics is for Prometheus.
 */
export const opsRoutes =
  (probes: Probes): FastifyPluginAsync =>
  async (app) => {
    const ready = readiness(probes);

    app.get('/livez', async (_request, reply) => reply.type('text/plain').send('ok\n'));

    app.get('/readyz', async (_request, reply) => {
      const answer = await ready();
      return reply
        .code(answer.ready ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(answer);
    });

    app.get('/_info', async (_request, reply) => reply.header('cache-control', 'no-store').send(probes.info()));

    app.get('/metrics', async (_request, reply) =>
      reply.type(probes.metrics.contentType).send(await probes.metrics.text()),
    );
  };

type Readiness = { ready: boolean; checks: Record<string, string> };

/** Asks all probes at once; answers from memory for a moment, and never twice at the same time. */
function readiness(probes: Probes): () => Promise<Readiness> {
  let askedMs = Number.NEGATIVE_INFINITY;
  let last: Promise<Readiness> | undefined;
  return async () => {
    if (probes.draining()) return { ready: false, checks: { draining: 'This process is stopping.' } };
    const nowMs = performance.now();
    if (last === undefined || nowMs - askedMs > readyKeptMs) {
      askedMs = nowMs;
      last = ask(probes.ready);
    }
    return last;
  };
}

async function ask(list: readonly Probe[]): Promise<Readiness> {
  const entries = await Promise.all(list.map(async (probe) => [probe.name, (await look(probe)) ?? 'ok'] as const));
  return { ready: entries.every(([, found]) => found === 'ok'), checks: Object.fromEntries(entries) };
}

async function look(probe: Probe): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`No answer in ${probeMsMax / 1000} s.`), probeMsMax);
  });
  try {
    return await Promise.race([probe.check(), late]);
  } catch (error) {
    return errorText(error, 200);
  } finally {
    clearTimeout(timer);
  }
}
