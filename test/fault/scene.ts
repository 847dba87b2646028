import { expect } from 'vitest';
import type { SimulatorOptions } from '../../simulator/simulator.ts';
import { createTestDatabase } from '../support/database.ts';
import { audit, type Rule } from './audit.ts';
import { createChance } from './chance.ts';
import { type Crowd, createCrowd } from './crowd.ts';
import { type Evidence, gather, isFinished, unfinished } from './evidence.ts';
import { type Installation, openInstallation } from './installation.ts';
import { keepLogs } from './logs.ts';
import { until } from './waiting.ts';

/** An installation with people who talk, for one test file. */
export type Scene = {
  readonly installation: Installation;
  readonly crowd: Crowd;
  /** The database over TCP, for proxies. */
  readonly tcpUrl: string;
  readonly url: string;
  /** People write at random while the work goes on, and until it is over. */
  during<Result>(work: () => Promise<Result>, perSecond?: number): Promise<Result>;
  /** Waits until everything has come to its end and asks the auditor, who must have nothing to complain of. */
  settle(secondsMax?: number, rules?: readonly Rule[]): Promise<Evidence>;
  close(): Promise<void>;
};

export type SceneOptions = {
  bots?: number;
  chatsABot?: number;
  groupsABot?: number;
  polled?: boolean;
  simulator?: SimulatorOptions;
  /** Another PostgreSQL than the one all tests share: one that may be crashed. */
  ground?: { url: string; tcpUrl: string; close: () => Promise<void> };
};

const talkPerSecond = 60;

/** Opens an installation without any server yet: `scene.installation.serve` starts them. */
export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const ground = options.ground ?? (await createTestDatabase());
  const installation = await openInstallation({
    url: ground.url,
    ...(options.simulator ? { simulator: options.simulator } : {}),
  });
  const bots = await installation.connect(options.bots ?? 6, { polled: options.polled ?? false });
  const crowd = createCrowd(installation.simulator, bots, {
    chatsABot: options.chatsABot ?? 10,
    groupsABot: options.groupsABot ?? 0,
  });
  const chance = createChance(7);

  async function during<Result>(work: () => Promise<Result>, perSecond = talkPerSecond): Promise<Result> {
    const talk = new AbortController();
    const talking = crowd.keepTalking(chance, perSecond, talk.signal);
    try {
      return await work();
    } catch (error) {
      await keepLogs(installation);
      throw error;
    } finally {
      talk.abort();
      await talking;
    }
  }

  async function settle(secondsMax = 120, rules?: readonly Rule[]): Promise<Evidence> {
    try {
      await until('everything to come to its end', () => unfinished(installation), isFinished, secondsMax);
      const evidence = await gather(installation, crowd);
      expect(audit(evidence, rules)).toEqual([]);
      return evidence;
    } catch (error) {
      await keepLogs(installation);
      throw error;
    }
  }

  return {
    installation,
    crowd,
    url: ground.url,
    tcpUrl: ground.tcpUrl,
    during,
    settle,
    async close() {
      await installation.close();
      await ground.close();
    },
  };
}
