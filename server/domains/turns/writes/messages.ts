import type { Effect, FileRef, Markup } from '../../flow/flow.ts';
import { loneLineBase, type NewMessage, type StoredFile } from '../../outbox/outbox.ts';
import type { MessageEffect, Setting } from './kinds.ts';

/** An exit for what cannot be delivered may say something else that cannot; a flow that leads in a circle ends here. */
const blockedDepthMax = 3;

/** A message to the conversation's own chat, with its thread, or to another one. */
export const send: MessageEffect<'send'> = {
  message: (setting, effect) => {
    const { conversation } = setting;
    const here = effect.chat === 'here';
    const threadId = here ? conversation.threadId : effect.thread;
    const params = { ...effect.params, ...threadParams(threadId) };
    return {
      ...message(setting, effect, here ? conversation.chatId : (effect.chat as number)),
      method: effect.method,
      params: paramsText(setting, effect, params, threadId),
      report: blockedReport(setting, effect),
    };
  },
};

export const edit: MessageEffect<'edit'> = {
  message: (setting, effect) => ({
    ...message(setting, effect, setting.conversation.chatId),
    method: effect.method,
    ...targeted(effect.target, paramsText(setting, effect, effect.params)),
    report: blockedReport(setting, effect),
  }),
};

/** Named so since `delete` is a word of the language. */
export const deletion: MessageEffect<'delete'> = {
  message: (setting, effect) => ({
    ...message(setting, effect, setting.conversation.chatId),
    method: 'deleteMessage',
    ...targeted(effect.target, '{}'),
  }),
};

/** The answer to a press. "Out of date" was said before the turn: see acknowledge.ts. */
export const answerButton: MessageEffect<'answerButton'> = {
  message: (setting, effect) => {
    if (effect.outOfDate) return undefined;
    const params = {
      callback_query_id: effect.id,
      ...(effect.text ? { text: effect.text } : {}),
      ...(effect.alert ? { show_alert: true } : {}),
    };
    return {
      ...message(setting, effect, loneLine(effect.key)),
      method: 'answerCallbackQuery',
      params: JSON.stringify(params),
    };
  },
};

/** Telegram takes it neither in channels nor in the direct messages to one. */
export const typing: MessageEffect<'typing'> = {
  message: (setting, effect) => {
    const { conversation, inChannel } = setting;
    if (inChannel || conversation.threadId < 0) return undefined;
    return {
      ...message(setting, effect, conversation.chatId),
      method: 'sendChatAction',
      params: JSON.stringify({ action: 'typing', ...threadParams(conversation.threadId) }),
    };
  },
};

/**
 * A question to Telegram, whose answer the flow waits for. In a line of its own: what Telegram answers is about the chat
 * that was asked for, and says nothing of the person's.
 */
export const call: MessageEffect<'call'> = {
  message: (setting, effect) => {
    const { conversation } = setting;
    const { chat_id, ...rest } = effect.params;
    return {
      ...message(setting, effect, loneLine(effect.key)),
      method: effect.method,
      params: JSON.stringify({ chat_id, ...rest }),
      report: JSON.stringify({ on: 'end', id: effect.id, lane: conversation.chatId, conversation }),
    };
  },
};

function message(setting: Setting, effect: Effect, chatId: number): NewMessage {
  const { bot } = setting;
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
function blockedReport(setting: Setting, effect: Effect): string | null {
  if (setting.blockedDepth >= blockedDepthMax) return null;
  const block = setting.release.document.blocks[effect.block] as { exits?: Record<string, string> } | undefined;
  if (!block?.exits?.blocked) return null;
  return JSON.stringify({
    on: 'blocked',
    block: effect.block,
    depth: setting.blockedDepth + 1,
    lane: setting.conversation.chatId,
    conversation: setting.conversation,
  });
}

/** Parameters as JSON, with buttons turned into tokens and files of the project into what the outbox resolves. */
function paramsText(
  setting: Setting,
  effect: Effect,
  params: object,
  threadId = setting.conversation.threadId,
): string {
  const { reply_markup: markup } = params as { reply_markup?: Markup };
  const ready = markup
    ? { ...params, reply_markup: withTokens(setting, { key: effect.key, threadId }, markup) }
    : params;
  // A text holds no files, and looking for them would double the cost of printing it.
  if (effect.type === 'edit' || (effect.type === 'send' && effect.method === 'sendMessage'))
    return JSON.stringify(ready);
  return JSON.stringify(ready, (_name, value: unknown) => (isProjectFile(value) ? storedFile(setting, value) : value));
}

function withTokens(setting: Setting, message: { key: string; threadId: number }, markup: Markup): unknown {
  if (!('inline_keyboard' in markup)) return markup;
  const { bot, release, mint, atMs } = setting;
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
function storedFile(setting: Setting, file: { media: string }): StoredFile | string {
  const media = setting.release.document.media?.[file.media] as { sha256?: string; kind?: string } | undefined;
  return media?.sha256 && media.kind ? { $file: { sha256: media.sha256, kind: media.kind } } : '';
}
