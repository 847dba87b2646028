import type { Call, Method } from '../api/call.ts';
import { checkGroup, findChat } from '../api/chats.ts';
import type { MethodSpec } from '../api/method-table.ts';
import { senderOf } from '../world/compose.ts';

const HOUR = 3_600;

function link(call: Call, kind: string): string {
  return `https://t.me/${kind}${Math.floor(call.world.random() * 2 ** 40).toString(36)}`;
}

function inlineId(call: Call): Record<string, unknown> {
  return { inline_message_id: `inline${Math.floor(call.world.random() * 2 ** 40).toString(36)}` };
}

function story(call: Call): Record<string, unknown> {
  return { chat: { id: call.bot.id, type: 'private', first_name: call.bot.user.first_name }, id: 1 };
}

/** What a method without an answer of its own hands back, by the shape of its result. Lists are empty. */
const RESULTS: Readonly<Record<string, (call: Call) => unknown>> = {
  true: () => true,
  'Message|true': () => true,
  number: () => 1,
  string: (call) => link(call, '+'),
  UserProfilePhotos: () => ({ total_count: 0, photos: [] }),
  UserProfileAudios: () => ({ total_count: 0, audios: [] }),
  UserChatBoosts: () => ({ boosts: [] }),
  Gifts: () => ({ gifts: [] }),
  OwnedGifts: () => ({ total_count: 0, gifts: [] }),
  StarAmount: () => ({ amount: 0 }),
  ForumTopic: (call) => ({
    message_thread_id: Math.floor(call.world.random() * 1_000_000) + 2,
    name: call.text('name') ?? 'Topic',
    icon_color: 7_322_096,
  }),
  StickerSet: (call) => ({
    name: call.text('name') ?? '',
    title: call.text('name') ?? '',
    sticker_type: 'regular',
    stickers: [],
  }),
  Story: story,
  BotAccessSettings: () => ({ is_access_restricted: false }),
  SentWebAppMessage: inlineId,
  SentGuestMessage: inlineId,
  PreparedInlineMessage: (call) => ({ id: link(call, 'p'), expiration_date: call.world.date() + HOUR }),
  PreparedKeyboardButton: (call) => ({ id: link(call, 'k') }),
  ChatInviteLink: (call) => ({
    invite_link: link(call, '+'),
    creator: senderOf(call.bot),
    creates_join_request: false,
    is_primary: false,
    is_revoked: false,
  }),
};

/** A method that Roost does not use: its chat is checked, then it says yes. */
export function plausible(spec: MethodSpec): Method {
  const result = RESULTS[spec.result];
  return (call) => {
    if (call.params.chat_id !== undefined) {
      const chat = findChat(call);
      if (!chat.isPrivate) checkGroup(call, chat);
    }
    if (result) return result(call);
    return spec.result.endsWith('[]') ? [] : {};
  };
}
