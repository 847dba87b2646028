// Buttons as effects carry them. A button that Telegram would refuse is left out: one of them loses the whole message.

import type { Button, ButtonRows } from '../../../contract/buttons.ts';
import { TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import type { RichTarget } from '../manifest/manifest.ts';
import type { CompiledCondition, Making } from './runner.ts';
import type { EffectButton, Markup, ReplyKey } from './step-types.ts';
import type { Turn } from './turn.ts';

export type Keyboard = (turn: Turn) => Markup | undefined;

type Shown<T> = (turn: Turn) => T | null;

/** Prepares the buttons under a message. */
export function inlineKeyboard(block: string, rows: ButtonRows, making: Making): Keyboard {
  const made = rows.map((row) => row.map((button) => shownIf(button, making, inlineButton(block, button))));
  return (turn) => {
    const inline_keyboard = visible(made, turn);
    return inline_keyboard.length > 0 ? { inline_keyboard } : undefined;
  };
}

/** Prepares the keys in place of the keyboard. */
export function replyKeyboard(rows: ButtonRows, placeholder: string | undefined, making: Making): Keyboard {
  const made = rows.map((row) => row.map((button) => shownIf(button, making, replyKey(button))));
  return (turn) => {
    const keyboard = visible(made, turn);
    if (keyboard.length === 0) return undefined;
    const hint =
      placeholder === undefined ? '' : turn.text(placeholder).text.slice(0, TELEGRAM_LIMITS.placeholderChars);
    return { keyboard, resize_keyboard: true, ...(hint === '' ? {} : { input_field_placeholder: hint }) };
  };
}

function visible<T>(rows: readonly (readonly Shown<T>[])[], turn: Turn): T[][] {
  return rows
    .map((row) => row.map((show) => show(turn)).filter((button) => button !== null))
    .filter((row) => row.length > 0);
}

function shownIf<T>(button: Button, making: Making, show: Shown<T>): Shown<T> {
  if (!button.showIf) return show;
  const condition: CompiledCondition = making.condition(button.showIf);
  return (turn) => {
    try {
      return condition(turn) ? show(turn) : null;
    } catch (error) {
      turn.note(turn.block?.id ?? '', 'showIf', button.id, error instanceof Error ? error.message : String(error));
      return null;
    }
  };
}

type Look = { readonly style?: 'primary' | 'success' | 'danger'; readonly icon_custom_emoji_id?: string };

function lookOf(button: Button): Look {
  return {
    ...(button.style ? { style: button.style } : {}),
    ...(button.icon ? { icon_custom_emoji_id: button.icon } : {}),
  };
}

/** A button without words is refused, so its id stands in. */
const labelOf = (turn: Turn, button: Button): string => turn.text(button.label).text || button.id;

function inlineButton(block: string, button: Button): Shown<EffectButton> {
  const look = lookOf(button);
  const press = { block, button: button.id };
  return (turn) => {
    const text = labelOf(turn, button);
    switch (button.kind) {
      case undefined:
      case 'go':
        return { text, ...look, press };
      case 'link':
        return withUrl(turn, button.id, button.url, (url) => ({ text, ...look, url }));
      case 'webApp':
        return withUrl(turn, button.id, button.url, (url) => ({ text, ...look, web_app: { url } }));
      case 'app':
        return appButton(turn, button, (place) => ({ text, ...look, ...place }));
      case 'copy': {
        const copied = turn.text(button.copy).text.slice(0, TELEGRAM_LIMITS.copyTextChars);
        return copied === '' ? null : { text, ...look, copy_text: { text: copied } };
      }
      default:
        return null;
    }
  };
}

/** Buttons that open the app are for private chats; elsewhere a link opens it in the chat with the bot. */
function appButton(
  turn: Turn,
  { id, page, start }: Extract<Button, { kind: 'app' }>,
  make: (place: Pick<EffectButton, 'url' | 'web_app'>) => EffectButton,
): EffectButton | null {
  const missing = turn.app === null ? 'there is no https address for the app' : 'the bot has no name for a link';
  const place = appTarget(turn, { page, start });
  if (place === null) turn.note(turn.block?.id ?? '', 'button', id, missing);
  return place && make(place);
}

/** What opens the app, at a page and with a start parameter; null where nothing does. */
export function appTarget(
  turn: Turn,
  { page, start }: { readonly page?: string | undefined; readonly start?: string | undefined },
): RichTarget | null {
  if (turn.app === null) return null;
  if (turn.view.chat['type'] !== 'private') {
    const parameter = start ?? (page === undefined ? '' : `${PAGE_PARAMETER}${page}`);
    const query = parameter === '' ? '' : `=${parameter}`;
    return turn.botUsername === '' ? null : { url: `https://t.me/${turn.botUsername}?startapp${query}` };
  }
  const path = (page === undefined ? undefined : turn.release.document.app?.pages[page]?.path) ?? '/';
  const query = start === undefined ? '' : `?start_param=${start}`;
  return { web_app: { url: `${turn.app.address}${path === '/' ? '' : path}${query}` } };
}

/** A link into the app cannot name a page but by its start parameter. */
const PAGE_PARAMETER = 'page_';

function withUrl(turn: Turn, id: string, key: string, make: (url: string) => EffectButton): EffectButton | null {
  const url = turn.text(key).text;
  if (isUrl(url)) return make(url);
  turn.note(turn.block?.id ?? '', 'button', id, 'its link is not a web address');
  return null;
}

/** What Telegram takes as a link of a button. */
export function isUrl(url: string): boolean {
  return (
    url.length <= TELEGRAM_LIMITS.urlChars &&
    /^(https?:\/\/[^\s/.]+\.[^\s]+|https?:\/\/localhost[^\s]*|tg:\/\/[^\s]+|mailto:[^\s]+|tel:\+?[\d-]+)$/i.test(url)
  );
}

function replyKey(button: Button): Shown<ReplyKey> {
  const look = lookOf(button);
  return (turn) => {
    const text = labelOf(turn, button);
    switch (button.kind) {
      case undefined:
      case 'go':
        return { text, ...look };
      case 'contact':
        return { text, ...look, request_contact: true };
      case 'location':
        return { text, ...look, request_location: true };
      default:
        return null;
    }
  };
}
