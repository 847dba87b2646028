import { join } from 'node:path';
import { freePort } from '../../test/support/cluster.ts';
import type { BaselinePlan, FilesPlan } from '../baseline/plan.ts';
import type { Answers } from './answers.ts';
import type { BenchBot } from './bots.ts';
import { lastLines, startChild } from './child.ts';
import { cpuMsOf } from './proc.ts';
import type { World } from './world.ts';

export type Baseline = { readonly port: number; cpuMs(): number; stop(): Promise<void> };

const script = join(import.meta.dirname, '..', 'baseline', 'main.ts');

/** Starts one of the programs that ours is compared with. */
export async function startBaseline(
  world: World,
  options: {
    kind: BaselinePlan['kind'];
    bots: readonly BenchBot[];
    words: readonly string[];
    answers?: Answers;
    awaitsTelegram?: boolean;
  },
): Promise<Baseline> {
  return launch(world, {
    kind: options.kind,
    port: await freePort(),
    apiRoot: world.simulator.address,
    bots: options.bots.map(({ publicId, secret, token, botId }) => ({ publicId, secret, token, botId })),
    words: options.words,
    answers: options.answers ?? [],
    awaitsTelegram: options.awaitsTelegram ?? false,
  });
}

/** Starts a Fastify that answers these paths from memory. */
export async function startFiles(world: World, files: FilesPlan['files']): Promise<Baseline> {
  return launch(world, { kind: 'files', port: await freePort(), files });
}

async function launch(world: World, plan: BaselinePlan | FilesPlan): Promise<Baseline> {
  const child = startChild(world.context.scope, {
    script,
    logFile: join(world.folder, `baseline-${plan.kind}.log`),
    ipc: true,
  });
  const listening = new Promise<void>((resolve, reject) => {
    child.process.once('message', () => resolve());
    child.process.once('exit', () => reject(new Error(`The baseline ended:\n${lastLines(child)}`)));
  });
  child.process.send(plan);
  await listening;
  return { port: plan.port, cpuMs: () => cpuMsOf(child.pid), stop: () => child.stop() };
}
