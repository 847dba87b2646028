// What blocks and runtime say themselves. A view carries the words of its language, so no phone loads another one's.

import type { AppWord, AppWords } from '../../../contract/app/view.ts';

const WORDS: { readonly [Word in AppWord]: readonly [ru: string, en: string] } = {
  add: ['В корзину', 'Add to cart'],
  address: ['Адрес', 'Address'],
  again: ['Попробовать ещё раз', 'Try again'],
  all: ['Все', 'All'],
  atLeast: ['не меньше', 'at least'],
  atMost: ['не больше', 'at most'],
  away: ['Нет сети. Страница могла устареть.', 'Offline. This page may be out of date.'],
  back: ['Назад', 'Back'],
  call: ['Телефон', 'Phone'],
  chat: ['В чат с ботом', 'To the chat'],
  choose: ['Выбрать', 'Choose'],
  consent: ['Без согласия отправить нельзя', 'It cannot be sent without your consent'],
  contact: ['Взять номер из Telegram', 'Use my Telegram number'],
  date: ['Выберите другой день', 'Choose another day'],
  email: ['Напишите почту целиком: anna@mail.ru', 'Write the whole address, as in anna@mail.com'],
  empty: ['Ничего не нашлось', 'Nothing found'],
  file: ['Выбрать файл', 'Choose a file'],
  fewer: ['Убрать', 'Remove one'],
  find: ['Поиск', 'Search'],
  first: ['Сначала выберите выше', 'Choose above first'],
  guest: ['Гость', 'Guest'],
  home: ['На первую страницу', 'To the first page'],
  hours: ['Часы работы', 'Hours'],
  language: ['Язык', 'Language'],
  map: ['Открыть карту', 'Open the map'],
  menu: ['Меню', 'Menu'],
  minimum: ['Принимаем заказы от', 'We take orders from'],
  more: ['Добавить', 'Add one more'],
  next: ['Дальше', 'Next'],
  noSlots: ['В этом месяце всё занято. Посмотрите следующий.', 'Nothing is free this month. Look at the next one.'],
  noSlotsAtAll: ['Свободного времени пока нет. Загляните позже.', 'Nothing is free for now. Please look again later.'],
  noSlotsLast: [
    'В этом месяце всё занято, а на следующие записи ещё нет.',
    'Nothing is free this month, and later months are not open yet.',
  ],
  number: ['Напишите число', 'Write a number'],
  offline: [
    'Нет связи. Не закрывайте страницу: всё уйдёт само, когда связь появится.',
    'No connection. Keep this page open: it goes out by itself when the connection is back.',
  ],
  phone: ['Напишите номер цифрами: +7 900 123-45-67', 'Write the number in digits, as in +44 20 7946 0958'],
  pickOne: ['Выберите один из вариантов', 'Choose one of the answers'],
  pickSome: ['Выберите хотя бы один вариант', 'Choose at least one answer'],
  privacy: ['Персональные данные', 'Privacy'],
  quote: ['Цитата', 'Quote'],
  required: ['Заполните это поле', 'Fill in this field'],
  slot: ['Выберите день и время', 'Choose a day and a time'],
  slotsFailed: ['Не получилось узнать, какое время свободно.', 'The free times could not be loaded.'],
  slotsLoading: ['Смотрим, какое время свободно', 'Looking for free times'],
  slotsOffline: [
    'Нет связи. Покажем свободное время, когда она появится.',
    'No connection. The free times come when it is back.',
  ],
  soldOut: ['Нет в наличии', 'Sold out'],
  tick: ['Поставьте здесь галочку', 'Tick this box'],
  total: ['Итого', 'Total'],
  unsent: ['Форма заполнена, но ещё не отправлена.', 'A form is filled in, but not sent yet.'],
  unsentDrop: ['Удалить написанное', 'Delete what I wrote'],
  unsentFiles: ['Файлы выберите заново.', 'Choose its files again.'],
  unsentOpen: ['Открыть форму', 'Open the form'],
  variant: ['Вариант', 'Variant'],
  write: ['Почта', 'Mail'],
  whole: ['Напишите целое число', 'Write a whole number'],
  zoom: ['Закрыть', 'Close'],
};

/** The words of a language: Russian, or English for every other one. */
export function wordsFor(locale: string): AppWords {
  const at = /^ru\b/.test(locale) ? 0 : 1;
  return Object.fromEntries(Object.entries(WORDS).map(([word, both]) => [word, both[at]])) as AppWords;
}
