import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FLOW_LIMITS, TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import { blocked, callResult, emptyState, message, press, say, submitted, timer } from './fixtures.ts';
import type { CompiledRelease, Effect, FlowDocument, FlowEvent, FlowState, StepResult, TableAnswer } from './flow.ts';
import { checkDocument, compile, conversationKey, parseDocument, step, toEvents } from './flow.ts';
import { anyDocument, anyDoings, type Doing } from './harness.ts';
import { utf8Bytes } from './values.ts';

const examples = ['lead-form', 'quiz', 'support-menu'].map((name): FlowDocument => {
  const parsed = parseDocument(
    JSON.parse(readFileSync(new URL(`../../../examples/${name}/flow.json`, import.meta.url), 'utf8')),
  );
  if (!parsed.ok) throw new Error(name);
  return parsed.document;
});

/** The event of something somebody does, as it fits the present state. */
function eventOf(doing: Doing, state: FlowState): FlowEvent {
  const wait = state.conversation?.wait;
  switch (doing.what) {
    case 'say':
      return say(doing.words);
    case 'press':
      return press(doing.block, doing.button, { use: doing.use });
    case 'timer':
      return timer(wait?.timer ?? 'none');
    case 'staleTimer':
      return timer('stale');
    case 'photo':
      return message({ photo: [{ file_id: 'F', width: 1, height: 1 }], caption: 'c' });
    case 'contact':
      return message({ contact: { phone_number: '+79001234567', first_name: 'A', user_id: 77 } });
    case 'leave':
      return toEvents(
        {
          my_chat_member: {
            chat: { id: 77, type: 'private' },
            from: { id: 77 },
            old_chat_member: { status: 'member' },
            new_chat_member: { status: 'kicked' },
          },
        },
        { key: 'leave', atMs: 1 },
      );
    case 'answer':
      return callResult(wait?.call ?? 'none', doing.ok, doing.ok ? { status: doing.status } : 'refused');
    case 'blocked':
      return blocked(doing.block);
    case 'submit':
      return submitted({ form: 'lead', values: { name: 'Anna', age: '7', tags: ['a'] } }, doing.visitor);
  }
}

const ANSWERS: readonly TableAnswer[] = [
  { ok: true, row: { id: 1, title: 'Honey' }, count: 2 },
  { ok: true, row: null, count: 0 },
  { ok: false, reason: 'there is no such table' },
];

/** Runs a step to its end, its tables answering in turn; judges it, and gives what it came to. */
function runStep(release: CompiledRelease, before: FlowState, event: FlowEvent, random: number): StepResult {
  const answers: TableAnswer[] = [];
  for (;;) {
    const result = step(release, before, { ...event, random }, release, answers);
    if (!result.asks) {
      judge(release, before, event, random, result, answers);
      return result;
    }
    expect([result.state === before, result.effects]).toEqual([true, []]);
    answers.push(ANSWERS[answers.length % ANSWERS.length] as TableAnswer);
  }
}

/** What must hold after any turn. */
function judge(
  release: CompiledRelease,
  before: FlowState,
  event: FlowEvent,
  random: number,
  result: StepResult,
  answers: readonly TableAnswer[],
): void {
  const same = JSON.parse(JSON.stringify(before)) as FlowState;
  const again = step(release, same, { ...structuredClone(event), random }, release, answers);
  expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(result)));
  if (result.outcome === 'fault')
    expect(result.trace.some((entry) => entry.what === 'fault' && entry.note?.startsWith('more than'))).toBe(true);
  judgeState(release, before, result);
  const keys = result.effects.map((effect) => effect.key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeLessThanOrEqual(FLOW_LIMITS.effectsPerTurn + 7);
  expect(result.trace.length).toBeLessThanOrEqual(FLOW_LIMITS.traceEntries);
  for (const effect of result.effects) judgeEffect(effect);
}

function judgeState(release: CompiledRelease, before: FlowState, { state, changed }: StepResult): void {
  const { conversation } = state;
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  expect(utf8Bytes(JSON.stringify(conversation))).toBeLessThanOrEqual(FLOW_LIMITS.conversationBytes);
  for (const { vars } of [state.contact, state.bot])
    expect(utf8Bytes(JSON.stringify(vars))).toBeLessThanOrEqual(FLOW_LIMITS.contactVarsBytes);
  if (conversation?.wait) {
    expect(conversation.release).toBe(release.number);
    expect(['input', 'wait', 'membership']).toContain(release.blocks.get(conversation.wait.block)?.type);
  } else if (conversation) expect(conversation).toMatchObject({ release: 0, stack: [] });
  for (const part of ['conversation', 'contact', 'bot'] as const) {
    const same = JSON.stringify(sorted(before[part])) === JSON.stringify(sorted(state[part]));
    expect([part, changed[part]]).toEqual([part, !same]);
    if (!changed[part]) expect(state[part]).toBe(before[part]);
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

/** Nothing that Telegram would refuse. */
function judgeEffect(effect: Effect): void {
  expect(JSON.stringify(effect).isWellFormed()).toBe(true);
  if (effect.type === 'timer') expect(effect.delayMs).toBeGreaterThan(0);
  if (effect.type === 'answerButton' && effect.text !== undefined)
    expect(effect.text.length).toBeLessThanOrEqual(TELEGRAM_LIMITS.callbackAnswerChars);
  if (effect.type !== 'send' && effect.type !== 'edit') return;
  const { params } = effect;
  const words: [string | undefined, number, readonly { offset: number; length: number }[]][] = [
    [params.text, TELEGRAM_LIMITS.textChars, params.entities ?? []],
    [params.caption, TELEGRAM_LIMITS.captionChars, params.caption_entities ?? []],
    ...(params.media ?? []).map((item): [string | undefined, number, readonly { offset: number; length: number }[]] => [
      item.caption,
      TELEGRAM_LIMITS.captionChars,
      item.caption_entities ?? [],
    ]),
  ];
  for (const [text, max, entities] of words) {
    if (text === undefined) continue;
    expect(text.trim().length).toBeGreaterThan(0);
    expect(text.length).toBeLessThanOrEqual(max);
    expect(text).not.toContain('\0');
    for (const { offset, length } of entities) {
      expect(length).toBeGreaterThan(0);
      expect(offset + length).toBeLessThanOrEqual(text.length);
    }
  }
  if (params.media) {
    expect(params.media.length).toBeGreaterThanOrEqual(TELEGRAM_LIMITS.albumItemsMin);
    expect(params.media.length).toBeLessThanOrEqual(TELEGRAM_LIMITS.albumItemsMax);
    expect(params.reply_markup).toBeUndefined();
  }
  judgeMarkup(effect);
}

function judgeMarkup({ type, params: { reply_markup: markup } }: Extract<Effect, { type: 'send' | 'edit' }>): void {
  if (!markup || 'remove_keyboard' in markup || 'force_reply' in markup) return;
  const rows: readonly (readonly { readonly text: string }[])[] =
    'keyboard' in markup ? markup.keyboard : markup.inline_keyboard;
  if (type === 'send') expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row.length).toBeGreaterThan(0);
    for (const button of row) expect(button.text.length).toBeGreaterThan(0);
  }
}

function converse(document: FlowDocument, doings: readonly Doing[], random: number): void {
  const release = compile(document, { number: 3, hash: 'h' });
  let state = emptyState;
  for (const doing of doings) {
    const event = eventOf(doing, state);
    conversationKey(release, event);
    state = runStep(release, state, event, random).state;
  }
}

const RUNS = Number(process.env['FLOW_RUNS'] ?? 150);
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('any document lives through anything that people and Telegram do', () => {
  fc.assert(fc.property(anyDocument, anyDoings, chance, converse), { numRuns: RUNS });
}, 300_000);

test('the checks judge any document without failing', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      for (const fault of checkDocument(document)) expect(fault.message.length).toBeGreaterThan(0);
    }),
    { numRuns: RUNS },
  );
}, 300_000);

test('the examples live through anything too', () => {
  fc.assert(fc.property(fc.constantFrom(...examples), anyDoings, chance, converse), { numRuns: RUNS });
}, 300_000);

const fixtures = new URL('../../../test/fixtures/updates/', import.meta.url);
const updates = readdirSync(fixtures).map((name): unknown => JSON.parse(readFileSync(new URL(name, fixtures), 'utf8')));

test('any document lives through every update of Telegram', () => {
  fc.assert(
    fc.property(anyDocument, chance, (document, random) => {
      const release = compile(document, { number: 3, hash: 'h' });
      for (const [index, update] of updates.entries()) {
        const event = toEvents(update, { key: `f${index}`, atMs: 1_796_040_000_000 });
        runStep(release, emptyState, event, random);
      }
    }),
    { numRuns: Math.ceil(RUNS / 10) },
  );
}, 300_000);
