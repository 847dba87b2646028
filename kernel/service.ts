/**
 * The one contract of everything that runs. `start` resolves when it works; `stop` resolves when nothing
 * of it runs any more. Stopping twice, or stopping what was never started, is fine.
 */
export type Service = {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts in order; when one fails, those already started are stopped again in reverse. */
export async function startAll(services: readonly Service[]): Promise<void> {
  const started: Service[] = [];
  try {
    for (const service of services) {
      await service.start();
      started.push(service);
    }
  } catch (error) {
    await stopAll(started);
    throw error;
  }
}

/** Stops in reverse order. Every one is stopped even when another fails; the first failure is thrown. */
export async function stopAll(services: readonly Service[]): Promise<void> {
  let failure: unknown;
  for (const service of [...services].reverse()) {
    try {
      await service.stop();
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
}
