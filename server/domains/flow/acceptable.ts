// The one place that decides whether Telegram takes what a turn wants to send, in the chat it is for. What would be
// refused is left out, so that the rest arrives. Pure.

import { TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import { isTelegramLink, isVisible } from '../manifest/manifest.ts';
import type { EffectButton, Entity, Markup, ReplyKey, SendParams, UnkeyedEffect } from './step-types.ts';
import { headOf, isEmojiId, isTaken, KEYBOARD_LIMITS, type Part, type Place, TAKEN } from './taken.ts';

/** Where something is sent. `plainHttp`: apps may be opened without TLS on this machine, as the simulator allows. */
export type Where = { readonly place: Place; readonly plainHttp: boolean };

/** Told of everything that is left out, in a sentence. */
export type Left = (why: string) => void;

/** An effect as Telegram takes it; null where nothing is left that could be sent. */
export function acceptableEffect(effect: UnkeyedEffect, where: Where, left: Left): UnkeyedEffect | null {
  switch (effect.type) {
    case 'typing':
      // Nobody misses it, so nothing is said of it.
      return isTaken('typing', where.place) ? effect : null;
    case 'send':
    case 'edit': {
      const params = acceptable(effect.params, effect.type, where, left);
      return params && { ...effect, params };
    }
    default:
      return effect;
  }
}

/** The parameters as Telegram takes them; null where nothing is left that could be sent. */
function acceptable(params: SendParams, type: 'send' | 'edit', where: Where, left: Left): SendParams | null {
  const { reply_markup: markup, entities, caption_entities: marks, ...rest } = params;
  if (params.text !== undefined && !isVisible(params.text)) {
    left('the text is empty, so nothing was sent');
    return null;
  }
  if (!markup && !entities && params.caption === undefined) return params;
  const kept: { -readonly [Name in keyof SendParams]: SendParams[Name] } = rest;
  if (kept.caption !== undefined && !isVisible(kept.caption)) delete kept.caption;
  else if (marks) kept.caption_entities = takenMarks(marks, left);
  if (entities) kept.entities = takenMarks(entities, left);
  const keyboard = markup && takenMarkup(markup, where, left);
  // An edit without buttons takes those away that are there; a message without any has no keyboard.
  const isNone = keyboard === undefined || (type === 'send' && 'inline_keyboard' in keyboard && isEmpty(keyboard));
  return isNone ? kept : { ...kept, reply_markup: keyboard };
}

const isEmpty = ({ inline_keyboard: rows }: { readonly inline_keyboard: readonly unknown[] }): boolean =>
  rows.length === 0;

function takenMarks(entities: readonly Entity[], left: Left): readonly Entity[] {
  const isFine = ({ url, custom_emoji_id: emoji }: Entity): boolean =>
    (url === undefined || isTelegramLink(url)) && (emoji === undefined || isEmojiId(emoji));
  if (entities.every(isFine)) return entities;
  for (const { url } of entities.filter((entity) => !isFine(entity)))
    left(url === undefined ? 'there is no such emoji' : `Telegram takes no such link in a text: ${url}`);
  return entities.filter(isFine);
}

function takenMarkup(markup: Markup, where: Where, left: Left): Markup | undefined {
  if ('inline_keyboard' in markup) {
    const rows = takenRows(markup.inline_keyboard, (button) => takenButton(button, where, left));
    return { inline_keyboard: withinSize(rows, left) };
  }
  const part: Part = 'remove_keyboard' in markup ? 'removal' : 'force_reply' in markup ? 'forcedReply' : 'keyboard';
  if (!isTaken(part, where.place)) {
    left(notHere(part, where.place));
    return undefined;
  }
  if (!('keyboard' in markup)) return markup;
  const keyboard = withinSize(
    takenRows(markup.keyboard, (key) => takenKey(key, where, left)),
    left,
  );
  return keyboard.length === 0 ? undefined : { ...markup, keyboard };
}

function takenRows<T>(rows: readonly (readonly T[])[], take: (one: T) => T | null): readonly (readonly T[])[] {
  return rows.map((row) => row.map(take).filter((one) => one !== null)).filter((row) => row.length > 0);
}

const notHere = (part: Part, place: Place): string => `Telegram takes ${TAKEN[part].name} in no ${CHATS[place]}`;
const CHATS = { private: 'private chat', group: 'group', channel: 'channel' } as const;

function takenButton(button: EffectButton, where: Where, left: Left): EffectButton | null {
  const why = faultOfButton(button, where);
  if (why !== undefined) {
    left(`the button "${headOf(button.text, 40)}" was left out: ${why}`);
    return null;
  }
  return withLook(button, where, left);
}

/** Why Telegram would refuse a button under a message; undefined where it takes it. */
function faultOfButton({ url, web_app: app, copy_text: copy }: EffectButton, where: Where): string | undefined {
  if (app && !isTaken('webApp', where.place)) return notHere('webApp', where.place);
  if (app && !isAppAddress(app.url, where.plainHttp)) return 'a Mini App has an https address';
  if (url !== undefined && !isTelegramLink(url)) return 'its link is no web address';
  if (copy && (!isVisible(copy.text) || copy.text.length > TELEGRAM_LIMITS.copyTextChars))
    return 'there is nothing to copy';
  return undefined;
}

/** True for what Telegram opens as an app: https, and on the machine of a simulator http too. */
export function isAppAddress(url: string, plainHttp: boolean): boolean {
  if (/^https:/i.test(url)) return isTelegramLink(url);
  return plainHttp && /^http:\/\/[^/]/i.test(url) && URL.canParse(url);
}

function takenKey(key: ReplyKey, where: Where, left: Left): ReplyKey | null {
  const part = key.request_contact ? 'contact' : key.request_location ? 'location' : 'key';
  if (isTaken(part, where.place)) return withLook(key, where, left);
  left(`the key "${headOf(key.text, 40)}" was left out: ${notHere(part, where.place)}`);
  return null;
}

function withLook<T extends EffectButton | ReplyKey>(button: T, { place }: Where, left: Left): T {
  const icon = button.icon_custom_emoji_id;
  if (icon === undefined || (isTaken('icon', place) && isEmojiId(icon))) return button;
  left(isEmojiId(icon) ? notHere('icon', place) : 'there is no such icon');
  const { icon_custom_emoji_id: _icon, ...plain } = button;
  return plain as T;
}

/** A token of ours in place of what a press means. */
const TOKEN = 'x'.repeat(TELEGRAM_LIMITS.callbackDataBytes);

/** As many buttons as one keyboard may have; what is beyond it is cut off at its end. */
function withinSize<T extends EffectButton | ReplyKey>(rows: readonly (readonly T[])[], left: Left): typeof rows {
  const roughly = rows.flat().reduce((sum, button) => sum + 150 + 2 * wordsOf(button), 0);
  if (roughly <= KEYBOARD_LIMITS.chars) return rows;
  let room: number = KEYBOARD_LIMITS.chars;
  let count = 0;
  const kept = takenRows(rows, (button) => {
    room -= JSON.stringify('press' in button ? { ...button, press: TOKEN } : button).length + 16;
    count += 1;
    return room >= 0 && count <= KEYBOARD_LIMITS.buttons ? button : null;
  });
  if (room < 0 || count > KEYBOARD_LIMITS.buttons) left('a keyboard takes no more buttons, so the last were left out');
  return kept;
}

function wordsOf(button: EffectButton | ReplyKey): number {
  if ('url' in button || 'web_app' in button || 'copy_text' in button)
    return button.text.length + JSON.stringify(button).length;
  return button.text.length;
}
