import type { Config } from '../../../kernel/config.ts';
import type { Db, Queryable } from '../../../kernel/db.ts';
import type { BotView } from '../../domains/bots/bots.ts';
import { botAppId } from '../../domains/miniapps/miniapps.ts';
import { listProcesses } from '../../domains/ops/ops.ts';
import { type Project, readRelease } from '../../domains/projects/projects.ts';
import { quote } from '../cli/print.ts';

/**
 * Where this server is reached: at PUBLIC_URL, else on this machine alone, where a process that serves pages listens. The
 * configuration of a command says nothing of the port of a server that was started with another one.
 */
export async function homeOf(config: Pick<Config, 'publicUrl' | 'host' | 'port'>, db: Db): Promise<string> {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const serving = (await listProcesses(db)).find((each) => each.fresh && each.roles.includes('edge') && each.address);
  return serving?.address?.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//127.0.0.1') ?? configuredHome(config);
}

function configuredHome({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Where the apps of these bots are opened. */
export function appAddresses(
  bots: readonly BotView[],
  home: string,
): { readonly bot: string; readonly address: string }[] {
  return bots.map((bot) => ({
    bot: `@${bot.username}`,
    address: `${bot.webhookBase ?? home}/a/${botAppId(bot.projectPublicId, bot.botId)}`,
  }));
}

/** Every address at which a site stands, for people and for programs. */
export function siteAddresses(
  site: { readonly slug: string | null; readonly domain: string | null },
  home: string,
): string[] {
  return [
    ...(site.domain === null ? [] : [`https://${site.domain}/`]),
    ...(site.slug === null ? [] : [`${home}/s/${site.slug}`]),
  ];
}

/** Whether the running release of a project has pages. */
export async function hasPages(db: Queryable, { id, releaseNumber }: Project): Promise<boolean> {
  const release = releaseNumber === null ? undefined : await readRelease(db, id, releaseNumber);
  return release?.document.app !== undefined;
}

/** That nothing is shown at the addresses of a project yet, and what to do; nothing where pages are shown. */
export async function missingPages(db: Queryable, project: Project): Promise<string[]> {
  const { name, releaseNumber } = project;
  if (await hasPages(db, project)) return [];
  return releaseNumber === null
    ? [
        `Nothing of "${name}" is published yet, so there are no pages and every address answers 404.`,
        `Publish it: roost project publish ${quote(name)}`,
      ]
    : [
        `Release ${releaseNumber} of "${name}" has no pages, so every address answers 404.`,
        'Pages stand under "app" in the document: see docs/build/app.md. Import it with them, and publish it.',
      ];
}

/** That Telegram does not open the app of these bots, and what to do; nothing where it does. */
export function unopenedApp(bots: readonly BotView[], publicUrl: string | undefined): string[] {
  const polled = bots.filter((bot) => bot.receives === 'polling');
  // Without any bot it is said of the one that will come.
  if (publicUrl !== undefined || (bots.length > 0 && polled.length === 0)) return [];
  const whose = polled.length === 0 ? '' : ` of ${polled.map((bot) => `@${bot.username}`).join(', ')}`;
  return [
    `PUBLIC_URL is not set, so Telegram cannot open the app${whose}, and buttons that lead to it are left out.`,
    'Set PUBLIC_URL to the https address of this server, and start it again.',
  ];
}

/** The same where something was published or connected, and where to look until then. */
export function appHints(project: string, bots: readonly BotView[], publicUrl: string | undefined): string[] {
  const unopened = unopenedApp(bots, publicUrl);
  return unopened.length === 0
    ? []
    : [...unopened, `A browser on this machine opens the pages already: roost app show ${quote(project)}`];
}
