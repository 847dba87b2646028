// Small documents and events for the tests of this domain.

import type {
  CompiledRelease,
  Effect,
  EventPress,
  FlowDocument,
  FlowEvent,
  FlowState,
  IncomingEvent,
  StepResult,
} from './flow.ts';
import { compile, parseDocument, step, toEvents } from './flow.ts';

type Parts = { readonly [field: string]: unknown };

/** A document out of parts, all of it valid: it throws with the faults otherwise. Texts may be plain strings in English. */
export function makeDocument(parts: Parts): FlowDocument {
  const texts = Object.fromEntries(
    Object.entries((parts['texts'] ?? {}) as Parts).map(([key, text]) => [
      key,
      typeof text === 'string' || Array.isArray(text) ? { en: text } : text,
    ]),
  );
  const whole = {
    roost: 1,
    locales: ['en'],
    defaultLocale: 'en',
    triggers: {},
    cards: {},
    blocks: {},
    ...parts,
    texts,
  };
  const parsed = parseDocument(whole);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults, null, 1));
  return parsed.document;
}

/** A document whose `/start` runs the blocks given, one after another, in the card `main`. */
export function startDocument(blocks: Parts, more: Parts = {}): FlowDocument {
  const {
    cards = {},
    triggers = {},
    blocks: others = {},
    inMain = Object.keys(blocks),
    ...rest
  } = more as { readonly [field: string]: object };
  return makeDocument({
    triggers: { start: { type: 'command', props: { command: 'start' }, to: 'main' }, ...triggers },
    cards: { main: { blocks: inMain }, ...cards },
    blocks: { ...blocks, ...others },
    ...rest,
  });
}

export const release = (document: FlowDocument, number = 1): CompiledRelease =>
  compile(document, { number, hash: `hash-${number}` });

/** `/start` says Hello with two buttons, of which one works again and again; both tell the same. */
export const hello = release(
  startDocument(
    {
      hello: {
        type: 'message',
        props: {
          text: 'hello',
          buttons: [
            [
              { id: 'more', label: 'more', repeats: true },
              { id: 'once', label: 'once' },
            ],
          ],
        },
        exits: { more: 'tell', once: 'tell' },
      },
    },
    {
      cards: { tell: { blocks: ['told'] } },
      blocks: { told: { type: 'message', props: { text: 'told' } } },
      texts: { hello: 'Hello', more: 'More', once: 'Once', told: 'That is all' },
    },
  ),
);

export const emptyState: FlowState = {
  conversation: null,
  contact: { vars: {}, tags: [], locale: null, id: 77 },
  bot: { vars: {} },
};

let updates = 0;
const nextKey = (): string => `u${(updates += 1)}`;
const AT_MS = Date.UTC(2026, 10, 30, 9, 0, 0);
const PERSON = { id: 77, is_bot: false, first_name: 'Ann', language_code: 'en' };
const HOME = { id: 77, type: 'private', first_name: 'Ann' };

/** Any message of the person in her private chat, or in another chat. */
export function message(content: Parts, chat: Parts = HOME): IncomingEvent {
  return toEvents(
    { update_id: 1, message: { message_id: 9, date: 1, from: PERSON, chat, ...content } },
    { key: nextKey(), atMs: AT_MS },
  );
}

export const say = (text: string, chat: Parts = HOME): IncomingEvent => message({ text }, chat);

export function press(block: string, button: string, more: Partial<EventPress> = {}, query: Parts = {}): IncomingEvent {
  const event = toEvents(
    {
      update_id: 1,
      callback_query: {
        id: 'q1',
        from: PERSON,
        data: 'token',
        message: { message_id: 5, date: 1, chat: HOME },
        ...query,
      },
    },
    { key: nextKey(), atMs: AT_MS },
  );
  return { ...event, press: { id: 'q1', data: 'token', block, button, use: 'first', ...more } };
}

/** What a visitor of the app has sent; 77 is the person who writes, a number below -2^52 a visitor of the site. */
export function submitted(content: Parts, visitor = 77): IncomingEvent {
  const who = visitor > 0 ? { id: visitor, firstName: 'Анна', languageCode: 'ru' } : { id: visitor };
  const key = `app:${nextKey()}`;
  return toEvents({ roost: { kind: 'app', visitor: who, ...content } }, { key, atMs: AT_MS });
}

const conversation = { chatId: 77, threadId: 0, userId: 0 };

export const timer = (id: string): FlowEvent => ({ kind: 'timer', id, key: nextKey(), atMs: AT_MS, conversation });
export const callResult = (id: string, ok: boolean, result: unknown): FlowEvent => ({
  kind: 'callResult',
  id,
  ok,
  ...(ok ? { result } : { error: String(result) }),
  key: nextKey(),
  atMs: AT_MS,
  conversation,
});
export const blocked = (block: string): FlowEvent => ({
  kind: 'blocked',
  block,
  key: nextKey(),
  atMs: AT_MS,
  conversation,
});

/** Runs events one after another; gives every result. */
export function run(
  one: CompiledRelease,
  events: readonly FlowEvent[],
  state: FlowState = emptyState,
  random = 0.5,
): StepResult[] {
  const results: StepResult[] = [];
  let present = state;
  for (const event of events) {
    const result = step(one, present, { ...event, random });
    present = result.state;
    results.push(result);
  }
  return results;
}

/** Runs events and gives the last result. */
export function runLast(
  one: CompiledRelease,
  events: readonly FlowEvent[],
  state: FlowState = emptyState,
  random = 0.5,
): StepResult {
  const last = run(one, events, state, random).at(-1);
  if (!last) throw new Error('no events');
  return last;
}

/** What a result says to its own chat, in words. */
export function said(result: StepResult): string[] {
  return result.effects.flatMap((effect) =>
    effect.type === 'send' && effect.chat === 'here'
      ? [effect.params.text ?? effect.params.caption ?? `<${effect.method}>`]
      : [],
  );
}

export function effectsOf<Type extends Effect['type']>(
  result: StepResult,
  type: Type,
): Extract<Effect, { type: Type }>[] {
  return result.effects.filter((effect): effect is Extract<Effect, { type: Type }> => effect.type === type);
}
