// The demo of `start`: an example project and a bot of the simulated Telegram, made by the same calls as any other.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Db } from '../../kernel/db.ts';
import { type BotsDeps, disconnectBot, listBots, moveWebhook } from '../domains/bots/bots.ts';
import { findBot } from '../domains/ops/ops.ts';
import { findProject, importProject, type Project, publish, readBundle } from '../domains/projects/projects.ts';
import { joinProject } from './bot/join.ts';

const projectName = 'Demo';
const botId = 4_200_000_001;
const document = join(import.meta.dirname, '..', '..', 'examples', 'support-menu', 'flow.json');

/**
 * The demo bot's token: always the same for one installation, so that the simulated Telegram, which forgets
 * everything, knows the bot again. It opens nothing but that simulation.
 */
export function demoToken(identity: string): string {
  return `${botId}:${createHash('sha256').update(`demo bot of ${identity}`).digest('base64url').slice(0, 35)}`;
}

/** Imports and publishes the example once; what a person has made of it since is left alone. */
export async function prepareDemoProject(db: Db): Promise<Project> {
  const found = await findProject(db, projectName);
  if (found !== undefined && found.releaseNumber !== null) return found;
  const bundle = await readBundle(document);
  return db.tx(async (tx) => {
    const { project } = await importProject(tx, { name: projectName, bundle, into: found !== undefined });
    const { release } = await publish(tx, project.id, { note: 'The example that Roost starts with' });
    return { ...project, releaseNumber: release.number };
  });
}

/** Connects the demo bot, or tells the simulated Telegram again where its updates go. */
export async function connectDemoBot(
  deps: BotsDeps,
  project: Project,
  demo: { token: string; apiRoot: string; webhookBase: string },
): Promise<void> {
  const known = (await listBots(deps, { project: project.publicId })).find((bot) => bot.botId === botId);
  if (known !== undefined) {
    const { apiRoot } = await findBot(deps.db, known.publicId);
    if (apiRoot === demo.apiRoot) {
      await moveWebhook(deps, known.publicId, demo.webhookBase);
      return;
    }
    // The port was changed since: its Telegram is elsewhere now, and the old address reaches nobody.
    await disconnectBot(deps, known.publicId, { evenIfUnreachable: true });
  }
  await joinProject(deps, project, demo);
}
