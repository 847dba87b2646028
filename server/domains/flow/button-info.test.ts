import { expect, test } from 'vitest';
import { makeDocument, release } from './fixtures.ts';
import { buttonInfo, localeOf, outOfDate } from './flow.ts';

const buttons = [
  [
    { id: 'plain', label: 'l' },
    { id: 'says', label: 'l', answer: 'a', repeats: true },
    { id: 'alerts', label: 'l', answer: 'long', alert: true },
    { id: 'later', label: 'l', answer: 'a', answersLater: true },
    { id: 'varies', label: 'l', answer: 'v' },
    { id: 'link', kind: 'link', label: 'l', url: 'l' },
  ],
];
const own = release(
  makeDocument({
    locales: ['en', 'ru', 'pt-BR'],
    blocks: {
      m: { type: 'message', props: { text: 'l', buttons } },
      e: { type: 'edit', props: { target: 'pressed', buttons: [[{ id: 'x', label: 'l' }]] } },
      q: { type: 'input', props: { kind: 'choice', choices: [{ id: 'c', label: 'l' }] } },
      w: { type: 'wait', props: { for: 'PT1M' } },
    },
    texts: { l: 'L', a: { en: 'Done', ru: 'Готово' }, long: 'x'.repeat(300), v: [{ var: 'contact.name' }] },
  }),
);
const info = (block: string, button: string) => buttonInfo(own, block, button);

test('a button is acknowledged with its published answer, in each language', () => {
  const done = { text: 'Done', alert: false };
  expect(info('m', 'says')).toEqual({
    answer: { en: done, ru: { text: 'Готово', alert: false }, 'pt-BR': done },
    answersLater: false,
    repeats: true,
  });
  expect(info('m', 'alerts')?.answer?.['en']).toEqual({ text: 'x'.repeat(200), alert: true });
  expect(info('m', 'plain')).toEqual({ answer: null, answersLater: false, repeats: false });
  expect(info('e', 'x')).toEqual({ answer: null, answersLater: false, repeats: false });
});

test('a button that answers later, or whose answer holds values, is not answered before the turn', () => {
  expect(info('m', 'later')).toEqual({ answer: null, answersLater: true, repeats: false });
  expect(info('m', 'varies')).toEqual({ answer: null, answersLater: false, repeats: false });
});

test('a choice is a button that works once', () => {
  expect(info('q', 'c')).toEqual({ answer: null, answersLater: false, repeats: false });
});

test('what is no button is none', () => {
  for (const [block, button] of [
    ['m', 'gone'],
    ['m', 'link'],
    ['q', 'gone'],
    ['w', 'next'],
    ['gone', 'x'],
    ['constructor', 'name'],
    ['__proto__', 'x'],
  ]) {
    expect(info(block!, button!)).toBeNull();
    expect(info(block!, button!)).toBeNull();
  }
});

test('a press that is used up says so in the language of the person', () => {
  expect(outOfDate(own, 'en')).toBe('This button no longer works.');
  expect(outOfDate(own, 'ru')).toBe('Эта кнопка уже не действует.');
});

test('the language is the one chosen, else that of Telegram, else the default', () => {
  expect(localeOf(own, 'ru', 'en')).toBe('ru');
  expect(localeOf(own, 'de', 'ru')).toBe('ru');
  expect(localeOf(own, null, 'RU-ru')).toBe('ru');
  expect(localeOf(own, null, 'pt-br')).toBe('pt-BR');
  expect(localeOf(own, null, 'pt')).toBe('pt-BR');
  expect(localeOf(own, null, 'zh')).toBe('en');
  expect(localeOf(own, null, '')).toBe('en');
});
