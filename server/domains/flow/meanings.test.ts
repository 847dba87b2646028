import { describe, expect, test } from 'vitest';
import { effectsOf, message, press, release, run, said, say, startDocument } from './fixtures.ts';
import { buttonInfo, type FlowEvent, type StepResult } from './flow.ts';

/** A bot that asks one question, in English unless `more` says else. */
const asking = (props: object, type: string, more: object = {}) =>
  release(
    startDocument(
      { q: { type: 'input', props: { text: 'q', into: 'v', ...props } } },
      { variables: { v: { type, scope: 'contact' } }, texts: { q: 'Q', r: 'R', w: 'W' }, ...more },
    ),
  );

const talk = (one: ReturnType<typeof asking>, ...events: FlowEvent[]): StepResult =>
  run(one, [say('/start'), ...events]).at(-1)!;
const kept = (result: StepResult): unknown => result.state.contact.vars['v'];

/** The words on the buttons of the last message. */
const buttons = (result: StepResult): string[] =>
  effectsOf(result, 'send').flatMap(({ params: { reply_markup: markup } }) =>
    markup && 'inline_keyboard' in markup ? markup.inline_keyboard.flat().map(({ text }) => text) : [],
  );

const date = asking({ kind: 'date' }, 'date');

describe('an answer with several meanings is asked back', () => {
  test('with both in words, and the one that is pressed is kept', () => {
    const asked = talk(date, say('03/04/2027'));
    expect(said(asked)).toEqual(['That can mean different things. Which one do you mean?']);
    expect(buttons(asked)).toEqual(['April 3, 2027', 'March 4, 2027']);
    expect(kept(asked)).toBeUndefined();
    expect(kept(talk(date, say('03/04/2027'), press('q', '~2')))).toBe('2027-03-04');
    expect(kept(talk(date, say('03/04/2027'), say('April 3, 2027')))).toBe('2027-04-03');
  });

  test('a number by its digits, a phone of another country to be confirmed', () => {
    const price = asking({ kind: 'number' }, 'number', {
      locales: ['ru'],
      defaultLocale: 'ru',
      texts: { q: { ru: 'Q' } },
    });
    const asked = talk(price, say('1.500'));
    expect(said(asked)).toEqual(['Это можно понять по-разному. Что вы имели в виду?']);
    expect(buttons(asked)).toEqual(['1500', '1,5']);
    expect(kept(talk(price, say('1.500'), press('q', '~1')))).toBe(1500);
    const phone = asking({ kind: 'phone' }, 'phone');
    expect(buttons(talk(phone, say('380501234567')))).toEqual(['+380 50 123 4567']);
    expect(kept(talk(phone, say('380501234567'), press('q', '~1')))).toBe('+380501234567');
  });

  test('it costs no attempt, and what the question does not take is still refused', () => {
    const bounded = asking({ kind: 'date', min: '2027-04-01' }, 'date');
    const asked = talk(bounded, say('03/04/2027'));
    expect(buttons(asked)).toHaveLength(2);
    expect(asked.state.conversation?.wait?.failed).toBe(0);
    const refused = talk(bounded, say('03/04/2027'), press('q', '~2'));
    expect([kept(refused), refused.state.conversation?.wait?.failed]).toEqual([undefined, 1]);
    expect(talk(bounded, say('03/04/2026')).state.conversation?.wait?.failed).toBe(1);
  });

  test('a button of an earlier question means nothing', () => {
    const later = talk(date, say('03/04/2027'), say('nonsense'), press('q', '~1'));
    expect(kept(later)).toBeUndefined();
    const [first, second] = run(date, [say('/start'), say('03/04/2027'), say('05/06/2027')]).slice(1);
    const source = effectsOf(first!, 'send')[0]!.key;
    const pressed = run(date, [press('q', '~1', { source })], second!.state).at(-1)!;
    expect([pressed.outcome, kept(pressed)]).toEqual(['ignored', undefined]);
  });

  test('in words of the maker, and with the setting of the project not at all', () => {
    expect(said(talk(asking({ kind: 'date' }, 'date', { phrases: { whichOne: 'w' } }), say('03/04/2027')))).toEqual([
      'W',
    ]);
    const american = asking({ kind: 'date' }, 'date', { region: { country: 'US' } });
    expect(kept(talk(american, say('03/04/2027')))).toBe('2027-03-04');
  });

  test('only questions that may ask have these buttons', () => {
    expect(buttonInfo(date, 'q', '~1')).toMatchObject({ repeats: false });
    expect(buttonInfo(date, 'q', '~9')).toBeNull();
    expect(buttonInfo(asking({ kind: 'text' }, 'text'), 'q', '~1')).toBeNull();
  });
});

describe('phones', () => {
  const card = (phone_number: string, user_id?: number) =>
    message({ contact: { phone_number, first_name: 'A', ...(user_id === undefined ? {} : { user_id }) } });

  test.each([
    ['84912345678', '+84912345678'],
    ['6591234567', '+6591234567'],
    ['+1 202 555 0100', '+12025550100'],
  ])('what Telegram shares is international: %s', (shared, phone) => {
    const russian = { locales: ['ru'], defaultLocale: 'ru', texts: { q: { ru: 'Q' } } };
    for (const kind of ['phone', 'contact'])
      expect(kept(talk(asking({ kind }, 'phone', russian), card(shared, 77)))).toBe(phone);
  });

  test('the card of somebody else is refused where one’s own number is wanted', () => {
    for (const kind of ['phone', 'contact']) {
      const own = asking({ kind, own: true }, 'phone');
      for (const other of [card('84912345678', 8), card('84912345678')]) {
        const refused = talk(own, other);
        expect(kept(refused)).toBeUndefined();
        expect(said(refused)).toEqual(['That is the contact of somebody else. Please share your own number.']);
      }
      expect(kept(talk(own, card('84912345678', 77)))).toBe('+84912345678');
    }
  });

  test('a number without a country gets no plus, and is asked for with one', () => {
    const refused = talk(asking({ kind: 'phone' }, 'phone'), say('(202) 555-0123'));
    expect([kept(refused), said(refused)]).toEqual([
      undefined,
      ['Please write the number with a plus and the code of its country. Example: +49 30 123456'],
    ]);
    expect(said(talk(asking({ kind: 'phone', retry: 'r' }, 'phone'), say('(202) 555-0123')))).toEqual(['R']);
  });
});

describe('words are the same however they are put together', () => {
  const shop = release(
    startDocument(
      {
        menu: {
          type: 'message',
          props: { text: 'menu', keyboard: 'reply', buttons: [[{ id: 'set', label: 'set' }]] },
          exits: { set: 'told' },
        },
      },
      {
        cards: { told: { blocks: ['told'] }, cafe: { blocks: ['cafe'] } },
        blocks: {
          told: { type: 'message', props: { text: 'told' } },
          cafe: { type: 'message', props: { text: 'cafe' } },
        },
        triggers: {
          words: { type: 'text', props: { keywords: ['café', '❤️'] }, to: 'cafe' },
          pattern: { type: 'text', props: { pattern: '^стол №\\d+ ⚙️$' }, to: 'cafe' },
        },
        texts: { menu: 'Menu', set: '⚙️ Settings', told: 'Told', cafe: 'Cafe' },
      },
    ),
  );
  test.each([
    ['⚙ Settings', 'Told'],
    ['⚙️\u00a0Settings', 'Told'],
    ['cafe\u0301', 'Cafe'],
    ['❤', 'Cafe'],
    ['стол\u00a0№5 ⚙', 'Cafe'],
    ['\u200f/start', 'Menu'],
  ])('%s', (text, answer) => expect(said(run(shop, [say('/start'), say(text)]).at(-1)!)).toEqual([answer]));

  test('a choice that is typed', () => {
    const choice = asking({ kind: 'choice', choices: [{ id: 'a', label: 'c' }] }, 'text', {
      texts: { q: 'Q', c: '❤️ Да, конечно' },
    });
    expect(kept(talk(choice, say('❤ да,\u00a0конечно')))).toBe('a');
  });

  test.each(['\u3164', '\u2800', '\u200b', '\u00a0'])('an answer of %j is none', (text) => {
    expect(kept(talk(asking({ kind: 'text' }, 'text'), say(text)))).toBeUndefined();
  });

  test('a name of nothing but fillers is none', () => {
    const greet = release(
      startDocument(
        { m: { type: 'message', props: { text: 't' } } },
        { texts: { t: ['Hello, ', { var: 'contact.name' }, '!'] } },
      ),
    );
    const named = { ...say('/start'), user: { ...say('/start').user!, firstName: '\u3164', lastName: '\u2800' } };
    expect(said(run(greet, [named]).at(-1)!)).toEqual(['Hello, !']);
  });
});
