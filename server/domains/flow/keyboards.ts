// Buttons as effects carry them. What Telegram would refuse of them is left out where they are sent: `acceptable.ts`.

import type { Button, ButtonRows } from '../../../contract/buttons.ts';
import { TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import { isVisible, type RichTarget } from '../manifest/manifest.ts';
import type { CompiledCondition, Making } from './runner.ts';
import type { EffectButton, Markup, ReplyKey } from './step-types.ts';
import { headOf, isTaken } from './taken.ts';
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
    return { keyboard, resize_keyboard: true, ...hintOf(turn, placeholder) };
  };
}

/** The words in the empty input field; nothing where there are none. */
export function hintOf(turn: Turn, placeholder: string | undefined): { input_field_placeholder?: string } {
  const hint = placeholder === undefined ? '' : headOf(turn.text(placeholder).text, TELEGRAM_LIMITS.placeholderChars);
  return isVisible(hint) ? { input_field_placeholder: hint } : {};
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
function labelOf(turn: Turn, button: Button): string {
  const label = turn.text(button.label).text;
  return isVisible(label) ? label : button.id;
}

/** Longer ones are cut: nobody could read them, and a few of them would be too much for a keyboard. */
const LABEL_CHARS_MAX = 256;

function inlineButton(block: string, button: Button): Shown<EffectButton> {
  const look = lookOf(button);
  const press = { block, button: button.id };
  return (turn) => {
    const text = headOf(labelOf(turn, button), LABEL_CHARS_MAX);
    switch (button.kind) {
      case undefined:
      case 'go':
        return { text, ...look, press };
      case 'link':
        return { text, ...look, url: turn.text(button.url).text };
      case 'webApp':
        return { text, ...look, web_app: { url: turn.text(button.url).text } };
      case 'app':
        return appButton(turn, button, (place) => ({ text, ...look, ...place }));
      case 'copy':
        return {
          text,
          ...look,
          copy_text: { text: headOf(turn.text(button.copy).text, TELEGRAM_LIMITS.copyTextChars) },
        };
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

/** What opens the app, at a page, in the language of the chat and with a start parameter; null where nothing does. */
export function appTarget(
  turn: Turn,
  { page, start }: { readonly page?: string | undefined; readonly start?: string | undefined },
): RichTarget | null {
  if (turn.app === null) return null;
  if (!isTaken('webApp', turn.place)) {
    const parameter = start ?? (page === undefined ? '' : `${PAGE_PARAMETER}${page}`);
    const query = parameter === '' ? '' : `=${parameter}`;
    return turn.botUsername === '' ? null : { url: `https://t.me/${turn.botUsername}?startapp${query}` };
  }
  const path = (page === undefined ? undefined : turn.release.document.app?.pages[page]?.path) ?? '/';
  const query = new URLSearchParams({
    ...(turn.release.locales.length > 1 && { lang: turn.locale }),
    ...(start !== undefined && { start_param: start }),
  }).toString();
  return { web_app: { url: `${turn.app.address}${path === '/' ? '' : path}${query && `?${query}`}` } };
}

/** A link into the app cannot name a page but by its start parameter. */
const PAGE_PARAMETER = 'page_';

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
