import { join } from 'node:path';
import type { LoadMessage, Plan, Sent } from '../load/plan.ts';
import { lastLines, startChild } from './child.ts';
import type { Scope } from './scope.ts';

/** The load process: one plan at a time. */
export type Load = { run(plan: Plan): Promise<Sent> };

const script = join(import.meta.dirname, '..', 'load', 'main.ts');

export async function startLoad(scope: Scope, folder: string, name = 'load'): Promise<Load> {
  const child = startChild(scope, { script, logFile: join(folder, `${name}.log`), ipc: true });
  let take: ((message: LoadMessage) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  child.process.on('message', (message) => take?.(message as LoadMessage));
  child.process.on('exit', () => fail?.(new Error(`The load ended:\n${lastLines(child)}`)));

  const hear = (): Promise<LoadMessage> =>
    new Promise((resolve, reject) => {
      take = resolve;
      fail = reject;
    });
  await hear();
  return {
    async run(plan) {
      const heard = hear();
      child.process.send(plan as object);
      const message = await heard;
      if (message.kind !== 'sent')
        throw new Error(`The load failed: ${message.kind === 'failed' ? message.reason : ''}`);
      return message.sent;
    },
  };
}
