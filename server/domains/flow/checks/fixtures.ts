// What the tests of single props act in: a document with a bit of everything, and all that somebody can do to it.

import { expect } from 'vitest';
import {
  callResult,
  emptyState,
  type makeDocument,
  message,
  press,
  release,
  say,
  startDocument,
  submitted,
} from '../fixtures.ts';
import { buttonInfo, checkDocument, type FlowEvent, type FlowState, step, toEvents } from '../flow.ts';

export type Parts = { readonly [field: string]: unknown };
export type Document = ReturnType<typeof makeDocument>;

const file = (kind: string): Parts => ({ kind, sha256: 'b'.repeat(64), name: 'f' });
const page = (root: string, path: string): Parts => ({ path, title: 'hi', root });
/** What every document of these tests has. */
export const SCENE: Parts = {
  locales: ['en', 'ru'],
  media: { p: file('photo'), p2: file('photo') },
  texts: {
    hi: { en: ['Hi ', { text: 'x', link: 'https://a.example' }], ru: 'Привет' },
    ho: 'Ho',
    url: 'https://a.example',
    url2: 'https://b.example',
  },
  variables: {
    t: { type: 'text', scope: 'contact' },
    o: { type: 'text', scope: 'contact' },
    n: { type: 'number', scope: 'contact' },
    f: { type: 'file', scope: 'contact' },
    d: { type: 'date', scope: 'contact', default: '2026-12-31' },
    b: { type: 'bool', scope: 'contact', default: true },
  },
  tables: { goods: { columns: { title: { type: 'text' } } }, other: { columns: { title: { type: 'text' } } } },
  app: {
    start: 'one',
    pages: { one: page('a', '/'), two: page('b', '/two') },
    elements: { a: { type: 'text', props: { text: 'hi' } }, b: { type: 'form', props: { form: 'f' } } },
    texts: { hi: { en: 'Hi' } },
    forms: { f: { fields: { x: { type: 'text', label: 'hi' } }, order: ['x'], submit: 'hi', done: 'hi' } },
  },
};
const GROUP = { id: -5, type: 'group', title: 'G' };

const PERSON = { id: 77, is_bot: false, first_name: 'Ann', language_code: 'en' };
const member = (before: string, after: string): FlowEvent =>
  toEvents(
    {
      update_id: 1,
      my_chat_member: {
        chat: { id: 77, type: 'private', first_name: 'Ann' },
        from: PERSON,
        date: 1,
        old_chat_member: { user: { id: 1, is_bot: true, first_name: 'B' }, status: before },
        new_chat_member: { user: { id: 1, is_bot: true, first_name: 'B' }, status: after },
      },
    },
    { key: 'u0', atMs: 0 },
  );

/** What somebody does to it, from many sides: each that a prop can speak of. */
const EVENTS: readonly (() => FlowEvent)[] = [
  () => say('/start'),
  () => say('/start ref_12'),
  () => say('/start ref_12 more'),
  () => say('/go x'),
  () => say('go'),
  () => say('ago'),
  () => say('5.5'),
  () => say('1'),
  () => say('2'),
  () => say('/go x', GROUP),
  () => press('hi', 'c'),
  () => press('hi', 'b'),
  () => press('hi', 'b', { use: 'foreign', data: 'token' }),
  () => press('hi', 'b', { use: 'foreign', data: 'token5' }),
  () => message({ photo: [{ file_id: 'F', file_unique_id: 'f', width: 1, height: 1, file_size: 3_000_000 }] }),
  () => message({ contact: { phone_number: '79001234567', first_name: 'B', user_id: 9 } }),
  () => submitted({ form: 'f', number: 1, values: { x: 'v' } }),
  () => callResult('gone', true, {}),
  () => member('member', 'kicked'),
  () => member('kicked', 'member'),
];

/** What comes of each, from rest and after `/start`. */
function outcome(document: Document): string {
  const made = release(document);
  const conversation = {
    release: 0,
    wait: null,
    stack: [],
    vars: {},
    refs: { r: { key: 'k', media: false } },
    keyboard: '',
  };
  const state: FlowState = {
    conversation,
    contact: { ...emptyState.contact, tags: ['old'] },
    bot: { vars: {}, username: 'b_bot', app: { address: 'https://apps.example/a/x' } },
  };
  const keyless = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(/u\d+/g, 'u'));
  return JSON.stringify([
    buttonInfo(made, 'hi', 'b'),
    ...EVENTS.map((event) => {
      let present = state;
      return [say('/start'), event(), event(), event()].map((one) => {
        const asked = step(made, present, { ...one, random: 0.7 });
        const row = { id: 3, title: 'Row' };
        const answers = [{ ok: true as const, row, count: 4 }];
        const result = asked.asks ? step(made, present, { ...one, random: 0.7 }, made, answers) : asked;
        present = result.state;
        const { conversation: talk, contact, bot } = present;
        return keyless([result.effects, asked.asks, talk, contact, bot.vars]);
      });
    }),
  ]);
}

/** A change of a document changes what comes of it, or is refused (`warned`: or named) with a place that begins so. */
export function expectActs(without: Document, given: Document, at: string, warned = false): void {
  if (outcome(without) !== outcome(given)) return;
  const refused = checkDocument(given).filter(
    ({ severity, path }) => (severity === 'stops' || warned) && path.startsWith(at),
  );
  expect(refused.length, `${at} changes nothing and is not refused`).toBeGreaterThan(0);
}

const EXITS: { readonly [type: string]: Parts } = {
  message: { b: 'other' },
  page: { b: 'other' },
  edit: { b: 'other' },
  input: { timeout: 'other', invalid: 'other' },
  jump: { to: 'other' },
  subflow: { call: 'other' },
  table: { none: 'other' },
  membership: { stranger: 'other' },
};

/** The props of a block where nothing else is said. */
export const BASE: { readonly [type: string]: Parts } = {
  message: { text: 'hi' },
  page: { page: 'one' },
  edit: { target: { ref: 'r' }, text: 'hi' },
  delete: { target: { ref: 'r' } },
  answer: { text: 'hi' },
  input: { kind: 'text', text: 'hi' },
  condition: { branches: [{ id: 'a', when: { var: 't', op: 'isSet' } }] },
  set: { set: [{ into: 't', value: 'x' }] },
  random: {
    branches: [
      { id: 'a', weight: 1 },
      { id: 'b', weight: 1 },
    ],
  },
  wait: { for: 'PT1M' },
  tag: {},
  notify: { to: [{ chat: 5 }], text: 'hi' },
  membership: { chat: '@garden' },
  table: { do: 'find', table: 'goods' },
};
/** A document whose /start runs one block, with places to go from it. */
export const block = (type: string, props: Parts): Document =>
  startDocument(
    {
      hi: {
        type,
        props,
        exits: { ...EXITS[type], ...(type === 'condition' || type === 'random' ? { a: 'other' } : {}) },
      },
    },
    {
      ...SCENE,
      triggers: { p: { type: 'button', props: { data: 'token' }, to: 'main' } },
      cards: { other: { blocks: ['ho'] } },
      blocks: { ho: { type: 'message', props: { text: 'ho' } } },
    },
  );
