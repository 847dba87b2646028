import type { Call, Method } from '../api/call.ts';
import { checkGroup, findChat } from '../api/chats.ts';
import { badRequest } from '../api/refusal.ts';
import { showToBots } from '../people/visibility.ts';
import type { Content } from '../world/compose.ts';
import { composeMessage, senderOf } from '../world/compose.ts';
import type { Conversation, Status } from '../world/conversation.ts';
import { anybody, memberView, setStatus } from '../world/membership.ts';
import { REACTIONS } from '../world/reactions.ts';

/** A chat that the bot can look into. */
function visibleChat(call: Call): Conversation {
  const chat = findChat(call);
  if (!chat.isPrivate) checkGroup(call, chat);
  return chat;
}

const PERMISSIONS = {
  can_send_messages: true,
  can_send_audios: true,
  can_send_documents: true,
  can_send_photos: true,
  can_send_videos: true,
  can_send_video_notes: true,
  can_send_voice_notes: true,
  can_send_polls: true,
  can_send_other_messages: true,
  can_add_web_page_previews: true,
  can_react_to_messages: true,
  can_change_info: true,
  can_invite_users: true,
  can_edit_tag: true,
  can_pin_messages: true,
  can_manage_topics: false,
};

export const getChat: Method = (call) => {
  const chat = visibleChat(call);
  const newest = chat.pinned.at(-1);
  const pinned = newest === undefined ? undefined : chat.messages.get(newest);
  return {
    ...chat.chat,
    accent_color_id: Math.abs(chat.id) % 7,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: true,
      limited_gifts: true,
      unique_gifts: true,
      premium_subscription: true,
      gifts_from_channels: true,
    },
    ...(chat.isPrivate ? {} : { permissions: PERMISSIONS }),
    ...(pinned ? { pinned_message: pinned } : {}),
    ...chat.extra,
  };
};

export const getChatMember: Method = (call) => {
  const chat = visibleChat(call);
  const id = call.need('user_id', 'invalid user_id specified');
  const user = anybody(call.world, id);
  if (!user) throw badRequest('user not found');
  if (chat.chat.type === 'channel' && id !== call.bot.id && chat.statusOf(call.bot.id) !== 'administrator')
    throw badRequest('member list is inaccessible');
  return memberView(chat, user);
};

export const getChatAdministrators: Method = (call) => {
  const chat = visibleChat(call);
  if (chat.isPrivate) throw badRequest('there are no administrators in the private chat');
  const admins = [...chat.members].filter(([, status]) => status === 'creator' || status === 'administrator');
  return admins.flatMap(([id]) => {
    const user = anybody(call.world, id);
    return user && (!user.is_bot || id === call.bot.id) ? [memberView(chat, user)] : [];
  });
};

export const getChatMemberCount: Method = (call) => {
  const chat = visibleChat(call);
  return chat.isPrivate ? 2 : [...chat.members.keys()].filter((id) => chat.has(id)).length;
};

export const leaveChat: Method = (call) => {
  const chat = visibleChat(call);
  if (chat.isPrivate) throw badRequest("can't leave private chats");
  setStatus(call.world, chat, senderOf(call.bot), call.bot.id, 'left');
  return true;
};

/** A chat where the bot may do what only administrators can. */
function ruledChat(call: Call, right: string): Conversation {
  const chat = visibleChat(call);
  if (chat.isPrivate) return chat;
  if (chat.statusOf(call.bot.id) !== 'administrator') throw badRequest(`not enough rights to ${right}`);
  return chat;
}

function rules(status: (call: Call, chat: Conversation, id: number) => Status | undefined): Method {
  return (call) => {
    const chat = ruledChat(call, 'restrict/unrestrict chat member');
    if (chat.isPrivate) throw badRequest("can't restrict self");
    const id = call.need('user_id', 'invalid user_id specified');
    if (!anybody(call.world, id)) throw badRequest('user not found');
    if (chat.statusOf(id) === 'creator') throw badRequest("can't remove chat owner");
    const next = status(call, chat, id);
    if (next) setStatus(call.world, chat, senderOf(call.bot), id, next);
    return true;
  };
}

export const banChatMember = rules(() => 'kicked');
export const unbanChatMember = rules((call, chat, id) =>
  chat.statusOf(id) === 'kicked' || !call.flag('only_if_banned') ? 'left' : undefined,
);
export const restrictChatMember = rules((call, chat, id) => {
  if (!chat.has(id)) return undefined;
  return call.object('permissions')?.can_send_messages === true ? 'member' : 'restricted';
});
export const promoteChatMember = rules((call) => {
  const rights = Object.keys(call.params).some((name) => name.startsWith('can_') && call.params[name] === true);
  return rights ? 'administrator' : 'member';
});

/** A service message of the bot's own doing. */
function announce(call: Call, chat: Conversation, content: Content): void {
  const message = composeMessage(call.world, chat, senderOf(call.bot), content);
  call.world.keep(chat, message);
  showToBots(call.world, chat, message);
}

export const pinChatMessage: Method = (call) => {
  const chat = ruledChat(call, 'manage pinned messages in the chat');
  const message = chat.messages.get(call.need('message_id', 'message identifier is not specified'));
  if (!message) throw badRequest('message to pin not found');
  chat.pinned = [...chat.pinned.filter((id) => id !== message.message_id), message.message_id];
  if (chat.chat.type !== 'channel') announce(call, chat, { pinned_message: message });
  return true;
};

export const unpinChatMessage: Method = (call) => {
  const chat = ruledChat(call, 'manage pinned messages in the chat');
  const id = call.number('message_id') ?? chat.pinned.at(-1);
  if (id === undefined || !chat.pinned.includes(id)) throw badRequest('message to unpin not found');
  chat.pinned = chat.pinned.filter((pinned) => pinned !== id);
  return true;
};

export const unpinAllChatMessages: Method = (call) => {
  ruledChat(call, 'manage pinned messages in the chat').pinned = [];
  return true;
};

export const setChatTitle: Method = (call) => {
  const chat = ruledChat(call, 'change chat title');
  const title = call.text('title') ?? '';
  if (chat.isPrivate) throw badRequest("can't change private chat title");
  if (title === '' || [...title].length > 128) throw badRequest('new chat title must be non-empty');
  Object.assign(chat.chat, { title });
  announce(call, chat, { new_chat_title: title });
  return true;
};

export const setChatDescription: Method = (call) => {
  const chat = ruledChat(call, 'change chat description');
  const description = call.text('description') ?? '';
  if ((chat.extra.description ?? '') === description) throw badRequest('chat description is not modified');
  chat.extra.description = description;
  return true;
};

function inviteLink(call: Call): Record<string, unknown> {
  ruledChat(call, 'manage chat invite link');
  const link = `https://t.me/+${Math.floor(call.world.random() * 2 ** 48).toString(36)}`;
  return {
    invite_link: link,
    creator: senderOf(call.bot),
    creates_join_request: call.flag('creates_join_request'),
    is_primary: false,
    is_revoked: false,
    ...(call.text('name') ? { name: call.text('name') } : {}),
    ...(call.number('expire_date') ? { expire_date: call.number('expire_date') } : {}),
    ...(call.number('member_limit') ? { member_limit: call.number('member_limit') } : {}),
  };
}

export const createChatInviteLink: Method = inviteLink;
export const editChatInviteLink: Method = (call) => ({ ...inviteLink(call), invite_link: call.text('invite_link') });
export const revokeChatInviteLink: Method = (call) => ({
  ...inviteLink(call),
  invite_link: call.text('invite_link'),
  is_revoked: true,
});
export const exportChatInviteLink: Method = (call) => inviteLink(call).invite_link;

/** Approves or declines somebody who asked to join. */
function decides(approve: boolean): Method {
  return (call) => {
    const chat = ruledChat(call, 'invite users to the chat');
    const id = call.need('user_id', 'invalid user_id specified');
    if (!chat.requests.delete(id)) throw badRequest('HIDE_REQUESTER_MISSING');
    if (approve) setStatus(call.world, chat, senderOf(call.bot), id, 'member');
    return true;
  };
}

export const approveChatJoinRequest = decides(true);
export const declineChatJoinRequest = decides(false);

/** What a bot may react with: emoji of one list, and custom ones by their number. */
function checkReaction(value: unknown): void {
  const { type, emoji, custom_emoji_id: id } = (value ?? {}) as Record<string, unknown>;
  if (type === 'custom_emoji' && typeof id === 'string' && id !== '') return;
  if (type === 'emoji' && typeof emoji === 'string' && REACTIONS.has(emoji.replaceAll('\ufe0f', ''))) return;
  if (type !== 'emoji' && type !== 'custom_emoji' && type !== 'paid')
    throw badRequest("can't parse ReactionType: invalid reaction type specified");
  throw badRequest('REACTION_INVALID');
}

export const setMessageReaction: Method = (call) => {
  const chat = visibleChat(call);
  const id = call.need('message_id', 'message identifier is not specified');
  if (!chat.messages.has(id)) throw badRequest('message to react not found');
  const reaction = call.list('reaction') ?? [];
  if (reaction.length > 1) throw badRequest('REACTIONS_TOO_MANY');
  for (const one of reaction) checkReaction(one);
  chat.reactions.set(`${id}:${call.bot.id}`, reaction);
  call.world.feed.publish('reaction', chat.key, { message_id: id, from: call.bot.id, reaction });
  return true;
};
