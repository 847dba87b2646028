import type { BotView } from '../../domains/bots/bots.ts';
import { botAppId } from '../../domains/miniapps/miniapps.ts';

/** Where the apps of these bots are opened; a path alone where the installation has no address of its own. */
export function appAddresses(
  bots: readonly BotView[],
  publicUrl: string | undefined,
): { readonly bot: string; readonly address: string }[] {
  return bots.map((bot) => ({
    bot: `@${bot.username}`,
    address: `${publicUrl ?? ''}/a/${botAppId(bot.projectPublicId, bot.botId)}`,
  }));
}

/** Where a site stands, for people and for programs. */
export function siteAddresses(
  site: { readonly slug: string | null; readonly domain: string | null },
  publicUrl: string | undefined,
): string[] {
  return [
    ...(site.domain === null ? [] : [`https://${site.domain}/`]),
    ...(site.slug === null ? [] : [`${publicUrl ?? ''}/s/${site.slug}`]),
  ];
}
