import type { InlineKeyboardMarkup } from '@grammyjs/types';
import { appAddressFault } from '../apps/address.ts';
import { isInt64 } from '../text/format.ts';
import type { Conversation } from '../world/conversation.ts';
import type { Call } from './call.ts';
import { isDisguised, linkFault } from './links.ts';
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

/** What a button can do. Telegram takes the first that it finds in this order and forgets the others. */
const ACTIONS = [
  'url',
  'callback_data',
  'callback_game',
  'pay',
  'switch_inline_query',
  'switch_inline_query_chosen_chat',
  'switch_inline_query_current_chat',
  'login_url',
  'web_app',
  'copy_text',
] as const;

type Action = (typeof ACTIONS)[number];

/** Buttons of a message of one kind, by the method that sends it. */
const ONLY_IN: Partial<Record<Action, RegExp>> = {
  pay: /^(sendInvoice|editMessageReplyMarkup|answerInlineQuery)$/,
  callback_game: /^(sendGame|setGameScore|editMessageReplyMarkup|answerInlineQuery)$/,
};

const STYLES: ReadonlySet<unknown> = new Set(['danger', 'success', 'primary']);

function checkUrl(url: unknown): void {
  if (typeof url !== 'string') throw badRequest('BUTTON_URL_INVALID');
  const fault = linkFault(url);
  if (fault) throw badRequest(`inline keyboard button URL '${url}' is invalid: ${fault}`);
  if (isDisguised(url)) throw badRequest('BUTTON_URL_INVALID');
}

/** A button that opens a Mini App: in private chats only, and only where Telegram would take the address. */
function checkApp(app: unknown, what: string, call: Call, chat: Conversation): void {
  const fault = appAddressFault((app as { url?: unknown } | null)?.url, call.world.settings.appsOverHttp);
  if (fault) throw badRequest(`${what} Web App ${fault}`);
  if (!chat.isPrivate) throw badRequest('BUTTON_TYPE_INVALID');
}

/** Whether the button says this and means it: Telegram passes over empty texts and what is false. */
function isSaid(fields: Button, name: Action): boolean {
  const value = fields[name];
  if (name === 'url' || name === 'callback_data') return value !== undefined && value !== null && value !== '';
  return value !== undefined && value !== null && !(name === 'pay' && value === false);
}

/** The button as the message keeps it: one action, whatever else was said. */
function kept(fields: Button, action: Action): Button {
  const others = ACTIONS.filter((name) => name !== action && fields[name] !== undefined);
  if (others.length === 0) return fields;
  const button = { ...fields };
  for (const name of others) delete button[name];
  return button;
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
  const action = ACTIONS.find((name) => isSaid(fields, name)) ?? (fields.callback_data === '' && 'callback_data');
  if (!action)
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  if (action === 'callback_data') {
    const bytes = typeof fields.callback_data === 'string' ? Buffer.byteLength(fields.callback_data) : 0;
    if (bytes < 1 || bytes > 64) throw badRequest('BUTTON_DATA_INVALID');
  }
  if (action === 'url') checkUrl(fields.url);
  if (action === 'login_url') {
    const { url } = fields.login_url as { url?: unknown };
    const fault = typeof url === 'string' ? linkFault(url, true) : 'URL must be non-empty';
    if (fault) throw badRequest(`inline keyboard button login URL '${String(url ?? '')}' is invalid: ${fault}`);
  }
  if (ONLY_IN[action]?.test(call.spec.name) === false) throw badRequest('BUTTON_TYPE_INVALID');
  if (action === 'web_app') checkApp(fields.web_app, 'inline keyboard button', call, chat);
  if (action === 'copy_text') {
    const text = (fields.copy_text as { text?: unknown } | null)?.text;
    if (typeof text !== 'string' || text === '' || [...text].length > 256) throw badRequest('BUTTON_COPY_TEXT_INVALID');
  }
  checkIcon(fields);
  if (fields.style !== undefined && !STYLES.has(fields.style))
    throw badRequest("can't parse inline keyboard button: invalid button style specified");
  return kept(fields, action);
}

function readRows(rows: unknown, field: 'keyboard' | 'inline_keyboard'): unknown[][] {
  const what = `field "${field}" of the ${field === 'keyboard' ? 'ReplyKeyboardMarkup' : 'InlineKeyboardMarkup'}`;
  if (!Array.isArray(rows)) throw badRequest(`${what} must be an Array`);
  if (!rows.every(Array.isArray)) throw badRequest(`${what} must be an Array of Arrays`);
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
  request_user: 'users can be requested in private chats only',
  request_chat: 'chats can be requested in private chats only',
  web_app: 'web App buttons can be used in private chats only',
};

function readKey(button: unknown, call: Call, chat: Conversation): Button {
  const fields = typeof button === 'string' ? { text: button } : (button as Button | null);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw badRequest("can't parse keyboard button: KeyboardButton must be a String or an Object");
  if (typeof fields.text !== 'string') throw badRequest('can\'t parse keyboard button: Can\'t find field "text"');
  if (fields.text === '') throw badRequest('keyboard button text must be non-empty');
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
  const reply = readReply(value, call, chat);
  // Nobody has a keyboard of their own in a channel.
  if (reply && chat.chat.type === 'channel') throw badRequest('inline keyboard expected');
  if (reply) return { reply };
  return 'inline_keyboard' in value ? { inline: readInline(value.inline_keyboard, call, chat) } : undefined;
}

function readReply(value: Button, call: Call, chat: Conversation): Record<string, unknown> | undefined {
  if ('keyboard' in value) return readKeyboard(value, call, chat);
  return value.remove_keyboard === true || value.force_reply === true ? value : undefined;
}

/** Remembers the keyboard that a message put under the input field, or took away. */
export function applyReplyMarkup(chat: Conversation, markup: Markup | undefined, messageId: number): void {
  if (!markup?.reply) return;
  chat.keyboard = markup.reply.remove_keyboard === true ? undefined : { markup: markup.reply, messageId };
}
