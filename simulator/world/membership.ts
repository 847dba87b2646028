import type { User } from '@grammyjs/types';
import { showToBots } from '../people/visibility.ts';
import { composeMessage, senderOf } from './compose.ts';
import type { Conversation, Status } from './conversation.ts';
import type { World } from './world.ts';

const RESTRICTED = {
  is_member: true,
  can_send_messages: false,
  can_send_audios: false,
  can_send_documents: false,
  can_send_photos: false,
  can_send_videos: false,
  can_send_video_notes: false,
  can_send_voice_notes: false,
  can_send_polls: false,
  can_send_other_messages: false,
  can_add_web_page_previews: false,
  can_react_to_messages: false,
  can_change_info: false,
  can_invite_users: false,
  can_edit_tag: false,
  can_pin_messages: false,
  can_manage_topics: false,
  until_date: 0,
};

const ADMINISTRATOR = {
  can_be_edited: false,
  is_anonymous: false,
  can_manage_chat: true,
  can_delete_messages: true,
  can_manage_video_chats: true,
  can_restrict_members: true,
  can_promote_members: false,
  can_change_info: true,
  can_invite_users: true,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
};

/** The person or bot behind an id; undefined where nobody has it. */
export function anybody(world: World, id: number): User | undefined {
  const bot = world.bots.get(id);
  return bot ? senderOf(bot) : world.users.get(id);
}

/** A ChatMember object. */
export function memberView(chat: Conversation, user: User): Record<string, unknown> {
  const status = chat.isPrivate ? 'member' : chat.statusOf(user.id);
  switch (status) {
    case 'creator':
      return { user, status, is_anonymous: false };
    case 'administrator':
      return {
        user,
        status,
        ...ADMINISTRATOR,
        ...(chat.chat.type === 'channel'
          ? { can_post_messages: true, can_edit_messages: true }
          : { can_pin_messages: true }),
      };
    case 'restricted':
      return { user, status, ...RESTRICTED };
    case 'kicked':
      return { user, status, until_date: 0 };
    default:
      return { user, status };
  }
}

function isIn(status: Status): boolean {
  return status !== 'left' && status !== 'kicked';
}

/** Service message of somebody who came or went; channels have none. */
function announce(world: World, chat: Conversation, actor: User, user: User, came: boolean): void {
  if (chat.chat.type === 'channel') return;
  const content = came ? { new_chat_members: [user] } : { left_chat_member: user };
  const message = composeMessage(world, chat, actor, content);
  world.keep(chat, message);
  showToBots(world, chat, message);
}

/**
 * Changes what somebody is in a group: the one concerned hears my_chat_member when it is a bot, bots that are
 * administrators and asked for it hear chat_member, and everybody sees people come and go.
 */
export function setStatus(world: World, chat: Conversation, actor: User, userId: number, status: Status): void {
  const user = anybody(world, userId);
  const before = chat.statusOf(userId);
  if (!user || before === status) return;
  const old = memberView(chat, user);
  chat.members.set(userId, status);
  const change = {
    chat: chat.chat,
    from: actor,
    date: world.date(),
    old_chat_member: old,
    new_chat_member: memberView(chat, user),
  };
  const concerned = world.bots.get(userId);
  if (concerned) world.update(concerned, 'my_chat_member', chat.id, chat.id, change);
  for (const [id, role] of chat.members) {
    const bot = id === userId || role !== 'administrator' ? undefined : world.bots.get(id);
    if (bot) world.update(bot, 'chat_member', userId, chat.id, change);
  }
  if (isIn(before) !== isIn(status)) announce(world, chat, actor, user, isIn(status));
  world.feed.publish('chat', chat.key, { user_id: userId, status });
}
