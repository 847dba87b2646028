// What bots answer, read off the simulator's log, and the audit of a run against it.
import { firstNames } from '../load/updates.ts';
import type { Call } from './simulator.ts';

/** The answer to each word: what sendMessage said, without the chat. */
export type Answers = readonly { readonly text: string; readonly params: Record<string, unknown> }[];

/** The text of a call, or ''. The name of the person it speaks to is left out: it is not the same for all. */
export function textOf(call: Call): string {
  return call.params === null ? '' : nameless(String((JSON.parse(call.params) as { text?: unknown }).text ?? ''));
}

function nameless(text: string): string {
  let plain = text;
  for (const name of firstNames) if (plain.includes(name)) plain = plain.replace(name, '');
  return plain;
}

/** What one chat was answered, one word after the other: `calls` of that chat, in order. */
export function answersFrom(calls: readonly Call[], words: number): Answers {
  const answers = calls
    .filter((call) => call.accepted)
    .map((call) => {
      const { chat_id: _chat, ...params } = JSON.parse(call.params ?? '{}') as Record<string, unknown>;
      return { text: nameless(String(params['text'])), params };
    });
  const distinct = new Set(answers.map((answer) => answer.text)).size;
  if (answers.length !== words || distinct !== words) {
    throw new Error(
      `The flow was to answer ${words} words with one message of its own each; there are ${answers.length}, ${distinct} of them different.`,
    );
  }
  return answers;
}

export type Audit = {
  /** From the post of each update to the moment Telegram took its answer. */
  readonly latenciesMs: number[];
  /** When Telegram took each of them. */
  readonly arrivedMs: number[];
  readonly lastMs: number;
  readonly firstMs: number;
  readonly lost: number;
  readonly repeated: number;
  readonly disordered: number;
};

/**
 * Compares what was posted with what Telegram accepted, chat by chat: how many answers are missing, how many came
 * twice, how many stand in the wrong place. Latencies are those of chats in which nothing is wrong.
 */
export function audit(
  posted: ReadonlyMap<number, readonly { text: number; postedMs: number }[]>,
  calls: readonly Call[],
  answers: Answers,
): Audit {
  const wordOf = new Map(answers.map((answer, index) => [answer.text, index]));
  const given = new Map<number, { word: number; arrivedMs: number }[]>();
  let strange = 0;
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const call of calls) {
    if (!call.accepted || call.method !== 'sendMessage' || typeof call.chat_id !== 'number') continue;
    if (!posted.has(call.chat_id)) {
      strange += 1;
      continue;
    }
    const lane = given.get(call.chat_id) ?? [];
    lane.push({ word: wordOf.get(textOf(call)) ?? -1, arrivedMs: call.arrived_mono });
    given.set(call.chat_id, lane);
    firstMs = Math.min(firstMs, call.arrived_mono);
    lastMs = Math.max(lastMs, call.arrived_mono);
  }
  const total = { latenciesMs: [] as number[], arrivedMs: [] as number[], lost: 0, repeated: strange, disordered: 0 };
  for (const [chat, wanted] of posted) auditChat(wanted, given.get(chat) ?? [], total);
  return { ...total, firstMs, lastMs };
}

function auditChat(
  wanted: readonly { text: number; postedMs: number }[],
  given: readonly { word: number; arrivedMs: number }[],
  total: { latenciesMs: number[]; arrivedMs: number[]; lost: number; repeated: number; disordered: number },
): void {
  const balance = new Map<number, number>();
  for (const { text } of wanted) balance.set(text, (balance.get(text) ?? 0) + 1);
  for (const { word } of given) balance.set(word, (balance.get(word) ?? 0) - 1);
  let whole = true;
  for (const count of balance.values()) {
    if (count > 0) total.lost += count;
    if (count < 0) total.repeated -= count;
    if (count !== 0) whole = false;
  }
  if (!whole) return;
  for (const [at, { text, postedMs }] of wanted.entries()) {
    const answer = given[at]!;
    if (answer.word !== text) total.disordered += 1;
    total.latenciesMs.push(answer.arrivedMs - postedMs);
    total.arrivedMs.push(answer.arrivedMs);
  }
}
