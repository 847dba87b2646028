import type { Evidence, OutboxFact, Sent } from './evidence.ts';
import { answersTo, readAnswer } from './flow.ts';
import { limitViolations } from './limits.ts';

export type Violation = { readonly rule: Rule; readonly text: string };
export type Rule = keyof typeof rules;

/** What is promised, and how it is checked. Each looks at Telegram's log and the database together. */
export const rules = {
  stored: acceptedAreStored,
  processed: storedAreProcessed,
  once: effectsAreOnce,
  presses: buttonsWorkOnce,
  asked: sentWereAsked,
  complete: askedWereSent,
  repeats: repeatsAreDoubtful,
  order: chatsAreInOrder,
  limits: limitViolations,
} as const satisfies Record<string, (evidence: Evidence) => string[]>;

/** Checks a run that has come to its end: all faults healed, nothing left to do. */
export function audit(evidence: Evidence, only: readonly Rule[] = Object.keys(rules) as Rule[]): Violation[] {
  return only.flatMap((rule) => rules[rule](evidence).map((text) => ({ rule, text })));
}

const done = 2;
const unknown = 4;
const refused = 3;

/** Every update answered with 200 is in the inbox, and Telegram gave none up by itself. */
function acceptedAreStored({ delivered, inbox, expired }: Evidence): string[] {
  const known = new Set(inbox.map((row) => `${row.bot} ${row.key}`));
  const lost = delivered.filter(({ bot, updateId }) => !known.has(`${bot} ${updateId}`));
  const complaints = lost.map(({ bot, updateId }) => `update ${updateId} of bot ${bot}: answered with 200, not stored`);
  return expired > 0 ? [...complaints, `${expired} updates expired at Telegram`] : complaints;
}

/** Every text that was written has become a row, and every row has been worked on. */
function storedAreProcessed({ said, inbox }: Evidence): string[] {
  const states = new Map(inbox.map((row) => [`${row.bot} ${row.chat} ${row.text}`, row]));
  const complaints: string[] = [];
  for (const { bot, chat, text } of said) {
    const row = states.get(`${bot} ${chat} ${text}`);
    if (!row) complaints.push(`"${text}" in chat ${chat} of bot ${bot}: not received`);
    else if (row.state !== done)
      complaints.push(`"${text}" in chat ${chat} of bot ${bot}: state ${row.state} after ${row.attempts} attempts`);
  }
  return complaints;
}

/** Each update had its effect once: the counts in the database are the numbers of updates, and none was counted twice. */
function effectsAreOnce(evidence: Evidence): string[] {
  const { said, inbox, seen, all } = evidence;
  const texts = new Set(said.map(nameOf));
  const worked = inbox.filter((row) => row.state === done && texts.has(`${row.bot} ${row.chat} ${row.text}`));
  const complaints: string[] = [];
  for (const [bot, count] of tally(worked.map((row) => row.bot))) {
    if (all.get(bot) !== count) complaints.push(`bot ${bot}: counted ${all.get(bot)} updates, worked on ${count}`);
  }
  for (const [place, count] of tally(worked.filter((row) => row.chat > 0).map((row) => `${row.bot} ${row.chat}`))) {
    if (seen.get(place) !== count)
      complaints.push(`chat ${place}: counted ${seen.get(place)} updates, worked on ${count}`);
  }
  return [...complaints, ...countsInOrder(evidence)];
}

/** A button that works once has worked once, however often and wherever it was pressed. */
function buttonsWorkOnce({ inbox, outbox }: Evidence): string[] {
  const pressed = inbox.filter((row) => row.press !== null && row.state === done);
  const answers = groupBy(
    outbox.filter((row) => row.text.startsWith('pressed ')),
    placeOf,
  );
  return [...groupBy(pressed, placeOf)].flatMap(([place, presses]) => {
    const buttons = new Set(presses.map((row) => row.press)).size;
    const counts = (answers.get(place) ?? []).map((row) => row.text).sort();
    const due = Array.from({ length: buttons }, (_, index) => `pressed ${index + 1}`).sort();
    return counts.join() === due.join()
      ? []
      : [`chat ${place}: ${buttons} buttons pressed, answered with ${counts.join(', ')}`];
  });
}

/** The flow numbers the texts of a chat as it works on them; whoever writes them numbers them too. */
function countsInOrder({ said, inbox, outbox }: Evidence): string[] {
  const worked = new Set(
    inbox.flatMap((row) => (row.state === done ? [nameOf({ ...row, text: row.text ?? '' })] : [])),
  );
  const due = new Map<string, number>();
  for (const texts of groupBy(said, placeOf).values()) {
    const counted = texts.filter((text) => worked.has(nameOf(text)));
    for (const [index, text] of counted.entries()) due.set(nameOf(text), index + 1);
  }
  return outbox.flatMap((row) => {
    const answer = readAnswer(row.text);
    const number = due.get(nameOf({ ...row, text: answer?.words.replace(/ \d\/2$/, '') ?? '' }));
    if (number === undefined || row.text.includes(' later ') || number === answer?.count) return [];
    return [`${shown(row)}: counted ${answer?.count}, and it is number ${number}`];
  });
}

/** No message came to Telegram that no committed turn asked for. */
function sentWereAsked({ sent, outbox }: Evidence): string[] {
  const asked = new Set(outbox.map((row) => `${row.bot} ${row.chat} ${row.text}`));
  const strange = sent.filter(({ bot, chat, text }) => !asked.has(`${bot} ${chat} ${text}`));
  return strange.map(
    ({ bot, chat, text }) => `"${text}" in chat ${chat} of bot ${bot}: sent, and no turn asked for it`,
  );
}

/** Every answer that is due was asked for, and what was asked for has come, save what is listed as unknown or refused. */
function askedWereSent({ said, inbox, outbox, sent, groupsMayWait }: Evidence): string[] {
  const complaints: string[] = [];
  const words = new Set(outbox.map((row) => `${row.bot} ${row.chat} ${readAnswer(row.text)?.words}`));
  const worked = new Set(inbox.flatMap((row) => (row.state === done ? [`${row.bot} ${row.chat} ${row.text}`] : [])));
  for (const { bot, chat, text } of said) {
    if (!worked.has(`${bot} ${chat} ${text}`)) continue;
    for (const answer of answersTo(text)) {
      if (!words.has(`${bot} ${chat} ${answer}`))
        complaints.push(`"${answer}" in chat ${chat} of bot ${bot}: never asked for`);
    }
  }
  const came = acceptedOf(sent);
  for (const row of outbox) {
    const accepted = came.get(nameOf(row)) ?? [];
    if (row.state === unknown || row.state === refused || (groupsMayWait && row.chat < 0 && row.state !== done))
      continue;
    if (row.state !== done) complaints.push(`${shown(row)}: state ${row.state} at the end`);
    else if (!accepted.some((call) => call.messageId === row.messageId))
      complaints.push(`${shown(row)}: recorded as message ${row.messageId}, which Telegram does not know`);
  }
  return complaints;
}

/** A message came twice only where an answer was lost or its process died, and never a third time. */
function repeatsAreDoubtful({ sent, outbox }: Evidence): string[] {
  const rows = new Map(outbox.map((row) => [nameOf(row), row]));
  const complaints: string[] = [];
  for (const [name, calls] of acceptedOf(sent)) {
    const row = rows.get(name);
    if (calls.length > 2) complaints.push(`${name}: sent ${calls.length} times`);
    else if (calls.length === 2 && row !== undefined && row.doubts === 0)
      complaints.push(`${name}: sent twice, and its first result was known`);
  }
  return complaints;
}

/** Messages of a chat come in the order of the updates that caused them; repeats aside. */
function chatsAreInOrder({ said, sent }: Evidence): string[] {
  const due = new Map<string, number>();
  for (const [place, texts] of groupBy(said, ({ bot, chat }) => `${bot} ${chat}`)) {
    const answers = texts.flatMap(({ text }) => answersTo(text));
    for (const [index, answer] of answers.entries()) due.set(`${place} ${answer}`, index);
  }
  const complaints: string[] = [];
  const furthest = new Map<string, { index: number; text: string }>();
  const first = new Set<string>();
  for (const { bot, chat, text, accepted } of [...sent].sort((a, b) => a.at - b.at)) {
    const place = `${bot} ${chat}`;
    const index = due.get(`${place} ${readAnswer(text)?.words}`);
    if (!accepted || index === undefined || first.has(`${place} ${text}`)) continue;
    first.add(`${place} ${text}`);
    const before = furthest.get(place);
    if (before !== undefined && before.index > index)
      complaints.push(`chat ${place}: "${text}" came after "${before.text}"`);
    else furthest.set(place, { index, text });
  }
  return complaints;
}

const placeOf = ({ bot, chat }: { bot: number; chat: number }): string => `${bot} ${chat}`;
const nameOf = ({ bot, chat, text }: { bot: number; chat: number; text: string }): string => `${bot} ${chat} ${text}`;
const shown = (row: OutboxFact): string => `"${row.text}" in chat ${row.chat} of bot ${row.bot}`;

function acceptedOf(sent: readonly Sent[]): Map<string, Sent[]> {
  return groupBy(
    sent.filter((call) => call.accepted),
    nameOf,
  );
}

function groupBy<Value>(values: readonly Value[], name: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(name(value));
    if (group) group.push(value);
    else groups.set(name(value), [value]);
  }
  return groups;
}

function tally<Name>(names: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
