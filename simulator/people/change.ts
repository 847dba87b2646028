import type { Message } from '@grammyjs/types';
import type { World } from '../world/world.ts';
import { typed } from './person.ts';
import type { Place } from './place.ts';
import { PeopleError, placeOf } from './place.ts';
import { showToBots } from './visibility.ts';

function ownMessage(world: World, action: Place & { message_id: number }): Message {
  const { user, chat } = placeOf(world, action);
  const message = chat.messages.get(action.message_id);
  if (!message || message.from?.id !== user.id)
    throw new PeopleError(`${user.first_name} has no message ${action.message_id} here`);
  return message;
}

/** Edits a text or a caption; bots hear edited_message. */
export function edit(world: World, action: Place & { message_id: number; text: string }): Message {
  const { chat } = placeOf(world, action);
  const message = ownMessage(world, action);
  const content = typed(action.text);
  const { entities: _, caption_entities: __, ...rest } = message;
  const changed: Message = {
    ...rest,
    ...(message.text === undefined ? { caption: content.text ?? '' } : content),
    edit_date: world.date(),
  };
  world.replace(chat, changed);
  showToBots(world, chat, changed, true);
  return changed;
}

/** Deletes a message for both; bots are not told, as in life. */
export function erase(world: World, action: Place & { message_id: number }): true {
  const { chat } = placeOf(world, action);
  if (!world.erase(chat, action.message_id)) throw new PeopleError(`there is no message ${action.message_id}`);
  return true;
}

/** Reacts to a message; bots that asked for it (in groups: as administrators) hear message_reaction. */
export function react(world: World, action: Place & { message_id: number; emoji?: string }): true {
  const { user, chat } = placeOf(world, action);
  if (!chat.messages.has(action.message_id)) throw new PeopleError(`there is no message ${action.message_id}`);
  const key = `${action.message_id}:${user.id}`;
  const before = chat.reactions.get(key) ?? [];
  const now = action.emoji ? [{ type: 'emoji', emoji: action.emoji }] : [];
  chat.reactions.set(key, now);
  const change = {
    chat: chat.chat,
    message_id: action.message_id,
    user,
    date: world.date(),
    old_reaction: before,
    new_reaction: now,
  };
  const bots = chat.bot
    ? [chat.bot]
    : [...world.bots.values()].filter(({ id }) => chat.statusOf(id) === 'administrator');
  for (const bot of bots) world.update(bot, 'message_reaction', chat.id, chat.id, change);
  world.feed.publish('reaction', chat.key, { message_id: action.message_id, from: user.id, reaction: now });
  return true;
}

/** Votes in a poll, or takes the vote back with an empty list. */
export function vote(world: World, action: Place & { message_id: number; options: number[] }): true {
  const { user, chat } = placeOf(world, action);
  const message = chat.messages.get(action.message_id);
  const { poll } = message ?? {};
  if (!message || !poll || poll.is_closed) throw new PeopleError(`message ${action.message_id} is no open poll`);
  const key = `${action.message_id}:${user.id}:vote`;
  const before = (chat.reactions.get(key) ?? []) as number[];
  chat.reactions.set(key, action.options);
  const count = (index: number): number => Number(action.options.includes(index)) - Number(before.includes(index));
  const options = poll.options.map((option, index) => ({ ...option, voter_count: option.voter_count + count(index) }));
  const voters = Number(action.options.length > 0) - Number(before.length > 0);
  const changed = { ...poll, options, total_voter_count: poll.total_voter_count + voters };
  world.replace(chat, { ...message, poll: changed });
  const bot = chat.bot ?? (message.from ? world.bots.get(message.from.id) : undefined);
  if (!bot) return true;
  if (!poll.is_anonymous) {
    const answer = {
      poll_id: poll.id,
      user,
      option_ids: action.options,
      option_persistent_ids: action.options.map(String),
    };
    world.update(bot, 'poll_answer', poll.id, 0, answer);
  }
  world.update(bot, 'poll', poll.id, 0, changed);
  return true;
}
