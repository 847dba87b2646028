import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** One series of a metric: its labels and its value. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** What a metric reads when it is scraped: a number, or one for each set of labels. Undefined leaves it out. */
export type Reading = number | readonly Sample[] | undefined;

export type Metric = { readonly name: string; readonly help: string; readonly labels?: readonly string[] };

/**
 * The metrics of one process. The hot path only adds to plain numbers it owns; whoever wires the process tells
 * here how to read them, and they are read when somebody scrapes. So a metric costs an addition.
 */
export type Metrics = {
  /** A number that only grows while the process lives. */
  counter(metric: Metric, read: () => Reading): void;
  /** A number of this moment. A reader that fails or takes too long leaves its gauge out of this scrape. */
  gauge(metric: Metric, read: () => Reading | Promise<Reading>): void;
  /** A distribution in seconds. */
  histogram(metric: Metric, bucketsSeconds: readonly number[]): { observe(seconds: number): void };
  /** The text of a scrape. Scrapes that come at once share one. */
  text(): Promise<string>;
  readonly contentType: string;
};

/** From one millisecond to ten seconds: what an answer can take. */
export const answerBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

const readMsMax = 3_000;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const readers: (() => Promise<void>)[] = [];
  let scrape: Promise<string> | undefined;
  const configOf = ({ name, help, labels = [] }: Metric) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });

  async function collect(): Promise<string> {
    await Promise.all(readers.map((read) => read()));
    return registry.metrics();
  }

  return {
    contentType: registry.contentType,
    counter(metric, read) {
      const target = new Counter(configOf(metric));
      readers.push(async () => write(target, read(), (labels, value) => target.inc(labels, value)));
    },
    gauge(metric, read) {
      const target = new Gauge(configOf(metric));
      readers.push(async () => write(target, await within(read), (labels, value) => target.set(labels, value)));
    },
    histogram(metric, bucketsSeconds) {
      const target = new Histogram({ ...configOf(metric), buckets: [...bucketsSeconds] });
      return { observe: (seconds) => target.observe(seconds) };
    },
    text() {
      scrape ??= collect().finally(() => {
        scrape = undefined;
      });
      return scrape;
    },
  };
}

/** Puts a reading in place of the last one. A series that is gone, or that could not be read, is not shown as zero. */
function write(
  target: Counter | Gauge,
  reading: Reading,
  put: (labels: Readonly<Record<string, string>>, value: number) => void,
): void {
  target.reset();
  target.remove({});
  if (reading === undefined) return;
  if (typeof reading === 'number') put({}, reading);
  else for (const [labels, value] of reading) put(labels, value);
}

async function within(read: () => Reading | Promise<Reading>): Promise<Reading> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), readMsMax);
  });
  try {
    return await Promise.race([read(), late]);
  } catch {
    // A scrape must show the rest when the database, which most gauges ask, is away.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
