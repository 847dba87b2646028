import type { Kit } from './kit.ts';
import type { Service } from './service.ts';

/** A loop that can be woken: `nudge` cuts the present pause short, or the next one when a pass is running. */
export type Loop = Service & { nudge(): void };

const failurePauseMsMax = 30_000;

/**
 * Calls `pass` again and again until stopped. A pass does a bounded amount of work and returns how many
 * milliseconds to wait before the next; 0 means there is more to do. A pass that throws is logged and
 * tried again after a growing pause with jitter (about half a second, doubling to 30 s). `stop` waits for the pass in hand.
 */
export function loop(kit: Kit, name: string, pass: (stop: AbortSignal) => Promise<number>): Loop {
  const controller = new AbortController();
  let running: Promise<void> | undefined;
  let nudged = false;
  let wake = (): void => {};

  async function once(failures: number): Promise<{ pauseMs: number; failures: number }> {
    try {
      return { pauseMs: await pass(controller.signal), failures: 0 };
    } catch (error) {
      const count = failures + 1;
      kit.log.error({ loop: name, failures: count, err: error }, 'loop.pass_failed');
      const pauseMs = Math.min(failurePauseMsMax, 250 * 2 ** Math.min(count, 10)) * (0.5 + kit.random() / 2);
      return { pauseMs, failures: count };
    }
  }

  function pause(ms: number): Promise<void> {
    if (nudged || ms <= 0 || controller.signal.aborted) return new Promise((resolve) => setImmediate(resolve));
    return new Promise((resolve) => {
      const timer = setTimeout(finish, ms);
      function finish(): void {
        clearTimeout(timer);
        wake = () => {};
        resolve();
      }
      wake = finish;
    });
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!controller.signal.aborted) {
      nudged = false;
      const outcome = await once(failures);
      failures = outcome.failures;
      await pause(outcome.pauseMs);
    }
  }

  return {
    name,
    async start() {
      running ??= run();
    },
    async stop() {
      controller.abort();
      wake();
      await running;
    },
    nudge() {
      nudged = true;
      wake();
    },
  };
}
