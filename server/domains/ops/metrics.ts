import { monitorEventLoopDelay } from 'node:perf_hooks';
import { answerBucketsSeconds, type Metrics, type Reading } from '../../../kernel/metrics.ts';

/** Numbers by name, as `{ done: 3, dead: 1 }`; a word for each label, as `{ 'webhook stored': 3 }`. Whoever counts owns the object and adds to it. */
export type Counts = Readonly<Record<string, number>>;

/** What stands in the database, for all processes together. */
export type QueueFigures = {
  readonly depth: number;
  readonly oldestAgeSeconds: number;
  readonly deadLetters: number;
  readonly outboxDepth: number;
  readonly outboxOldestAgeSeconds: number;
  readonly unknownSends: number;
};

/**
 * Where the numbers come from. All are optional: a process registers what its roles have, and a metric without a
 * source is not there.
 */
export type MetricSources = {
  readonly info: { readonly version: string; readonly roles: readonly string[]; readonly schemaLevel: number };
  /** By the way in and the result, as `webhook stored`: stored, duplicate, refused, broken, unavailable. */
  readonly received?: () => Counts;
  /** By result: done, ignored, retried, dead. */
  readonly turns?: () => Counts;
  /** Updates that could not be stored. */
  readonly failedStores?: () => number;
  /** Sends by result: sent, refused, unknown, repeated ... */
  readonly sends?: () => Counts;
  /** Calls to Telegram by `method code_class`, as `sendMessage 2xx`. */
  readonly telegramRequests?: () => Counts;
  /** Answers to presses and checkouts by kind and result, as `checkout answered`. */
  readonly acknowledgements?: () => Counts;
  /** The longest wait Telegram has asked for, of those that are not over. */
  readonly retryAfterSeconds?: () => number;
  readonly queue?: () => Promise<QueueFigures>;
  readonly dbLoad?: () => { inUse: number; waiting: number };
  readonly bots?: () => number;
  readonly bucketsOwned?: () => number;
  readonly releasesKept?: () => { releases: number; bytes: number };
  /** What visitors of apps have sent, by result and reason, as `refused SLOT_TAKEN`. */
  readonly submissions?: () => Counts;
  /** What is kept to answer visitors of apps, by part. */
  readonly appCache?: () => { readonly [part: string]: KeptFigures };
};

export type KeptFigures = {
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
};

/** What the hot path observes itself. */
export type HotMetrics = {
  /** From the arrival of an update to the commit of its turn, in seconds. */
  readonly updateProcessing: { observe(seconds: number): void };
  /** One call to Telegram, in seconds. */
  readonly telegramSeconds: { observe(seconds: number): void };
};

/** How long figures of the queue are kept: several Prometheus servers cost no more than one. */
const figuresKeptMs = 5_000;

/** Tells `metrics` every metric of this process. No label ever holds a person, a chat, a bot or a project. */
export function registerMetrics(metrics: Metrics, sources: MetricSources): HotMetrics {
  registerProcess(metrics, sources);
  registerCounters(metrics, sources);
  registerApps(metrics, sources);
  if (sources.queue) registerQueue(metrics, keptFor(figuresKeptMs, sources.queue));
  return {
    updateProcessing: metrics.histogram(
      { name: 'roost_update_processing_seconds', help: 'From the arrival of an update to the commit of its turn' },
      answerBucketsSeconds,
    ),
    telegramSeconds: metrics.histogram(
      { name: 'roost_telegram_request_seconds', help: 'Length of one call to Telegram' },
      answerBucketsSeconds,
    ),
  };
}

function registerCounters(metrics: Metrics, sources: MetricSources): void {
  const { failedStores, retryAfterSeconds } = sources;
  const counted = (name: string, help: string, labels: readonly string[], read: (() => Counts) | undefined): void => {
    if (read) metrics.counter({ name, help, labels: [...labels] }, () => series(labels, read()));
  };
  counted(
    'roost_updates_received_total',
    'Webhook deliveries and polled updates, by what became of them',
    ['integration_kind', 'result'],
    sources.received,
  );
  counted('roost_turns_total', 'Updates that were handled, by how it ended', ['result'], sources.turns);
  counted('roost_sends_total', 'Messages that left the outbox, by how it ended', ['result'], sources.sends);
  counted('roost_telegram_requests_total', 'Calls to Telegram', ['method', 'code_class'], sources.telegramRequests);
  counted(
    'roost_acknowledgements_total',
    'Answers to presses and checkouts, by how it ended',
    ['kind', 'result'],
    sources.acknowledgements,
  );
  if (failedStores) {
    metrics.counter(
      { name: 'roost_failed_stores_total', help: 'Updates that the database did not take; their senders come again' },
      failedStores,
    );
  }
  if (retryAfterSeconds) {
    metrics.gauge(
      {
        name: 'roost_telegram_retry_after_seconds',
        help: 'Longest wait that Telegram has asked for and that is not over',
      },
      retryAfterSeconds,
    );
  }
}

function registerApps(metrics: Metrics, { submissions, appCache }: MetricSources): void {
  if (submissions) {
    const help = 'Forms that visitors of apps have sent, by what became of them';
    const labels = ['result', 'reason'];
    metrics.counter({ name: 'roost_app_submissions_total', help, labels }, () => series(labels, submissions()));
  }
  if (!appCache) return;
  const parts = (pick: (figures: KeptFigures) => number): Reading =>
    Object.entries(appCache()).map(([part, figures]) => [{ part }, pick(figures)] as const);
  const of = (name: string, help: string) => ({ name, help, labels: ['part'] });
  metrics.counter(of('roost_app_cache_hits_total', 'Parts of apps that were kept when they were asked for'), () =>
    parts(({ hits }) => hits),
  );
  metrics.counter(of('roost_app_cache_misses_total', 'Parts of apps that had to be made'), () =>
    parts(({ misses }) => misses),
  );
  metrics.gauge(of('roost_app_cache_entries', 'Parts of apps in memory'), () => parts(({ entries }) => entries));
  metrics.gauge(of('roost_app_cache_bytes', 'What they take'), () => parts(({ bytes }) => bytes));
}

function registerQueue(metrics: Metrics, queue: () => Promise<QueueFigures>): void {
  const gauge = (name: string, help: string, pick: (figures: QueueFigures) => number): void =>
    metrics.gauge({ name, help }, async () => pick(await queue()));
  gauge('roost_inbox_depth', 'Updates that wait for their turn', (f) => f.depth);
  gauge('roost_inbox_oldest_age_seconds', 'Age of the oldest update that waits', (f) => f.oldestAgeSeconds);
  gauge('roost_dead_letters', 'Updates that were given up', (f) => f.deadLetters);
  gauge('roost_outbox_depth', 'Messages that wait to be sent', (f) => f.outboxDepth);
  gauge('roost_outbox_oldest_age_seconds', 'Age of the oldest message that waits', (f) => f.outboxOldestAgeSeconds);
  gauge('roost_unknown_sends', 'Messages of which nobody knows whether they arrived', (f) => f.unknownSends);
}

function registerProcess(metrics: Metrics, { info, dbLoad, bots, bucketsOwned, releasesKept }: MetricSources): void {
  const labels = { version: info.version, roles: info.roles.join(','), schema_level: String(info.schemaLevel) };
  metrics.gauge({ name: 'roost_build_info', help: 'What runs here; always 1', labels: Object.keys(labels) }, () => [
    [labels, 1],
  ]);
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  metrics.gauge(
    { name: 'roost_event_loop_lag_seconds', help: 'Delay of the event loop since the last scrape, 99th percentile' },
    () => {
      // The monitor measures its own interval too; what is over it is the delay.
      const seconds = Math.max(0, lag.percentile(99) / 1e9 - 0.02);
      lag.reset();
      return seconds;
    },
  );
  metrics.gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory' }, () => process.memoryUsage.rss());
  metrics.counter({ name: 'process_cpu_seconds_total', help: 'CPU time of this process' }, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  if (dbLoad) {
    metrics.gauge({ name: 'roost_db_pool_in_use', help: 'Database connections in use' }, () => dbLoad().inUse);
    metrics.gauge(
      { name: 'roost_db_pool_waiting', help: 'Callers that wait for a database connection' },
      () => dbLoad().waiting,
    );
  }
  if (bots) metrics.gauge({ name: 'roost_bots', help: 'Connected bots this process knows' }, bots);
  if (bucketsOwned)
    metrics.gauge({ name: 'roost_buckets_owned', help: 'Buckets of bots this process works on' }, bucketsOwned);
  if (releasesKept) {
    metrics.gauge({ name: 'roost_releases_kept', help: 'Compiled releases in memory' }, () => releasesKept().releases);
  }
}

/** A line for each count. Its name holds a word for each label. */
function series(labels: readonly string[], counts: Counts): Reading {
  return Object.entries(counts).map(([name, value]) => {
    const words = name.split(' ');
    return [Object.fromEntries(labels.map((label, index) => [label, words[index] ?? ''])), value] as const;
  });
}

/** Answers from memory for a while; those who ask at once share one read. A failure is not kept. */
function keptFor<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { atMs: number; value: Promise<Value> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (last !== undefined && nowMs - last.atMs < ms) return last.value;
    const value = read();
    last = { atMs: nowMs, value };
    value.catch(() => {
      last = undefined;
    });
    return value;
  };
}
