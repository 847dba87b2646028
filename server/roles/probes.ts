import type { FastifyPluginAsync } from 'fastify';
import type { Db } from '../../kernel/db.ts';
import type { Kit } from '../../kernel/kit.ts';
import { createMetrics } from '../../kernel/metrics.ts';
import { codeLevel } from '../../kernel/migrate.ts';
import type { Directory } from '../domains/bots/bots.ts';
import { deadCount, type FailedStores, pendingFigures } from '../domains/inbox/inbox.ts';
import type { Node } from '../domains/nodes/nodes.ts';
import {
  type HotMetrics,
  listMigrations,
  opsRoutes,
  type Probe,
  type QueueFigures,
  registerMetrics,
} from '../domains/ops/ops.ts';
import { openFigures, unknownCount } from '../domains/outbox/outbox.ts';
import type { Releases } from '../domains/projects/projects.ts';
import type { Acknowledger } from '../domains/turns/turns.ts';
import type { Core } from './core.ts';
import type { Edge } from './edge.ts';
import type { Polling } from './polling.ts';

export type ProbeDeps = {
  kit: Kit;
  db: Db;
  roles: readonly string[];
  version: string;
  identity: string;
  schemaLevel: number;
  node: Node;
  directory: Directory;
  releases: Releases;
  edge: Edge | undefined;
  core: Core | undefined;
  polling: Polling | undefined;
  acknowledger: Acknowledger;
  /** Whatever stores updates here. */
  failures: readonly FailedStores[];
  draining(): boolean;
};

/** /livez, /readyz, /_info and /metrics of this process, and what the hot path observes itself. */
export function createProbes(deps: ProbeDeps): { plugin: FastifyPluginAsync; hot: HotMetrics } {
  const metrics = createMetrics();
  const hot = registerMetrics(metrics, {
    info: { version: deps.version, roles: deps.roles, schemaLevel: deps.schemaLevel },
    ...(deps.edge
      ? {
          submissions: () => (deps.edge as Edge).miniapps.submissions,
          appCache: () => (deps.edge as Edge).miniapps.cache(),
        }
      : {}),
    ...(deps.core
      ? {
          turns: () => (deps.core as Core).counts.turns,
          sends: () => (deps.core as Core).counts.sends,
          telegramRequests: () => (deps.core as Core).counts.calls,
          retryAfterSeconds: () => (deps.core as Core).longestWaitSeconds(),
        }
      : {}),
    ...(deps.edge || deps.polling ? { received: () => ({ ...deps.edge?.counts, ...deps.polling?.counts() }) } : {}),
    ...(deps.failures.length > 0
      ? { failedStores: () => deps.failures.reduce((sum, { total }) => sum + total, 0) }
      : {}),
    acknowledgements: () => deps.acknowledger.counts,
    queue: () => queueFigures(deps.db),
    dbLoad: () => deps.db.load(),
    bots: () => deps.directory.size(),
    bucketsOwned: () => deps.node.buckets().length,
    releasesKept: () => deps.releases.size(),
  });
  const startedAt = new Date(deps.kit.now()).toISOString();
  const plugin = opsRoutes({
    draining: deps.draining,
    ready: readiness(deps),
    info: () => ({
      version: deps.version,
      schemaLevel: deps.schemaLevel,
      codeLevel,
      roles: deps.roles,
      identity: deps.identity,
      node: deps.node.id(),
      startedAt,
    }),
    metrics,
  });
  return { plugin, hot };
}

function readiness({ db, node, edge, core }: ProbeDeps): Probe[] {
  const probes: Probe[] = [
    {
      name: 'database',
      check: async () => ((await listMigrations(db)).length > 0 ? undefined : 'The database has no schema.'),
    },
  ];
  if (edge)
    probes.push({
      name: 'intake',
      check: () =>
        node.receives() ? edge.intake.failures.trouble() : 'Not yet known to all processes that work on updates.',
    });
  if (core)
    probes.push({
      name: 'buckets',
      check: () => (node.buckets().length > 0 ? undefined : 'No bots are assigned to this process yet.'),
    });
  return probes;
}

/** Beyond this depth the figure says only "at least". */
const depthMax = 100_000;

async function queueFigures(db: Db): Promise<QueueFigures> {
  const [pending, dead, open, unknown] = await Promise.all([
    pendingFigures(db, depthMax),
    deadCount(db),
    openFigures(db, depthMax),
    unknownCount(db),
  ]);
  return {
    depth: pending?.depth ?? 0,
    oldestAgeSeconds: pending?.oldest_age_seconds ?? 0,
    deadLetters: dead?.dead ?? 0,
    outboxDepth: open?.depth ?? 0,
    outboxOldestAgeSeconds: open?.oldest_age_seconds ?? 0,
    unknownSends: unknown?.unknown ?? 0,
  };
}
