// The demo of `start`: example projects and bots of the simulated Telegram, made by the same calls as any other.
import { join } from 'node:path';
import type { Db } from '../../kernel/db.ts';
import { purposeKey } from '../../kernel/purpose-key.ts';
import { type BotsDeps, disconnectBot, listBots, moveWebhook, rotateToken, worksWith } from '../domains/bots/bots.ts';
import { botAppId, setSlug } from '../domains/miniapps/miniapps.ts';
import { findBot } from '../domains/ops/ops.ts';
import { findProject, importProject, type Project, publish, readBundle } from '../domains/projects/projects.ts';
import { joinProject } from './bot/join.ts';

/** A folder of `examples/` with the bot that shows it. */
export type Demo = {
  readonly example: string;
  readonly project: string;
  readonly botId: number;
  readonly username: string;
  /** In both languages of the example: Telegram shows one name to all. */
  readonly name: string;
  /** The name of its site below `/s/`, where the example has pages. */
  readonly site?: string;
};

/** In the order in which the chats of the simulated Telegram stand at first. */
export const demos: readonly Demo[] = [
  {
    example: 'support-menu',
    project: 'Demo',
    botId: 4_200_000_001,
    username: 'roost_demo_bot',
    name: 'Roost demo',
  },
  {
    example: 'shop',
    project: 'Demo shop',
    botId: 4_200_000_002,
    username: 'shop_demo_bot',
    name: 'Печь и глина · Kiln & Clay',
    site: 'kiln-and-clay',
  },
  {
    example: 'booking',
    project: 'Demo booking',
    botId: 4_200_000_003,
    username: 'booking_demo_bot',
    name: 'Студия «Линия» · Linia',
    site: 'linia',
  },
  {
    example: 'lead-site',
    project: 'Demo site',
    botId: 4_200_000_004,
    username: 'site_demo_bot',
    name: 'Восьмёрка · Figure Eight',
    site: 'figure-eight',
  },
  {
    example: 'portfolio',
    project: 'Demo portfolio',
    botId: 4_200_000_005,
    username: 'portfolio_demo_bot',
    name: 'Елизавета · Elizaveta',
    site: 'elizaveta',
  },
];

/** What the demo's secrets are made of. The id alone is no secret: /_info tells it to everybody. */
type Root = { readonly id: string; readonly masterKey: Uint8Array };

/** The token of a demo bot: always the same for one installation, so that the simulated Telegram knows the bot again. */
export function demoToken({ id, masterKey }: Root, { botId }: Demo): string {
  return `${botId}:${purposeKey(masterKey, id, `roost demo bot ${botId}`).toString('base64url').slice(0, 35)}`;
}

/** The key of the simulated Telegram's control API; the same after each start, so that a page that is open goes on. */
export function simulatorKey({ id, masterKey }: Root): string {
  return purposeKey(masterKey, id, 'roost simulator control').toString('base64url');
}

/** Imports and publishes the example once; what a person has made of it since is left alone. */
export async function prepareDemoProject(db: Db, { example, project: name, site }: Demo): Promise<Project> {
  const found = await findProject(db, name);
  if (found !== undefined && found.releaseNumber !== null) return found;
  const bundle = await readBundle(join(import.meta.dirname, '..', '..', 'examples', example, 'flow.json'));
  return db.tx(async (tx) => {
    const { project } = await importProject(tx, { name, bundle, into: found !== undefined });
    const { release } = await publish(tx, project.id, { note: 'The example that Roost starts with' });
    if (site !== undefined) await setSlug(tx, project.id, site);
    return { ...project, releaseNumber: release.number };
  });
}

/** Connects the demo bot, or tells the simulated Telegram again where its updates go. */
export async function connectDemoBot(
  deps: BotsDeps,
  project: Project,
  { botId }: Demo,
  request: { token: string; apiRoot: string; webhookBase: string },
): Promise<void> {
  const known = (await listBots(deps, { project: project.publicId })).find((bot) => bot.botId === botId);
  if (known !== undefined) {
    const { apiRoot } = await findBot(deps.db, known.publicId);
    if (apiRoot === request.apiRoot) {
      if (!(await worksWith(deps, known.publicId, request.token)))
        await rotateToken(deps, known.publicId, request.token);
      await moveWebhook(deps, known.publicId, request.webhookBase);
      return;
    }
    // The port was changed since: its Telegram is elsewhere now, and the old address reaches nobody.
    await disconnectBot(deps, known.publicId, { evenIfUnreachable: true });
  }
  await joinProject(deps, project, request);
}

/** Where the app of a demo bot stands on this server; undefined where the example has no pages. */
export function demoApp(address: string, project: Project, { botId, site }: Demo): string | undefined {
  return site === undefined ? undefined : `${address}/a/${botAppId(project.publicId, botId)}`;
}
