import { describe, expect, test } from 'vitest';
import {
  effectsOf,
  emptyState,
  hello,
  makeDocument,
  message,
  press,
  release,
  run,
  runLast,
  said,
  say,
  startDocument,
} from './fixtures.ts';

describe('a press', () => {
  test('goes to its message whatever the conversation does', () => {
    expect(said(runLast(hello, [press('hello', 'once')]))).toEqual(['That is all']);
  });

  test('of a button that works once works once', () => {
    const result = runLast(hello, [press('hello', 'once', { use: 'again' })]);
    expect(result).toMatchObject({
      outcome: 'ignored',
      effects: [{ type: 'answerButton', id: 'q1', text: 'This button no longer works.', outOfDate: true }],
    });
    expect(said(runLast(hello, [press('hello', 'more', { use: 'again' })]))).toEqual(['That is all']);
  });

  test('that is not ours is out of date, in words of the maker and the language of the person', () => {
    const own = release(
      makeDocument({
        locales: ['en', 'ru'],
        phrases: { outOfDate: 'old' },
        texts: { old: { en: 'Gone', ru: 'Ушло' } },
      }),
    );
    expect(runLast(own, [press('', '', { use: 'foreign' })]).effects).toMatchObject([{ text: 'Gone' }]);
    const russian = { ...emptyState, contact: { ...emptyState.contact, locale: 'ru' } };
    expect(runLast(own, [press('', '', { use: 'foreign' })], russian).effects).toMatchObject([{ text: 'Ушло' }]);
  });

  test('of a button that the release no longer has is out of date', () => {
    expect(runLast(hello, [press('hello', 'gone')]).effects).toMatchObject([{ outOfDate: true }]);
    expect(runLast(hello, [press('constructor', '__proto__')]).effects).toMatchObject([{ outOfDate: true }]);
  });

  test('of another program reaches a trigger by its data', () => {
    const own = release(
      startDocument(
        {},
        {
          variables: { item: { type: 'text', scope: 'conversation' } },
          triggers: {
            old: { type: 'button', props: { data: 'buy:', match: 'startsWith', into: 'item' }, to: 'bought' },
          },
          cards: { bought: { blocks: ['b'] } },
          blocks: { b: { type: 'message', props: { text: 'b' } } },
          texts: { b: ['You chose ', { var: 'item' }] },
        },
      ),
    );
    expect(said(runLast(own, [press('', '', { use: 'foreign', data: 'buy:tea' })]))).toEqual(['You chose tea']);
  });

  test('without an exit of its own reaches a trigger', () => {
    const own = release(
      startDocument(
        { m: { type: 'message', props: { text: 'm', buttons: [[{ id: 'go', label: 'm' }]] } } },
        {
          triggers: { t: { type: 'button', props: { block: 'm', button: 'go' }, to: 'x' } },
          cards: { x: { blocks: ['xx'] } },
          blocks: { xx: { type: 'message', props: { text: 'x' } } },
          texts: { m: 'm', x: 'x' },
        },
      ),
    );
    expect(said(runLast(own, [press('m', 'go')]))).toEqual(['x']);
  });

  test('that is answered later is answered once, at the latest when the turn ends', () => {
    const document = (blocks: string[]) =>
      release(
        startDocument(
          {
            m: {
              type: 'message',
              props: { text: 'm', buttons: [[{ id: 'go', label: 'm', answersLater: true }]] },
              exits: { go: 'x' },
            },
          },
          {
            cards: { x: { blocks } },
            blocks: {
              a: { type: 'answer', props: { text: 'm', alert: true } },
              a2: { type: 'answer', props: { text: 'm' } },
              w: { type: 'wait', props: { for: 'PT1M' } },
            },
            texts: { m: 'Hm' },
          },
        ),
      );
    expect(effectsOf(runLast(document(['a', 'a2']), [press('m', 'go')]), 'answerButton')).toMatchObject([
      { text: 'Hm', alert: true },
    ]);
    expect(effectsOf(runLast(document(['w']), [press('m', 'go')]), 'answerButton')).toMatchObject([{ id: 'q1' }]);
  });
});

describe('a question with buttons', () => {
  const quiz = release(
    startDocument(
      {
        q: {
          type: 'input',
          props: {
            kind: 'choice',
            into: 'c',
            text: 'q',
            attempts: 2,
            choices: [
              { id: 'a', label: 'a', value: 1 },
              { id: 'b', label: 'b', value: 2 },
            ],
          },
          exits: { b: 'second', invalid: 'wrong' },
        },
        first: { type: 'message', props: { text: 'first' } },
      },
      {
        variables: { c: { type: 'number', scope: 'contact' } },
        cards: { second: { blocks: ['s'] }, wrong: { blocks: ['w'] } },
        blocks: { s: { type: 'message', props: { text: 'second' } }, w: { type: 'message', props: { text: 'wrong' } } },
        texts: {
          q: 'Which?',
          a: 'Alpha',
          b: 'Beta',
          first: ['First ', { var: 'c' }],
          second: 'Second',
          wrong: 'Wrong',
        },
      },
    ),
  );

  test('takes a press, the words of a choice, or goes on asking', () => {
    expect(said(runLast(quiz, [say('/start'), press('q', 'a')]))).toEqual(['First 1']);
    expect(said(runLast(quiz, [say('/start'), say(' beta')]))).toEqual(['Second']);
    const [, once, twice] = run(quiz, [say('/start'), say('gamma'), message({ sticker: { file_id: 's' } })]);
    expect(said(once!)).toEqual(['Please pick one of the options.']);
    expect(once!.state.conversation?.wait?.failed).toBe(1);
    expect(said(twice!)).toEqual(['Wrong']);
  });

  test('takes no press of an older question', () => {
    const [asked, answered] = run(quiz, [say('/start'), press('q', 'a')]);
    expect(runLast(quiz, [press('q', 'b')], answered!.state).effects).toMatchObject([{ outOfDate: true }]);
    const again = runLast(quiz, [say('/start')], answered!.state);
    const old = effectsOf(asked!, 'send')[0]!.key;
    const present = effectsOf(again, 'send')[0]!.key;
    expect(runLast(quiz, [press('q', 'b', { source: old })], again.state).effects).toMatchObject([{ outOfDate: true }]);
    expect(said(runLast(quiz, [press('q', 'b', { source: present })], again.state))).toEqual(['Second']);
  });
});

describe('a reply keyboard', () => {
  const keys = (target: string) => ({
    type: 'message',
    props: { text: 't', keyboard: 'reply', buttons: [[{ id: 'back', label: 'back' }]] },
    exits: { back: target },
  });
  const more = {
    cards: { one: { blocks: ['o'] }, two: { blocks: ['w'] }, other: { blocks: ['k2'] } },
    triggers: { other: { type: 'command', props: { command: 'other' }, to: 'other' } },
    texts: { t: 'T', back: 'Back', one: 'One', two: 'Two' },
  };
  const blocks = { o: { type: 'message', props: { text: 'one' } }, w: { type: 'message', props: { text: 'two' } } };

  test('is pressed by its words, before a question takes them', () => {
    const own = release(
      startDocument(
        { k: keys('one'), q: { type: 'input', props: { kind: 'text' } } },
        { ...more, blocks: { ...blocks, k2: keys('one') } },
      ),
    );
    expect(said(runLast(own, [say('/start'), say('Back')]))).toEqual(['One']);
    expect(own.sharedLabels.size).toBe(0);
  });

  test('with words that others have too is told by which was shown last', () => {
    const own = release(startDocument({ k: keys('one') }, { ...more, blocks: { ...blocks, k2: keys('two') } }));
    expect(said(runLast(own, [say('/start'), say('Back')]))).toEqual(['One']);
    const results = run(own, [say('/start'), say('/other'), say('Back'), say('/other')]);
    expect(said(results[2]!)).toEqual(['Two']);
    expect(results[3]!.changed.conversation).toBe(false);
  });
});

test('what does not fit is refused in the words of the maker, else in ours', () => {
  const ask = (props: object, phrases: object) =>
    said(
      runLast(
        release(
          startDocument(
            { q: { type: 'input', props: { kind: 'number', text: 't', ...props } } },
            { phrases, texts: { t: 'T', own: 'Own', all: 'All' } },
          ),
        ),
        [say('/start'), say('x')],
      ),
    );
  expect(ask({ retry: 'own' }, { notUnderstood: 'all' })).toEqual(['Own']);
  expect(ask({}, { notUnderstood: 'all' })).toEqual(['All']);
  expect(ask({}, {})).toEqual(['That should be a number. For example: 12']);
});
