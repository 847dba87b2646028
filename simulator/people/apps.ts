import type { Message, User } from '@grammyjs/types';
import { launchAddress } from '../apps/address.ts';
import { StorageRefusal } from '../apps/app-storage.ts';
import { appsOf, menuButtonOf } from '../apps/bot-apps.ts';
import { type InitFields, type Signer, type Spoil, signInitData, spoiledInitData } from '../apps/init-data.ts';
import { readTelegramLink } from '../apps/links.ts';
import { isAppVersion } from '../apps/version.ts';
import type { Bot } from '../world/bot.ts';
import { type Content, composeMessage, senderOf } from '../world/compose.ts';
import type { Conversation } from '../world/conversation.ts';
import type { World } from '../world/world.ts';
import { say } from './person.ts';
import { findBot, findUser, PeopleError, type Place, placeOf } from './place.ts';
import { type ButtonChoice, findButton, findMessage } from './press.ts';
import { showToBots } from './visibility.ts';

/** A query of an open app can be answered as long as the app may stay open. */
const APP_SECONDS = 3_600;

/** How an app is opened: a button under a message, a key under the field, the menu button, a t.me link. */
export type AppWay = 'button' | 'key' | 'menu' | 'link';

/** What a test may want to be otherwise with a launch. */
export type LaunchWish = { age_seconds?: number; spoil?: Spoil };

export type AppOpening = Place &
  ButtonChoice &
  LaunchWish & {
    by: AppWay;
    message_id?: number;
    /** `by: 'link'`; the place is where it was pressed. */
    link?: string;
    theme_params?: Readonly<Record<string, string>>;
    platform?: string;
    /** Another client's than the settings say. */
    version?: string;
  };

export type OpenedApp = {
  /** Where the app's page is, launch parameters included. */
  address: string;
  init_data: string;
  /** Of the protocol that the client speaks with the app. */
  version: string;
  query_id?: string;
  by: AppWay;
  /** Whether the bot may write to the person already. */
  may_write: boolean;
  bot: { id: number; first_name: string; username: string };
  /** The key that was pressed; only such an app can send data. */
  button_text?: string;
};

/** Which app, and what a launch that way says beside the person. */
type Target = { bot: Bot; url: string; fields: InitFields; startParam?: string | undefined; text?: string };

/** The same number for the same chat, whoever opens the app there; 64 bits, as Telegram's. */
export function chatInstance(chat: Conversation): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of chat.key) hash = BigInt.asUintN(64, (hash ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return String(BigInt.asIntN(64, hash));
}

function mayWrite(chat: Conversation): boolean {
  return chat.opened && !chat.ban;
}

function userField(world: World, bot: Bot, user: User): string {
  const chat = world.privateChat(bot, user);
  const facts = {
    id: user.id,
    first_name: user.first_name,
    last_name: user.last_name ?? '',
    ...(user.username ? { username: user.username } : {}),
    ...(user.language_code ? { language_code: user.language_code } : {}),
    ...(user.is_premium ? { is_premium: true } : {}),
    ...(mayWrite(chat) ? { allows_write_to_pm: true } : {}),
  };
  // Telegram writes slashes with a backslash before them; whoever parses and prints again breaks the hash.
  return JSON.stringify(facts).replaceAll('/', '\\/');
}

function signerOf(world: World, bot: Bot): Signer {
  return { token: bot.token, botId: bot.id, sign: (text) => world.appKey.sign(text) };
}

function sealed(world: World, bot: Bot, fields: InitFields, wish: LaunchWish): string {
  const dated: InitFields = [...fields, ['auth_date', String(world.date() - (wish.age_seconds ?? 0))]];
  const signer = signerOf(world, bot);
  return wish.spoil ? spoiledInitData(dated, signer, wish.spoil) : signInitData(dated, signer);
}

/** A signed launch without opening anything. `start_param` makes it a link's, `query_id` a button's. */
export function initData(
  world: World,
  action: LaunchWish & { user: number; bot: number; start_param?: string; query_id?: string },
): string {
  const user = findUser(world, action.user);
  const bot = findBot(world, action.bot);
  const own: InitFields = [['user', userField(world, bot, user)]];
  if (action.start_param !== undefined) {
    const chat = world.privateChat(bot, user);
    return sealed(world, bot, [...own, ...linkFields(chat, bot, action.start_param)], action);
  }
  const query: InitFields = action.query_id === undefined ? [] : [['query_id', action.query_id]];
  return sealed(world, bot, [...query, ...own], action);
}

/** Which kind of chat a link was opened in: `sender` is the person's own chat with that bot. */
function linkFields(chat: Conversation, bot: Bot, startParam: string | undefined): InitFields {
  const type = chat.bot === bot ? 'sender' : chat.chat.type;
  return [
    ['chat_instance', chatInstance(chat)],
    ['chat_type', type],
    ...(startParam ? ([['start_param', startParam]] as const) : []),
  ];
}

function urlOf(button: { web_app?: { url: string } } | undefined, text: string | undefined): string {
  if (!button?.web_app) throw new PeopleError(`the button "${text ?? ''}" opens no app`);
  return button.web_app.url;
}

function buttonTarget(action: AppOpening, chat: Conversation): Target {
  const message = findMessage(chat, action);
  const button = findButton(message, action, 'web_app') as { text: string; web_app?: { url: string } };
  return { bot: chatBot(chat), url: urlOf(button, button.text), fields: [] };
}

function keyTarget(action: AppOpening, chat: Conversation): Target {
  const rows = (chat.keyboard?.markup.keyboard ?? []) as { text: string; web_app?: { url: string } }[][];
  const key = rows.flat().find(({ text, web_app: app }) => (action.text === undefined ? app : text === action.text));
  if (!key) throw new PeopleError(`there is no key "${action.text ?? ''}"`);
  return { bot: chatBot(chat), url: urlOf(key, key.text), fields: [], text: key.text };
}

function menuTarget(chat: Conversation): Target {
  const bot = chatBot(chat);
  const button = menuButtonOf(bot, chat.id);
  if (button.type !== 'web_app') throw new PeopleError('the menu button of this chat opens no app');
  return { bot, url: button.web_app.url, fields: [] };
}

function chatBot(chat: Conversation): Bot {
  if (!chat.bot) throw new PeopleError('apps of buttons open in private chats only');
  return chat.bot;
}

function linkTarget(world: World, action: AppOpening, user: User): Target {
  const link = readTelegramLink(action.link ?? '');
  const bot = [...world.bots.values()].find(
    ({ user: { username } }) => username.toLowerCase() === link?.username.toLowerCase(),
  );
  if (!link?.app || !bot) throw new PeopleError(`no bot here has an app at ${action.link ?? 'no link'}`);
  const { main, named } = appsOf(bot);
  const url = link.app.name === undefined ? main : named[link.app.name];
  if (url === undefined) throw new PeopleError(`@${bot.user.username} has no such app`);
  const somewhere = action.bot !== undefined || action.chat !== undefined;
  const chat = somewhere ? placeOf(world, action).chat : world.privateChat(bot, user);
  const { startParam } = link.app;
  return { bot, url, fields: linkFields(chat, bot, startParam), startParam };
}

function targetOf(world: World, action: AppOpening): Target {
  const user = findUser(world, action.user);
  if (action.by === 'link') return linkTarget(world, action, user);
  const { chat } = placeOf(world, action);
  if (action.by === 'menu') return menuTarget(chat);
  return action.by === 'key' ? keyTarget(action, chat) : buttonTarget(action, chat);
}

/** The number under which the bot may send one message in the person's name. */
function openQuery(world: World, bot: Bot, user: User): string {
  const chat = world.privateChat(bot, user);
  const send = (content: Content): void => {
    const message = composeMessage(world, chat, user, { ...content, via_bot: senderOf(bot) });
    world.keep(chat, message);
    showToBots(world, chat, message);
  };
  const onAnswer = ({ content }: Record<string, unknown>): void => send(content as Content);
  return world.queries.open({ kind: 'web_app', bot, userId: user.id, chat: chat.key, seconds: APP_SECONDS, onAnswer })
    .id;
}

/**
 * Opens an app as Telegram does. Buttons and the menu button give a query, links the chat they were pressed in; a key
 * says nothing of the person, and its app may send data instead.
 */
export function openApp(world: World, action: AppOpening): OpenedApp {
  const user = findUser(world, action.user);
  const { bot, url, fields, startParam, text } = targetOf(world, action);
  const query = action.by === 'button' || action.by === 'menu' ? openQuery(world, bot, user) : undefined;
  const own: InitFields = [['user', userField(world, bot, user)], ...fields];
  const initData = action.by === 'key' ? '' : sealed(world, bot, query ? [['query_id', query], ...own] : own, action);
  const { id, first_name, username } = bot.user;
  const version = action.version ?? world.settings.appVersion;
  if (!isAppVersion(version))
    throw new PeopleError(`there is no version "${String(version)}" of the protocol of Mini Apps`);
  return {
    address: launchAddress(url, {
      initData,
      platform: action.platform ?? 'weba',
      version,
      themeParams: action.theme_params,
      startParam,
    }),
    init_data: initData,
    version,
    ...(query ? { query_id: query } : {}),
    by: action.by,
    may_write: mayWrite(world.privateChat(bot, user)),
    bot: { id, first_name, username },
    ...(text === undefined ? {} : { button_text: text }),
  };
}

/** The contact that the person shared last with this bot, signed like a launch. */
function sharedContact(world: World, bot: Bot, user: User): string {
  let found: Message['contact'];
  for (const { contact } of world.privateChat(bot, user).messages.values())
    if (contact?.user_id === user.id) found = contact;
  if (!found) throw new PeopleError('no contact was shared');
  return sealed(world, bot, [['contact', JSON.stringify(found)]], {});
}

/** What an app asks Telegram's servers: its storage, and the contact that was shared. Refusals are single words. */
export function customMethod(
  world: World,
  action: { user: number; bot: number; method: string; params?: Readonly<Record<string, unknown>> },
): unknown {
  const user = findUser(world, action.user);
  const bot = findBot(world, action.bot);
  if (action.method === 'getRequestedContact') return sharedContact(world, bot, user);
  try {
    const result = world.appStorage.run(`${bot.id}:${user.id}`, action.method, action.params ?? {});
    if (result !== undefined) return result;
  } catch (error) {
    throw error instanceof StorageRefusal ? new PeopleError(error.message) : error;
  }
  throw new PeopleError('METHOD_INVALID');
}

/** Lets the bot write first: the person said yes to an app that asked. */
export function allowWriting(world: World, action: { user: number; bot: number }): Message {
  return say(world, action, { write_access_allowed: { from_request: true } });
}
