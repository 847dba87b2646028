import { readTelegramLink } from '../apps/links.ts';
import type { World } from '../world/world.ts';
import type { LaunchWish, OpenedApp } from './apps.ts';
import { openApp } from './apps.ts';
import { say, typed } from './person.ts';
import { findUser, type Place } from './place.ts';

/** Where a link led: into an app, into a chat (by its key), to something to share, or out of this simulator. */
export type Followed =
  | { to: 'app'; app: OpenedApp }
  | { to: 'chat'; chat: string }
  | { to: 'share'; text: string }
  | { to: 'away'; link: string };

export type Following = Place &
  LaunchWish & { link: string; theme_params?: Readonly<Record<string, string>>; platform?: string; version?: string };

/** The text of a `t.me/share/url` link; undefined where it is another one. */
function sharedText(link: string): string | undefined {
  const found = /^(?:https?:\/\/)?t\.me\/share(?:\/url)?\?(.*)$/.exec(link) ?? /^tg:\/\/msg_url\?(.*)$/.exec(link);
  if (!found) return undefined;
  const query = new URLSearchParams(found[1]);
  return [query.get('url'), query.get('text')].filter(Boolean).join('\n');
}

/** Presses a link of Telegram's own: an app opens, a bot is started, a text waits for its chat. */
export function follow(world: World, action: Following): Followed {
  const user = findUser(world, action.user);
  const text = sharedText(action.link);
  if (text) return { to: 'share', text };
  const link = readTelegramLink(action.link);
  const bot = [...world.bots.values()].find(
    ({ user: { username } }) => username.toLowerCase() === link?.username.toLowerCase(),
  );
  if (!link || !bot) return { to: 'away', link: action.link };
  if (link.app) return { to: 'app', app: openApp(world, { ...action, by: 'link' }) };
  if (link.start !== undefined) {
    const command = link.start === '' ? '/start' : `/start ${link.start}`;
    say(world, { user: user.id, bot: bot.id }, typed(command));
  }
  return { to: 'chat', chat: `${bot.id}:${user.id}` };
}
