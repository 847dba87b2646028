import type { User } from '@grammyjs/types';
import { senderOf } from '../world/compose.ts';
import type { Conversation } from '../world/conversation.ts';
import type { World } from '../world/world.ts';
import type { Place } from './place.ts';
import { PeopleError, placeOf } from './place.ts';

/** Tells a bot that a person blocked or unblocked it. */
function tell(world: World, chat: Conversation, user: User, blocked: boolean): void {
  const { bot } = chat;
  if (!bot) return;
  const member = (out: boolean): object => ({
    user: senderOf(bot),
    status: out ? 'kicked' : 'member',
    ...(out ? { until_date: 0 } : {}),
  });
  world.update(bot, 'my_chat_member', chat.id, chat.id, {
    chat: chat.chat,
    from: user,
    date: world.date(),
    old_chat_member: member(!blocked),
    new_chat_member: member(blocked),
  });
  world.feed.publish('chat', chat.key, { blocked });
}

/** Writing to a blocked bot unblocks it first, as the apps do. */
export function unblock(world: World, chat: Conversation, user: User): void {
  chat.ban = undefined;
  tell(world, chat, user, false);
}

/** Blocks or unblocks a bot; the bot hears of it once. */
export function setBlocked(world: World, place: Place, blocked: boolean): true {
  const { user, chat } = placeOf(world, place);
  if (!chat.isPrivate) throw new PeopleError('only a private chat can be blocked');
  if ((chat.ban === 'blocked') === blocked) return true;
  chat.ban = blocked ? 'blocked' : undefined;
  if (!blocked) chat.opened = true;
  tell(world, chat, user, blocked);
  return true;
}
