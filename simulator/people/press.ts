import type { Message } from '@grammyjs/types';
import type { Conversation } from '../world/conversation.ts';
import type { Query } from '../world/queries.ts';
import type { World } from '../world/world.ts';
import { sayIn, typed } from './person.ts';
import type { Place } from './place.ts';
import { PeopleError, placeOf } from './place.ts';
import { inTopic } from './topics.ts';

/** Which button: by its data, its text or its place; the first with data where nothing is said. */
export type ButtonChoice = { data?: string; text?: string; row?: number; column?: number };

/** A press: of a message, or of the newest message with buttons. */
export type Press = Place & ButtonChoice & { message_id?: number };

type InlineButton = { text: string; callback_data?: string; web_app?: { url: string } };

/** The button that was meant; where nothing is said, the first that `has` what is needed. */
export function findButton(message: Message, choice: ButtonChoice, has: 'callback_data' | 'web_app'): InlineButton {
  const rows = rowsOf(message);
  const found =
    choice.row === undefined
      ? rows.flat().find((button) => matches(button, choice, has))
      : rows[choice.row]?.[choice.column ?? 0];
  if (!found) throw new PeopleError(`message ${message.message_id} has no such button`);
  return found;
}

/** The rows under the message, and then those of a rich message, in the order in which they stand. */
function rowsOf(message: Message): InlineButton[][] {
  const under = (message.reply_markup?.inline_keyboard ?? []) as InlineButton[][];
  return message.rich_message ? [...under, ...richRows(message.rich_message.blocks)] : under;
}

type Held = { type?: string; buttons?: unknown; blocks?: Held[]; items?: Held[] };

const richRows = (blocks: readonly unknown[]): InlineButton[][] =>
  (blocks as Held[]).flatMap((block) =>
    block.type === 'buttons' ? [block.buttons as InlineButton[]] : richRows(block.blocks ?? block.items ?? []),
  );

function matches(button: InlineButton, choice: ButtonChoice, has: 'callback_data' | 'web_app'): boolean {
  if (choice.data !== undefined) return button.callback_data === choice.data;
  if (choice.text !== undefined) return button.text === choice.text;
  return button[has] !== undefined;
}

/** The message that was meant, or the newest with buttons. */
export function findMessage(chat: Conversation, choice: { message_id?: number }): Message {
  if (choice.message_id !== undefined) {
    const message = chat.messages.get(choice.message_id);
    if (!message) throw new PeopleError(`there is no message ${choice.message_id}`);
    return message;
  }
  let newest: Message | undefined;
  for (const message of chat.messages.values()) if (rowsOf(message).length > 0) newest = message;
  if (!newest) throw new PeopleError('no message here has buttons');
  return newest;
}

/** Presses an inline button with data. The bot's answer comes as a `press_answer` event of the feed. */
export function press(world: World, choice: Press): Query {
  const { user, chat } = placeOf(world, choice);
  const message = findMessage(chat, choice);
  const button = findButton(message, choice, 'callback_data');
  if (button.callback_data === undefined) throw new PeopleError(`the button "${button.text}" asks the bot nothing`);
  return pressData(world, chat, message, user.id, button.callback_data);
}

/** Sends data as if a button carried it; a modified client can send anything. */
export function pressData(world: World, chat: Conversation, message: Message, userId: number, data: string): Query {
  const user = world.users.get(userId);
  const bot = chat.bot ?? (message.from ? world.bots.get(message.from.id) : undefined);
  if (!user || !bot) throw new PeopleError('nobody can press this');
  const query = world.queries.open({
    kind: 'callback',
    bot,
    userId,
    chat: chat.key,
    seconds: world.settings.callbackSeconds,
    onAnswer: (answer) =>
      world.feed.publish('press_answer', chat.key, {
        ...answer,
        user_id: userId,
        message_id: message.message_id,
        data,
      }),
  });
  const payload = { id: query.id, from: user, message, chat_instance: `${-chat.id}${bot.id}`, data };
  world.update(bot, 'callback_query', userId, chat.id, payload);
  return query;
}

type KeyboardKey = { text: string; request_contact?: boolean; request_location?: boolean };

/** Presses a key of the keyboard under the input field: its text is sent, or what it asks for. */
export function pressKey(world: World, choice: Place & { text: string }): Message {
  const { user, chat } = placeOf(world, choice);
  const rows = (chat.keyboard?.markup.keyboard ?? []) as KeyboardKey[][];
  const key = rows.flat().find(({ text }) => text === choice.text);
  if (!key) throw new PeopleError(`there is no key "${choice.text}"`);
  if (chat.keyboard?.markup.one_time_keyboard === true) chat.keyboard = undefined;
  const topic = inTopic(world, chat, user, choice.topic);
  if (key.request_contact) {
    return sayIn(world, chat, user, {
      contact: { phone_number: '+79990000000', first_name: user.first_name, user_id: user.id },
      ...topic,
    });
  }
  if (key.request_location)
    return sayIn(world, chat, user, { location: { latitude: 55.7522, longitude: 37.6156 }, ...topic });
  return sayIn(world, chat, user, { ...typed(key.text), ...topic });
}
