// Decisions about a bot's menu button. Pure.
import type { MenuButton } from '@grammyjs/types';
import { telegramRoot } from '../../../kernel/config-table.ts';

/** What the button should say and open. */
export type WantedMenu = { readonly text: string; readonly url: string };

/** What Telegram was told last (`menuName`, null: nothing), and how often somebody else's button was replaced. */
export type KnownMenu = { readonly told: string | null; readonly replaced: number };

export type MenuDecision =
  | { readonly kind: 'set'; readonly button: MenuButton; readonly replaces: boolean }
  /** Somebody has set another one by hand, and again after it was replaced once; or there is nothing of ours to remove. */
  | { readonly kind: 'leave'; readonly told: string | null };

/** An address that Telegram opens as an app: https, or any where the Bot API is not Telegram's own (the simulator). */
export function openableAddress(address: string | undefined, apiRoot: string): string | undefined {
  return address?.startsWith('https://') || apiRoot !== telegramRoot ? address : undefined;
}

/** A button as it is remembered: its words and its address, divided by a line break. */
export function menuName(wanted: WantedMenu | undefined): string | null {
  return wanted === undefined ? null : `${wanted.text}\n${wanted.url}`;
}

/** What to do about the menu button, given the one that is there. */
export function decideMenu(wanted: WantedMenu | undefined, known: KnownMenu, present: unknown): MenuDecision {
  const url = webAppUrl(present);
  const toldUrl = known.told?.split('\n')[1];
  const isOurs = toldUrl !== undefined && url === toldUrl;
  // A bot that nobody has touched has the list of commands.
  const isFree = known.told === null && url === undefined;
  if (wanted === undefined)
    return isOurs ? { kind: 'set', button: { type: 'default' }, replaces: false } : { kind: 'leave', told: null };
  if (!isOurs && !isFree && url !== wanted.url && known.replaced > 0) return { kind: 'leave', told: known.told };
  const button: MenuButton = { type: 'web_app', text: wanted.text, web_app: { url: wanted.url } };
  return { kind: 'set', button, replaces: !isOurs && !isFree && url !== wanted.url };
}

function webAppUrl(present: unknown): string | undefined {
  const { type, web_app: app } = (present ?? {}) as { type?: unknown; web_app?: { url?: unknown } };
  return type === 'web_app' && typeof app?.url === 'string' ? app.url : undefined;
}
