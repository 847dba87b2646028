import type { Bot } from '../world/bot.ts';
import type { World } from '../world/world.ts';
import { appAddressFault } from './address.ts';

/** What @BotFather knows of a bot's apps: the one of `t.me/bot?startapp`, and those of `t.me/bot/name`. */
export type BotApps = { readonly main?: string; readonly named: Readonly<Record<string, string>> };

/** A change of them; null takes one away. */
export type BotAppsChange = { main_app?: string | null; apps?: Readonly<Record<string, string | null>> };

const NONE: BotApps = { named: {} };

export function appsOf(bot: Bot): BotApps {
  return (bot.profile.get('apps') as BotApps | undefined) ?? NONE;
}

/** Does what a maker does at @BotFather: names the addresses of a bot's apps. Throws where Telegram would refuse one. */
export function changeApps(world: World, bot: Bot, change: BotAppsChange): BotApps {
  const before = appsOf(bot);
  const main = change.main_app === undefined ? before.main : change.main_app;
  const named = { ...before.named };
  for (const [name, url] of Object.entries(change.apps ?? {})) {
    if (!/^[A-Za-z0-9_]{3,30}$/.test(name)) throw new Error(`an app's name has 3 to 30 letters, "${name}" has not`);
    if (url === null) delete named[name];
    else named[name] = url;
  }
  for (const url of [...(main ? [main] : []), ...Object.values(named)]) {
    const fault = appAddressFault(url, world.settings.appsOverHttp);
    if (fault) throw new Error(`Web App ${fault}`);
  }
  const apps: BotApps = { ...(main ? { main } : {}), named };
  bot.profile.set('apps', apps);
  bot.user.has_main_web_app = main !== undefined && main !== null;
  world.feed.publish('bot', '', { id: bot.id, apps });
  return apps;
}

/** The button beside the input field, as setChatMenuButton left it for one chat or for all. */
export type MenuButton = { type: 'commands' | 'default' } | { type: 'web_app'; text: string; web_app: { url: string } };

/** What stands beside the input field of a chat: the chat's own button, else the bot's, else the commands. */
export function menuButtonOf(bot: Bot, chatId: number | undefined): MenuButton {
  const own = chatId === undefined ? undefined : (bot.profile.get(`menu ${chatId}`) as MenuButton | undefined);
  if (own && own.type !== 'default') return own;
  const common = bot.profile.get('menu ') as MenuButton | undefined;
  return common && common.type !== 'default' ? common : { type: 'commands' };
}
