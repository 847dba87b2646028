import type { Stall } from '../support/stalls.ts';
import type { Evidence, Sent } from './evidence.ts';

/** Telegram's limits as they are published; the product's own constants are what is under test. */
const botPerSecond = 30;
const groupPerMinute = 20;
const chatBurst = 3;

const secondMs = 1_000;
const minuteMs = 60_000;

/**
 * Two witnesses: Telegram's own refusals for a limit, and the distances between what it accepted. A message whose
 * answer was lost counts as well. A refusal is no violation where Telegram's process itself stood still before it:
 * then what it had stamped late may have come in time.
 */
export function limitViolations({ sent, stalls }: Evidence): string[] {
  const calls = [...sent].sort((a, b) => a.at - b.at);
  const accepted = calls.filter((call) => call.accepted);
  const complaints: string[] = [];
  for (const call of calls) {
    if (call.limit === null || !isTooEarly(call, accepted, stalls)) continue;
    complaints.push(
      `bot ${call.bot}, chat ${call.chat}: refused at ${Math.round(call.at)} for the limit of the ${call.limit}`,
    );
  }
  for (const [bot, moments] of momentsOf(accepted, (call) => String(call.bot))) {
    const most = mostWithin(moments, secondMs);
    if (most > botPerSecond) complaints.push(`bot ${bot}: ${most} messages within a second`);
  }
  for (const [chat, moments] of momentsOf(accepted, (call) => `${call.bot} ${call.chat}`)) {
    const isGroup = chat.includes('-');
    const most = isGroup ? mostWithin(moments, minuteMs) : debtAfter(moments);
    if (most > (isGroup ? groupPerMinute : chatBurst))
      complaints.push(`chat ${chat}: ${most} messages ahead of its limit`);
  }
  return complaints;
}

/** Was this call too early also when everything before it came as early as it can have come? */
function isTooEarly(call: Sent, accepted: readonly Sent[], stalls: readonly Stall[]): boolean {
  const before = accepted.filter((other) => other.bot === call.bot && other.at < call.at);
  const earliest = (calls: readonly Sent[]): number[] => calls.map((other) => earliestOf(other.at, stalls));
  if (call.limit === 'bot') return countSince(earliest(before), call.at - secondMs) >= botPerSecond;
  const ofChat = earliest(before.filter((other) => other.chat === call.chat));
  if (call.limit === 'group') return countSince(ofChat, call.at - minuteMs) >= groupPerMinute;
  return debtAfter([...ofChat, call.at], call.at) > chatBurst;
}

const stampedTogetherMs = 50;
/** A call is read, answered and stamped within so many rounds of the process, each of which may be a stall. */
const stallsInARowMax = 3;

/**
 * What was stamped right after a stall may have come when it began. To catch up with what has come meanwhile is mostly
 * the next stall: one right behind another counts together with it.
 */
function earliestOf(at: number, stalls: readonly Stall[]): number {
  let earliest = at;
  for (let count = 0; count < stallsInARowMax; count += 1) {
    const stall = stalls.find(({ endedMs, ms }) => earliest > endedMs - ms && earliest < endedMs + stampedTogetherMs);
    if (stall === undefined) break;
    earliest = stall.endedMs - stall.ms;
  }
  return earliest;
}

const countSince = (moments: readonly number[], sinceMs: number): number =>
  moments.filter((moment) => moment > sinceMs).length;

function momentsOf(calls: readonly Sent[], name: (call: Sent) => string): Map<string, number[]> {
  const moments = new Map<string, number[]>();
  for (const call of calls) {
    const known = moments.get(name(call));
    if (known) known.push(call.at);
    else moments.set(name(call), [call.at]);
  }
  return moments;
}

/** The most that came within any `windowMs`. */
function mostWithin(moments: readonly number[], windowMs: number): number {
  let most = 0;
  let from = 0;
  for (const [index, moment] of moments.entries()) {
    while (moment - (moments[from] as number) >= windowMs) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

/** How far a stream of one a second was ever run ahead of; with `at`, only how far at that moment. */
function debtAfter(moments: readonly number[], at?: number): number {
  let debt = 0;
  let last = 0;
  let worst = 0;
  for (const moment of moments) {
    debt = Math.max(0, debt - (moment - last) / secondMs) + 1;
    last = moment;
    worst = Math.max(worst, debt);
  }
  return Math.ceil((at === undefined ? worst : debt) - 1e-6);
}
