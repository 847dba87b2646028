import { describe, expect, test } from 'vitest';
import { startDocument } from './fixtures.ts';
import { runScripts } from './script.ts';
import { parsePause, parseScripts } from './script-lines.ts';

const document = startDocument(
  {
    q: {
      type: 'input',
      props: { kind: 'phone', into: 'phone', text: 'ask', timeout: 'PT10M' },
      exits: { timeout: 'nudge' },
    },
    ok: { type: 'message', props: { text: 'ok', buttons: [[{ id: 'b', label: 'again' }]] }, exits: { b: 'main' } },
  },
  {
    variables: { phone: { type: 'phone', scope: 'contact' } },
    cards: { nudge: { blocks: ['n'] } },
    blocks: { n: { type: 'message', props: { text: 'nudge' } } },
    texts: { ask: 'Your phone?', ok: ['Thanks:\n', { var: 'phone' }], nudge: 'Still there?', again: 'Again' },
  },
);
const failures = (source: string) => runScripts(document, source).failures;

const GOOD = `
user: /start
bot:  Your phone?
user: +1 202 555 0100
bot:  Thanks:
      | +12025550100   [Again]
knows: phone = +12025550100
user: taps Again
bot:  Your phone?
state: waits
wait: 9m 59s
bot:  (silence)
wait: 1s
bot:  Still there?
state: empty
`;

test('a chat that goes as written passes', () => {
  expect(runScripts(document, GOOD)).toEqual({ scripts: 1, lines: 13, failures: [] });
});

describe('a chat that does not is told by its line', () => {
  test.each([
    ['other words', 'user: /start\nbot: Your name?', { line: 2, expected: 'bot: Your name?', got: 'bot: Your phone?' }],
    ['words too many', 'user: /start\nuser: hm', { line: 2, expected: 'user: hm', got: 'bot: Your phone?' }],
    ['words at the end', 'user: /start', { line: 1, expected: 'the end', got: 'bot: Your phone?' }],
    ['silence', 'user: hello\nbot: Hi', { line: 2, expected: 'bot: Hi', got: '(silence)' }],
    [
      'no such button',
      'user: taps Nothing',
      { line: 1, expected: 'user: taps Nothing', got: 'there is no button "Nothing" to press' },
    ],
    ['another value', 'knows: phone = 1', { line: 1, expected: 'phone = 1', got: 'phone = ' }],
    ['another state', 'state: waits', { line: 1, expected: 'state: waits', got: 'empty' }],
  ])('%s', (_name, source, failure) => expect(failures(source)).toMatchObject([failure]));
});

test('scripts of one file are apart', () => {
  expect(
    parseScripts('=== one\nuser: a\n# no\n=== two ===\nuser: b').map((script) => [
      script.title,
      script.lines.map((line) => line.text),
    ]),
  ).toEqual([
    ['one', ['a']],
    ['two', ['b']],
  ]);
  expect(failures('=== one\nuser: /start\nbot: Your phone?\n=== two\nstate: empty')).toEqual([]);
});

test('a line that is none is refused', () => {
  expect(() => parseScripts('hello')).toThrow('line 1');
  expect(parsePause('1d 2h 3m 4s')).toBe(93_784_000);
  expect(() => parsePause('soon')).toThrow('span of time');
});

test('tables and forms of the app are part of a chat', () => {
  const document = startDocument(
    {
      find: {
        type: 'table',
        props: {
          do: 'find',
          table: 'goods',
          where: [{ field: 'price', under: 6 }],
          sort: 'price',
          into: { title: 'name' },
          count: 'many',
        },
        exits: { none: 'nothing' },
      },
      say: { type: 'message', props: { text: 'found' } },
    },
    {
      variables: {
        name: { type: 'text', scope: 'conversation' },
        many: { type: 'number', scope: 'conversation' },
      },
      tables: {
        goods: {
          columns: { title: { type: 'text', unique: true }, price: { type: 'money' } },
          rows: [
            { title: 'Honey', price: 5 },
            { title: 'Jam', price: 3 },
          ],
        },
      },
      app: {
        start: 'home',
        pages: { home: { path: '/', title: 't', root: 'e' } },
        elements: { e: { type: 'form', props: { form: 'add' } } },
        texts: { t: { en: 'T' } },
        forms: { add: { fields: { title: { type: 'text', label: 't' } }, order: ['title'], submit: 't', done: 't' } },
      },
      triggers: {
        add: { type: 'app', props: { form: 'add', into: { title: 'name' } }, to: 'add' },
        dear: { type: 'command', props: { command: 'dear' }, to: 'dear' },
        sell: { type: 'command', props: { command: 'sell' }, to: 'sell' },
      },
      cards: {
        nothing: { blocks: ['none'] },
        add: { blocks: ['put', 'added'] },
        dear: { blocks: ['raise'] },
        sell: { blocks: ['take', 'say2'] },
        twice: { blocks: ['known'] },
      },
      blocks: {
        none: { type: 'message', props: { text: 'none' } },
        put: {
          type: 'table',
          props: { do: 'insert', table: 'goods', set: { title: { var: 'name' }, price: 1 } },
          exits: { error: 'twice' },
        },
        added: { type: 'message', props: { text: 'added' } },
        known: { type: 'message', props: { text: 'known' } },
        raise: { type: 'table', props: { do: 'update', table: 'goods', set: { price: 9 } }, exits: { next: 'main' } },
        take: {
          type: 'table',
          props: { do: 'delete', table: 'goods', where: [{ field: 'title', contains: 'hon' }], count: 'many' },
        },
        say2: { type: 'message', props: { text: 'sold' } },
      },
      texts: {
        found: [{ var: 'name' }, ' of ', { var: 'many' }],
        none: 'None',
        added: ['Added, no. ', { var: 'event.number' }],
        known: 'Known',
        sold: ['sold ', { var: 'many' }],
      },
    },
  );
  const report = runScripts(
    document,
    [
      '=== one chat',
      'user: /start',
      'bot: Jam of 2',
      'user: submits add {"title": "Tea"}',
      'bot: Added, no. 1',
      'user: submits add {"title": "Tea"}',
      'bot: Known',
      'user: /start',
      'bot: Tea of 3',
      'user: /dear',
      'bot: None',
      'user: /sell',
      'bot: sold 1',
      '=== the next begins anew',
      'user: /start',
      'bot: Jam of 2',
    ].join('\n'),
  );
  expect(report).toMatchObject({ scripts: 2, failures: [] });
});
