import type { Clock } from '../clock.ts';
import type { Limits } from '../settings.ts';
import type { Bot } from '../world/bot.ts';
import type { Conversation } from '../world/conversation.ts';
import { tooManyRequests } from './refusal.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

/** Milliseconds until the bot may send `count` more: at most `botPerSecond` in any second. */
function botWait(bot: Bot, now: number, count: number, limits: Limits): number {
  const size = limits.botPerSecond;
  if (bot.sentAt?.length !== size) {
    bot.sentAt = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
    bot.sentNext = 0;
  }
  // The ring's next slots hold the oldest times; the last one that would be overwritten decides.
  const oldest = bot.sentAt[(bot.sentNext + Math.min(count, size) - 1) % size] ?? Number.NEGATIVE_INFINITY;
  return oldest + SECOND - now;
}

/** A bucket told by one number: the moment when a message of an endless, even stream would be due. */
function privateWait(chat: Conversation, now: number, count: number, limits: Limits): number {
  const step = SECOND / limits.chatPerSecond;
  return Math.max(chat.nextFreeMs, now) + (count - limits.chatBurst) * step - now;
}

function groupWait(chat: Conversation, now: number, count: number, limits: Limits): number {
  const window = (chat.window ??= []);
  while (window.length > 0 && (window[0] ?? now) <= now - MINUTE) window.shift();
  if (window.length + count <= limits.groupPerMinute) return 0;
  const blocking = window[Math.min(window.length, window.length + count - limits.groupPerMinute) - 1] ?? now;
  return blocking + MINUTE - now;
}

function refuse(waitMs: number, limit: string): never {
  throw tooManyRequests(Math.max(1, Math.ceil(waitMs / SECOND)), limit);
}

/** What is sent: an album counts whole for the bot and for a group, and as one message for a person. */
export type Spending = { messages: number; album: boolean };

/** Counts messages of a bot to a chat, or refuses them all with 429. Refused ones are not counted. */
export function spend(bot: Bot, chat: Conversation, spending: Spending, clock: Clock, limits: Limits): void {
  if (!limits.on) return;
  const now = clock.mono();
  const count = spending.messages;
  const forBot = botWait(bot, now, count, limits);
  if (forBot > 0) refuse(forBot, 'bot');
  if (chat.isPrivate) {
    const toPerson = spending.album ? 1 : count;
    const forChat = privateWait(chat, now, toPerson, limits);
    if (forChat > 0) refuse(forChat, 'chat');
    chat.nextFreeMs = Math.max(chat.nextFreeMs, now) + (toPerson * SECOND) / limits.chatPerSecond;
  } else {
    const forGroup = groupWait(chat, now, count, limits);
    if (forGroup > 0) refuse(forGroup, 'group');
    for (let index = 0; index < count; index++) chat.window?.push(now);
  }
  for (let index = 0; index < count && bot.sentAt; index++) {
    bot.sentAt[bot.sentNext] = now;
    bot.sentNext = (bot.sentNext + 1) % bot.sentAt.length;
  }
}
