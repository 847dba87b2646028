import type { InlineKeyboardMarkup } from '@grammyjs/types';
import { appAddressFault } from '../apps/address.ts';
import { isInt64 } from '../text/format.ts';
import type { Conversation } from '../world/conversation.ts';
import type { Call } from './call.ts';
import { badRequest } from './refusal.ts';

/** What a reply_markup parameter asks for. */
export type Markup = {
  /** Becomes a part of the message. */
  inline?: InlineKeyboardMarkup;
  /** Shown under the person's input field. */
  reply?: Record<string, unknown>;
};

type Button = Record<string, unknown>;

const BUTTONS_MAX = 100;
const MARKUP_BYTES_MAX = 10_240;

/** What an inline button must have exactly one of. */
const ACTIONS = [
  'callback_data',
  'url',
  'web_app',
  'login_url',
  'switch_inline_query',
  'switch_inline_query_current_chat',
  'switch_inline_query_chosen_chat',
  'copy_text',
  'callback_game',
  'pay',
] as const;

const STYLES: ReadonlySet<unknown> = new Set(['danger', 'success', 'primary']);

function checkUrl(url: unknown): void {
  if (typeof url !== 'string' || url === '') throw badRequest('BUTTON_URL_INVALID');
  const full = /^[a-z][\w+.-]*:/i.test(url) ? url : `http://${url}`;
  try {
    const { protocol, hostname } = new URL(full);
    const known = protocol === 'http:' || protocol === 'https:' || protocol === 'tg:' || protocol === 'tonsite:';
    if (known && (protocol === 'tg:' || hostname.includes('.') || hostname.startsWith('['))) return;
  } catch {
    // Falls through to the complaint.
  }
  throw badRequest(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
}

/** A button that opens a Mini App: in private chats only, and only where Telegram would take the address. */
function checkApp(app: unknown, what: string, call: Call, chat: Conversation): void {
  const fault = appAddressFault((app as { url?: unknown } | null)?.url, call.world.settings.appsOverHttp);
  if (fault) throw badRequest(`${what} Web App ${fault}`);
  if (!chat.isPrivate) throw badRequest('BUTTON_TYPE_INVALID');
}

function checkIcon({ icon_custom_emoji_id: icon }: Button): void {
  if (icon !== undefined && !(typeof icon === 'string' && isInt64(icon)))
    throw badRequest('can\'t parse button: Field "icon_custom_emoji_id" must be a valid Number');
}

/** One button under a message or in a rich one; throws where Telegram would refuse it. */
export function checkInlineButton(button: unknown, call: Call, chat: Conversation): Button {
  if (typeof button !== 'object' || button === null || Array.isArray(button))
    throw badRequest("can't parse inline keyboard button: InlineKeyboardButton must be an Object");
  const fields = button as Button;
  if (typeof fields.text !== 'string')
    throw badRequest('can\'t parse inline keyboard button: Can\'t find field "text"');
  if (fields.text === '') throw badRequest("inline keyboard button text can't be empty");
  const action = ACTIONS.find((name) => fields[name] !== undefined);
  if (!action)
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  if (action === 'callback_data') {
    const bytes = typeof fields.callback_data === 'string' ? Buffer.byteLength(fields.callback_data) : 0;
    if (bytes < 1 || bytes > 64) throw badRequest('BUTTON_DATA_INVALID');
  }
  if (action === 'url') checkUrl(fields.url);
  if (action === 'web_app') checkApp(fields.web_app, 'inline keyboard button', call, chat);
  if (action === 'copy_text') {
    const text = (fields.copy_text as { text?: unknown } | null)?.text;
    if (typeof text !== 'string' || text === '' || [...text].length > 256) throw badRequest('BUTTON_COPY_TEXT_INVALID');
  }
  checkIcon(fields);
  if (fields.style !== undefined && !STYLES.has(fields.style))
    throw badRequest("can't parse inline keyboard button: invalid button style specified");
  return fields;
}

function readRows(rows: unknown, name: string): unknown[][] {
  if (!Array.isArray(rows))
    throw badRequest(`can't parse reply keyboard markup JSON object: field "${name}" must be of type Array`);
  for (const row of rows)
    if (!Array.isArray(row)) throw badRequest(`can't parse keyboard button row: expected an Array`);
  return (rows as unknown[][]).filter((row) => row.length > 0);
}

function isLong(button: Button): boolean {
  return (button.text as string).length > 64 || button.callback_data === undefined;
}

function readInline(rows: unknown, call: Call, chat: Conversation): InlineKeyboardMarkup {
  const checked = readRows(rows, 'inline_keyboard').map((row) =>
    row.map((button) => checkInlineButton(button, call, chat)),
  );
  const count = checked.reduce((sum, row) => sum + row.length, 0);
  // Writing the keyboard out is dear; a few buttons with short texts cannot be too long.
  const maybeLong = count > 16 || checked.some((row) => row.some(isLong));
  if (count > BUTTONS_MAX || (maybeLong && JSON.stringify(checked).length > MARKUP_BYTES_MAX))
    throw badRequest('reply markup is too long');
  return { inline_keyboard: checked as unknown as InlineKeyboardMarkup['inline_keyboard'] };
}

/** What a key may ask for where a person is alone with the bot, and what is said elsewhere. */
const ASKED_IN_PRIVATE: Readonly<Record<string, string>> = {
  request_contact: 'phone number can be requested in private chats only',
  request_location: 'location can be requested in private chats only',
  request_poll: 'poll can be requested in private chats only',
  request_users: 'users can be requested in private chats only',
  request_chat: 'chats can be requested in private chats only',
  web_app: 'web App buttons can be used in private chats only',
};

function readKey(button: unknown, call: Call, chat: Conversation): Button {
  const fields = typeof button === 'string' ? { text: button } : (button as Button | null);
  if (typeof fields?.text !== 'string' || fields.text === '')
    throw badRequest('can\'t parse keyboard button: Can\'t find field "text"');
  const asked = Object.keys(ASKED_IN_PRIVATE).find((name) => fields[name] !== undefined && fields[name] !== false);
  if (asked !== undefined && !chat.isPrivate) throw badRequest(ASKED_IN_PRIVATE[asked] ?? '');
  if (fields.web_app !== undefined) checkApp(fields.web_app, 'keyboard button', call, chat);
  checkIcon(fields);
  return fields;
}

function readKeyboard(markup: Record<string, unknown>, call: Call, chat: Conversation): Record<string, unknown> {
  const keyboard = readRows(markup.keyboard, 'keyboard').map((row) => row.map((key) => readKey(key, call, chat)));
  const count = keyboard.reduce((sum, row) => sum + row.length, 0);
  if (count > 300) throw badRequest('reply markup is too long');
  return { ...markup, keyboard };
}

/** Reads the call's reply_markup parameter for a message of this chat; undefined where there is none. */
export function readMarkup(call: Call, chat: Conversation): Markup | undefined {
  const value = call.object('reply_markup');
  if (value === undefined) return undefined;
  if (!('inline_keyboard' in value) && chat.chat.type === 'channel') throw badRequest('inline keyboard expected');
  if ('inline_keyboard' in value) return { inline: readInline(value.inline_keyboard, call, chat) };
  if ('keyboard' in value) return { reply: readKeyboard(value, call, chat) };
  if (value.remove_keyboard === true || value.force_reply === true) return { reply: value };
  throw badRequest('object expected as reply markup');
}

/** Remembers the keyboard that a message put under the input field, or took away. */
export function applyReplyMarkup(chat: Conversation, markup: Markup | undefined, messageId: number): void {
  if (!markup?.reply) return;
  chat.keyboard = markup.reply.remove_keyboard === true ? undefined : { markup: markup.reply, messageId };
}
