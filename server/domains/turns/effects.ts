import { shortName } from '../../../kernel/names.ts';
import type { BotEntry } from '../bots/bots.ts';
import type { CompiledRelease, ConversationKey, Effect, FileRef, Markup } from '../flow/flow.ts';
import { loneLineBase, type NewMessage, type StoredFile } from '../outbox/outbox.ts';
import type { PressMint } from './presses.ts';
import type { NewTimer } from './sql.ts';

/** What the effects of one turn become in the tables. */
export type Writes = {
  messages: NewMessage[];
  timers: NewTimer[];
  cancelled: { integrationId: number; key: string }[];
};

/** Where a turn happens: whose effects these are, and what may be asked about them. */
export type Place = {
  bot: BotEntry;
  release: CompiledRelease;
  conversation: ConversationKey;
  atMs: number;
  mint: PressMint;
  /** Telegram shows no typing in channels. */
  inChannel: boolean;
  /** How many messages that could not be delivered led to this turn, one out of the other; 0 for any other event. */
  blockedDepth: number;
};

/** An exit for what cannot be delivered may say something else that cannot; a flow that leads in a circle ends here. */
const blockedDepthMax = 3;

/** Turns the engine's effects into rows. Pure: the same effects always become the same rows. */
export function toWrites(place: Place, effects: readonly Effect[]): Writes {
  const writes: Writes = { messages: [], timers: [], cancelled: [] };
  for (const effect of effects) addEffect(place, effect, writes);
  return writes;
}

function addEffect(place: Place, effect: Effect, writes: Writes): void {
  const { bot, conversation } = place;
  switch (effect.type) {
    case 'send': {
      const here = effect.chat === 'here';
      const threadId = here ? conversation.threadId : effect.thread;
      const text = paramsText(place, effect, { ...effect.params, ...threadParams(threadId) }, threadId);
      const chatId = here ? conversation.chatId : (effect.chat as number);
      writes.messages.push({
        ...message(place, effect, chatId),
        method: effect.method,
        params: text,
        report: blockedReport(place, effect),
      });
      return;
    }
    case 'edit':
      writes.messages.push({
        ...message(place, effect, conversation.chatId),
        method: effect.method,
        ...targeted(effect.target, paramsText(place, effect, effect.params)),
        report: blockedReport(place, effect),
      });
      return;
    case 'delete':
      writes.messages.push({
        ...message(place, effect, conversation.chatId),
        method: 'deleteMessage',
        ...targeted(effect.target, '{}'),
      });
      return;
    case 'answerButton': {
      // Said already, before the turn: see acknowledge.ts.
      if (effect.outOfDate) return;
      const params = {
        callback_query_id: effect.id,
        ...(effect.text ? { text: effect.text } : {}),
        ...(effect.alert ? { show_alert: true } : {}),
      };
      writes.messages.push({
        ...message(place, effect, loneLine(effect.key)),
        method: 'answerCallbackQuery',
        params: JSON.stringify(params),
      });
      return;
    }
    case 'typing': {
      // Telegram takes it neither in channels nor in the direct messages to one.
      if (place.inChannel || conversation.threadId < 0) return;
      writes.messages.push({
        ...message(place, effect, conversation.chatId),
        method: 'sendChatAction',
        params: JSON.stringify({ action: 'typing', ...threadParams(conversation.threadId) }),
      });
      return;
    }
    case 'call': {
      const { chat_id, ...rest } = effect.params;
      const report = JSON.stringify({ on: 'end', id: effect.id, lane: conversation.chatId, conversation });
      // In a line of its own: what Telegram answers is about the chat asked for, and says nothing of the person's.
      writes.messages.push({
        ...message(place, effect, loneLine(effect.key)),
        method: effect.method,
        params: JSON.stringify({ chat_id, ...rest }),
        report,
      });
      return;
    }
    case 'timer':
      writes.timers.push({
        integrationId: bot.id,
        bucket: bot.bucket,
        lane: conversation.chatId,
        key: shortName(effect.id),
        delayMs: effect.delayMs,
        body: JSON.stringify({ roost: { kind: 'timer', report: { id: effect.id, conversation } } }),
      });
      return;
    case 'cancelTimer':
      writes.cancelled.push({ integrationId: bot.id, key: shortName(effect.id) });
  }
}

function message(place: Place, effect: Effect, chatId: number): NewMessage {
  const { bot } = place;
  return {
    integrationId: bot.id,
    bucket: bot.bucket,
    key: effect.key,
    chatId,
    class: 0,
    method: '',
    params: '{}',
    target: null,
    report: null,
  };
}

/** Where in its chat a message goes. The direct messages to a channel are kept as threads below zero. */
function threadParams(threadId: number): { message_thread_id?: number; direct_messages_topic_id?: number } {
  if (threadId < 0) return { direct_messages_topic_id: -threadId };
  return threadId > 0 ? { message_thread_id: threadId } : {};
}

function loneLine(key: string): number {
  let hash = 0;
  for (let index = 0; index < key.length; index += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(index)) >>> 0;
  return loneLineBase + hash;
}

function targeted(
  target: { key: string } | { messageId: number },
  params: string,
): { target: string | null; params: string } {
  if ('key' in target) return { target: target.key, params };
  const head = `{"message_id":${target.messageId}`;
  return { target: null, params: params === '{}' ? `${head}}` : `${head},${params.slice(1)}` };
}

/** A block that has a way out for "cannot be delivered" is told when that happens. */
function blockedReport(place: Place, effect: Effect): string | null {
  if (place.blockedDepth >= blockedDepthMax) return null;
  const block = place.release.document.blocks[effect.block] as { exits?: Record<string, string> } | undefined;
  if (!block?.exits?.blocked) return null;
  return JSON.stringify({
    on: 'blocked',
    block: effect.block,
    depth: place.blockedDepth + 1,
    lane: place.conversation.chatId,
    conversation: place.conversation,
  });
}

/** Parameters as JSON, with buttons turned into tokens and files of the project into what the outbox resolves. */
function paramsText(place: Place, effect: Effect, params: object, threadId = place.conversation.threadId): string {
  const { reply_markup: markup } = params as { reply_markup?: Markup };
  const ready = markup ? { ...params, reply_markup: withTokens(place, { key: effect.key, threadId }, markup) } : params;
  // A text holds no files, and looking for them would double the cost of printing it.
  if (effect.type === 'edit' || (effect.type === 'send' && effect.method === 'sendMessage'))
    return JSON.stringify(ready);
  return JSON.stringify(ready, (_name, value: unknown) => (isProjectFile(value) ? storedFile(place, value) : value));
}

function withTokens(place: Place, message: { key: string; threadId: number }, markup: Markup): unknown {
  if (!('inline_keyboard' in markup)) return markup;
  const { bot, release, mint, atMs } = place;
  const tokenOf = mint.forMessage(bot, { ...message, releaseNumber: release.number, atMs });
  return {
    inline_keyboard: markup.inline_keyboard.map((row) =>
      row.map(({ press, ...button }) => (press ? { ...button, callback_data: tokenOf(press) } : button)),
    ),
  };
}

function isProjectFile(value: unknown): value is FileRef & { media: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'media' in value &&
    Object.keys(value).length === 1 &&
    typeof value.media === 'string'
  );
}

/** A file of the release by its content; by `file_id` or an `InputMedia` it would not be of this shape. */
function storedFile(place: Place, file: { media: string }): StoredFile | string {
  const media = place.release.document.media?.[file.media] as { sha256?: string; kind?: string } | undefined;
  return media?.sha256 && media.kind ? { $file: { sha256: media.sha256, kind: media.kind } } : '';
}
