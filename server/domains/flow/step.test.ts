import { describe, expect, test } from 'vitest';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import { blocked, emptyState, hello, press, release, runLast, said, say, startDocument } from './fixtures.ts';
import { step, toEvents } from './flow.ts';

describe('a simple menu', () => {
  test('answers and remembers nothing, so nothing is written', () => {
    for (const event of [say('/start'), press('hello', 'more'), say('what?')]) {
      const result = step(hello, emptyState, { ...event, random: 0 });
      expect(result.changed).toEqual({ conversation: false, contact: false, bot: false });
      expect(result.state).toBe(emptyState);
    }
  });

  test('keeps a state that is there but empty', () => {
    const conversation = { release: 0, wait: null, stack: [], vars: {}, refs: {}, keyboard: '' };
    const state = { ...emptyState, conversation };
    expect(step(hello, state, { ...say('/start'), random: 0 }).state).toBe(state);
  });

  test('says what nobody wanted', () => {
    const result = runLast(hello, [say('what?')]);
    expect(result).toMatchObject({ outcome: 'ignored', effects: [], trace: [{ what: 'ignored' }] });
  });
});

describe('the end', () => {
  const own = release(
    startDocument(
      {
        s: {
          type: 'set',
          props: {
            set: [
              { into: 'n', value: 1 },
              { into: 'kept', value: 2 },
            ],
          },
        },
        m: { type: 'message', props: { text: 'm', ref: 'first' } },
        e: { type: 'end', props: {} },
        never: { type: 'message', props: { text: 'm' } },
      },
      {
        variables: { n: { type: 'number', scope: 'conversation' }, kept: { type: 'number', scope: 'contact' } },
        texts: { m: 'M', bye: 'Bye' },
        defaults: { ended: 'bye' },
        cards: { bye: { blocks: ['b', 'e2'] } },
        blocks: { b: { type: 'message', props: { text: 'bye' } }, e2: { type: 'end', props: {} } },
      },
    ),
  );

  test('forgets the conversation, keeps the contact and says goodbye once', () => {
    const result = runLast(own, [say('/start')]);
    expect(said(result)).toEqual(['M', 'Bye']);
    expect(result.state).toMatchObject({ conversation: null, contact: { vars: { kept: 2 } } });
    expect(result.changed).toEqual({ conversation: false, contact: true, bot: false });
    expect(runLast(own, [say('/start')], result.state).changed.contact).toBe(false);
  });
});

test('a message that cannot be delivered takes its exit, if there is one', () => {
  const own = release(
    startDocument(
      { m: { type: 'message', props: { text: 'm' }, exits: { blocked: 'gone' } } },
      {
        cards: { gone: { blocks: ['t'] } },
        blocks: { t: { type: 'tag', props: { add: ['gone'] } } },
        texts: { m: 'M' },
      },
    ),
  );
  expect(runLast(own, [blocked('m')]).state.contact.tags).toEqual(['gone']);
  expect(runLast(own, [blocked('t')]).outcome).toBe('ignored');
});

test('chance comes in with the event and falls in the shares given', () => {
  const own = release(
    startDocument(
      {
        r: {
          type: 'random',
          props: {
            branches: [
              { id: 'a', weight: 1 },
              { id: 'b', weight: 3 },
            ],
          },
          exits: { a: 'ca', b: 'cb' },
        },
      },
      {
        cards: { ca: { blocks: ['ma'] }, cb: { blocks: ['mb'] } },
        blocks: { ma: { type: 'message', props: { text: 'a' } }, mb: { type: 'message', props: { text: 'b' } } },
        texts: { a: 'A', b: 'B' },
      },
    ),
  );
  const counts = { A: 0, B: 0 };
  for (let seed = 0; seed < 4_000; seed += 1)
    counts[said(runLast(own, [say('/start')], emptyState, seed / 4_000))[0] as 'A' | 'B'] += 1;
  expect(counts.A / 4_000).toBeGreaterThan(0.23);
  expect(counts.A / 4_000).toBeLessThan(0.27);
});

test('a language chosen in the flow goes before that of Telegram', () => {
  const own = release(
    startDocument(
      {
        s: { type: 'set', props: { set: [{ into: 'contact.locale', value: 'ru' }] } },
        m: { type: 'message', props: { text: 'm' } },
      },
      { locales: ['en', 'ru'], texts: { m: { en: 'Hi', ru: 'Привет' } } },
    ),
  );
  const result = runLast(own, [say('/start')]);
  expect(said(result)).toEqual(['Привет']);
  expect(result.state.contact.locale).toBe('ru');
});

test('a bug of ours costs the turn, not the process', () => {
  const broken = {
    ...hello,
    get blocks(): never {
      throw new Error('bug');
    },
  };
  const result = step(broken, emptyState, { ...say('/start'), random: 0 });
  expect(result).toMatchObject({ outcome: 'fault', effects: [], state: emptyState });
  expect(result.trace.at(-1)?.note).toBe('bug');
});

test('an update that is nothing is ignored', () => {
  const event = toEvents(null, { key: 'k', atMs: 0 });
  expect(step(hello, emptyState, { ...event, random: Number.NaN }).outcome).toBe('ignored');
});

test('names of messages that are too many are forgotten, the oldest first', () => {
  const ids = Array.from({ length: 90 }, (_, index) => `m${index}`);
  const own = release(
    startDocument(
      {
        ...Object.fromEntries(
          ids
            .slice(0, 45)
            .map((id) => [id, { type: 'message', props: { text: 't', ref: `message-with-a-long-name-${id}` } }]),
        ),
      },
      {
        triggers: { more: { type: 'command', props: { command: 'more' }, to: 'more' } },
        cards: { more: { blocks: ids.slice(45) } },
        blocks: Object.fromEntries(
          ids
            .slice(45)
            .map((id) => [id, { type: 'message', props: { text: 't', ref: `message-with-a-long-name-${id}` } }]),
        ),
        texts: { t: 'T' },
      },
    ),
  );
  const refs = Object.keys(runLast(own, [say('/start'), say('/more')]).state.conversation?.refs ?? {});
  expect(refs.at(-1)).toBe('message-with-a-long-name-m89');
  expect(refs).not.toContain('message-with-a-long-name-m0');
  expect(JSON.stringify(refs).length).toBeLessThan(FLOW_LIMITS.conversationRefsBytes);
});
