import { describe, expect, test } from 'vitest';
import { audit } from './audit.ts';
import type { Evidence, InboxFact, OutboxFact, Sent } from './evidence.ts';

const bot = 7;
const chat = 100;

const said = (count: number) => Array.from({ length: count }, (_, index) => ({ bot, chat, text: `m ${index + 1}` }));
const text = (number: number): string => `#${number} m ${number}`;
const received = (number: number, more: Partial<InboxFact> = {}): InboxFact => ({
  bot,
  key: String(number),
  chat,
  text: `m ${number}`,
  press: null,
  state: 2,
  attempts: 0,
  ...more,
});
const asked = (number: number, more: Partial<OutboxFact> = {}): OutboxFact => ({
  bot,
  key: `${number}/say`,
  id: number,
  chat,
  text: text(number),
  state: 2,
  doubts: 0,
  messageId: number,
  ...more,
});
const came = (number: number, more: Partial<Sent> = {}): Sent => ({
  bot,
  chat,
  text: text(number),
  at: number * 2_000,
  accepted: true,
  messageId: number,
  limit: null,
  ...more,
});

/** Two texts, each answered once and in order. */
function clean(): Evidence {
  return {
    said: said(2),
    delivered: [1, 2].map((updateId) => ({ bot, updateId, kind: 'message' })),
    expired: 0,
    sent: [came(1), came(2)],
    inbox: [received(1), received(2)],
    outbox: [asked(1), asked(2)],
    seen: new Map([[`${bot} ${chat}`, 2]]),
    all: new Map([[bot, 2]]),
    stalls: [],
    groupsMayWait: false,
  };
}

/** One button is pressed twice, and the flow says these things. */
function pressTwice(evidence: Evidence, answers: readonly string[]): void {
  for (const key of ['8', '9']) evidence.inbox.push(received(0, { key, text: null, press: 'token' }));
  for (const [index, words] of answers.entries()) {
    evidence.outbox.push(asked(8 + index, { text: words, messageId: 8 + index }));
    evidence.sent.push(came(8 + index, { text: words, at: 20_000 + 2_000 * index }));
  }
}

const rulesBroken = (evidence: Evidence): string[] => [...new Set(audit(evidence).map(({ rule }) => rule))];

test('a run in which all is well has nothing to complain of', () => {
  expect(audit(clean())).toEqual([]);
});

describe('the auditor finds', () => {
  test.each<[string, (evidence: Evidence) => void, string]>([
    [
      'an update that was answered with 200 and is not there',
      (e) => e.delivered.push({ bot, updateId: 9, kind: 'message' }),
      'stored',
    ],
    ['an update that Telegram gave up', (e) => void (e.expired = 1), 'stored'],
    ['an update that is still pending', (e) => void (e.inbox[1] = received(2, { state: 0 })), 'processed'],
    ['a dead letter that is no poison', (e) => void (e.inbox[1] = received(2, { state: 3, attempts: 5 })), 'processed'],
    ['an update that was counted twice', (e) => void e.all.set(bot, 3), 'once'],
    ['a person who was counted once too often', (e) => void e.seen.set(`${bot} ${chat}`, 3), 'once'],
    ['a count that was lost', (e) => void (e.outbox[1] = asked(2, { text: '#1 m 2' })), 'once'],
    ['a button that worked twice', (e) => pressTwice(e, ['pressed 1', 'pressed 2']), 'presses'],
    ['a button that did not work', (e) => pressTwice(e, []), 'presses'],
    ['a message that nobody asked for', (e) => e.sent.push(came(3, { at: 9_000 })), 'asked'],
    ['an answer that no turn asked for', (e) => [e.outbox, e.sent].forEach((list) => void list.pop()), 'complete'],
    ['a message that never came', (e) => void e.sent.pop(), 'complete'],
    ['a message left as being sent', (e) => void (e.outbox[1] = asked(2, { state: 1 })), 'complete'],
    ['a number that Telegram does not know', (e) => void (e.outbox[1] = asked(2, { messageId: 77 })), 'complete'],
    ['a repeat without a doubt', (e) => e.sent.push(came(2, { at: 9_000 })), 'repeats'],
    ['an answer before an earlier one', (e) => void (e.sent = [came(2), came(1, { at: 9_000 })]), 'order'],
    [
      'a refusal for a limit',
      (e) =>
        e.sent.push(
          ...[1, 2, 3, 4].map((n) => came(2, { at: 9_000 + n, accepted: n < 4, limit: n < 4 ? null : 'chat' })),
        ),
      'limits',
    ],
  ])('%s', (_what, spoil, rule) => {
    const evidence = clean();
    spoil(evidence);
    expect(rulesBroken(evidence)).toContain(rule);
  });

  test('a third sending, also of a doubtful message', () => {
    const evidence = clean();
    evidence.outbox[1] = asked(2, { doubts: 2, state: 4 });
    evidence.sent.push(came(2, { at: 9_000 }));
    expect(audit(evidence)).toEqual([]);
    evidence.sent.push(came(2, { at: 20_000 }));
    expect(rulesBroken(evidence)).toEqual(['repeats']);
  });

  test('31 messages of a bot within a second, 21 of a group within a minute', () => {
    const stream = (count: number, chats: number, spanMs: number): Evidence => ({
      ...clean(),
      said: [],
      outbox: [],
      sent: Array.from({ length: count }, (_, index) =>
        came(1, { chat: chats * (1 + (chats > 0 ? index : 0)), at: 5_000 + (index * spanMs) / count }),
      ),
    });
    expect(rulesBroken(stream(31, 1, 990))).toContain('limits');
    expect(rulesBroken(stream(30, 1, 990))).not.toContain('limits');
    expect(rulesBroken(stream(21, -1, 59_000))).toContain('limits');
    expect(rulesBroken(stream(20, -1, 59_000))).not.toContain('limits');
  });
});

describe('the auditor lets pass', () => {
  test('a button that was pressed twice and worked once', () => {
    const evidence = clean();
    pressTwice(evidence, ['pressed 1']);
    expect(audit(evidence)).toEqual([]);
  });

  test('one repeat of a message whose answer was lost', () => {
    const evidence = clean();
    evidence.outbox[1] = asked(2, { doubts: 1 });
    evidence.sent.push(came(2, { at: 9_000 }));
    expect(audit(evidence)).toEqual([]);
  });

  test('a message that is listed as unknown and never came', () => {
    const evidence = clean();
    evidence.outbox[1] = asked(2, { doubts: 2, state: 4, messageId: null });
    evidence.sent.pop();
    expect(audit(evidence)).toEqual([]);
  });

  test('a refusal right after Telegram itself stood still, where all may have come in time', () => {
    const evidence = clean();
    evidence.outbox.push(asked(3));
    evidence.sent = [1, 2, 3].map((number) => came(number === 3 ? 2 : number, { at: 5_000, text: text(1) }));
    evidence.sent.push(came(2, { at: 5_500, accepted: false, limit: 'chat' }));
    expect(audit(evidence, ['limits'])).toHaveLength(1);
    evidence.stalls = [{ endedMs: 4_999, ms: 600 }];
    expect(audit(evidence, ['limits'])).toEqual([]);
    // Half a second earlier would not have been enough; it was catching up with what came in the stall before.
    evidence.stalls = [{ endedMs: 4_999, ms: 490 }];
    expect(audit(evidence, ['limits'])).toHaveLength(1);
    evidence.stalls = [{ endedMs: 4_500, ms: 500 }, ...evidence.stalls];
    expect(audit(evidence, ['limits'])).toEqual([]);
  });
});
