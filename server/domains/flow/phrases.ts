// The few words the engine says by itself, for makers who wrote none. Other languages get English.

import type { InputKind } from '../../../contract/blocks/input.ts';
import type { Words } from '../../../contract/ids.ts';
import type { Misfit } from './answers.ts';
import type { RichText } from './texts.ts';

const RETRY: { readonly [Kind in InputKind]: Words } = {
  text: { ru: 'Напишите ответ текстом, пожалуйста.', en: 'Please write your answer as text.' },
  number: { ru: 'Нужно число. Например: 12', en: 'That should be a number. For example: 12' },
  email: {
    ru: 'Не похоже на адрес почты. Пример: anna@example.com',
    en: 'That does not look like an e-mail address. Example: anna@example.com',
  },
  phone: {
    ru: 'Не похоже на телефон. Пример: +7 900 000-00-00',
    en: 'That does not look like a phone number. Example: +1 202 555 0100',
  },
  date: { ru: 'Не получилось понять дату. Пример: 31.12.2026', en: 'I could not read that date. Example: 31.12.2026' },
  choice: { ru: 'Выберите один из вариантов.', en: 'Please pick one of the options.' },
  contact: {
    ru: 'Нажмите кнопку под полем ввода, чтобы поделиться контактом.',
    en: 'Use the button below the input field to share the contact.',
  },
  location: {
    ru: 'Отправьте место на карте: скрепка, затем «Геопозиция».',
    en: 'Send a place on the map: the paper clip, then "Location".',
  },
  file: { ru: 'Такой файл не подойдёт. Отправьте другой.', en: 'That file does not fit. Please send another one.' },
};

const MISFIT: { readonly [Why in Misfit['why']]: Words } = {
  country: {
    ru: 'Напишите номер с плюсом и кодом страны. Пример: +49 30 123456',
    en: 'Please write the number with a plus and the code of its country. Example: +49 30 123456',
  },
  notOwn: {
    ru: 'Это чужой контакт. Отправьте свой номер.',
    en: 'That is the contact of somebody else. Please share your own number.',
  },
};

const WHICH_ONE: Words = {
  ru: 'Это можно понять по-разному. Что вы имели в виду?',
  en: 'That can mean different things. Which one do you mean?',
};

const THIS_ONE: Words = {
  ru: 'Вы имели в виду этот номер? Если нет, напишите свой с плюсом и кодом страны.',
  en: 'Did you mean this number? If not, please write yours with a plus and the code of its country.',
};

const OUT_OF_DATE: Words = { ru: 'Эта кнопка уже не действует.', en: 'This button no longer works.' };

const inLocale = (words: Words, locale: string): string =>
  locale === 'ru' || locale.startsWith('ru-') ? words.ru : words.en;

/** What is said when an answer does not fit. */
export function retryPhrase(kind: InputKind, locale: string): RichText {
  return { text: inLocale(RETRY[kind], locale), entities: [] };
}

/** The same where it is known what is wrong. */
export function misfitPhrase(why: Misfit['why'], locale: string): RichText {
  return { text: inLocale(MISFIT[why], locale), entities: [] };
}

/** Asks which of some meanings is meant, or whether the only one is. */
export function whichPhrase(count: number, locale: string): RichText {
  return { text: inLocale(count > 1 ? WHICH_ONE : THIS_ONE, locale), entities: [] };
}

/** What a press says that is used up or not ours. */
export function outOfDatePhrase(locale: string): string {
  return inLocale(OUT_OF_DATE, locale);
}
