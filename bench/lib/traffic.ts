// What is posted: to which bots, from which chats, which words. And what must come back.

import type { Plan, Posts, Sent } from '../load/plan.ts';
import { escaped } from '../load/updates.ts';
import type { BenchBot } from './bots.ts';
import { webhookPathOf } from './paths.ts';

/** Words that people write, each with an answer of its own in the example's flow. */
export type Words = readonly string[];

/** People of the support menu: each of these texts has one message as its answer. */
export const supportWords: Words = ['Доставка', 'Сколько стоит оплата картой?', 'Хочу сделать возврат', 'Здравствуйте'];
/** First contacts of the lead form: one message too. */
export const startWords: Words = ['/start'];

/** Chats of different bots never have the same number, so a chat alone names its lane. */
const chatsABot = 10_000;
const firstChat = 1_000_000_000;
/** Streams over the same bots never use a number twice. */
const firstUpdate = 500_000_000;
const updatesAStream = 1_000_000;
let streams = 0;

/**
 * A stream of updates over bots and their chats: every chat of every bot once, in turns, then again. The words of a
 * chat never repeat at once, so that two answers in the wrong order show.
 */
export class Traffic {
  readonly bots: readonly BenchBot[];
  readonly chats: number;
  readonly #words: Words;
  readonly #updateIds: Float64Array;
  readonly #lastWord: Uint8Array;
  readonly #firstChatOf: number;
  #place = 0;

  constructor(bots: readonly BenchBot[], options: { chats: number; words?: Words; chatsFrom?: number }) {
    this.bots = bots;
    this.chats = options.chats;
    this.#words = options.words ?? supportWords;
    this.#updateIds = new Float64Array(bots.length).fill(firstUpdate + streams * updatesAStream);
    streams += 1;
    this.#lastWord = new Uint8Array(bots.length * options.chats).fill(255);
    this.#firstChatOf = options.chatsFrom ?? 0;
  }

  /** The next `count` updates. */
  next(count: number): Posts {
    const posts: Posts = {
      target: new Int32Array(count),
      chatId: new Float64Array(count),
      text: new Uint8Array(count),
      updateId: new Float64Array(count),
    };
    for (let at = 0; at < count; at += 1, this.#place += 1) {
      const bot = this.#place % this.bots.length;
      const chat = Math.floor(this.#place / this.bots.length) % this.chats;
      posts.target[at] = bot;
      posts.chatId[at] = firstChat + this.bots[bot]!.id * chatsABot + this.#firstChatOf + chat;
      posts.text[at] = this.#wordOf(bot * this.chats + chat);
      posts.updateId[at] = this.#updateIds[bot]!++;
    }
    return posts;
  }

  /** A plan for the load process. */
  plan(count: number, options: Pick<Plan, 'port' | 'connections' | 'ratePerSecond' | 'stopAfterMs'>): Plan {
    return {
      ...options,
      targets: this.bots.map((bot) => ({ path: webhookPathOf(bot.publicId), secret: bot.secret })),
      texts: this.#words.map(escaped),
      posts: this.next(count),
    };
  }

  #wordOf(lane: number): number {
    const words = this.#words.length;
    const last = this.#lastWord[lane]!;
    const step = 1 + ((lane * 7 + this.#place * 13) % Math.max(1, words - 1));
    const word = last === 255 ? lane % words : (last + step) % words;
    this.#lastWord[lane] = word;
    return word;
  }
}

/** Posts that were answered with 200 no later than `untilMs`, by chat, in order: what must have been worked on. */
export function acceptedPosts(posts: Posts, sent: Sent): Map<number, { text: number; postedMs: number }[]> {
  const byChat = new Map<number, { text: number; postedMs: number }[]>();
  for (let at = 0; at < sent.count; at += 1) {
    if (sent.status[at] !== 200) continue;
    const chat = posts.chatId[at]!;
    const lane = byChat.get(chat) ?? [];
    lane.push({ text: posts.text[at]!, postedMs: sent.posted[at]! });
    byChat.set(chat, lane);
  }
  return byChat;
}

/** How many posts got which status. */
export function statusCounts(sent: Sent): Map<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at < sent.count; at += 1) counts.set(sent.status[at]!, (counts.get(sent.status[at]!) ?? 0) + 1);
  return counts;
}
