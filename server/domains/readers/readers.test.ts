import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Region } from '../../../contract/flow.ts';
import {
  customsOf,
  meaningText,
  NO_CUSTOMS,
  type Reading,
  readDate,
  readMail,
  readNumber,
  readPhone,
  readSharedPhone,
  readTime,
  readYesNo,
} from './readers.ts';

const TODAY = '2026-11-30';
/** What the table of a test says of a reading: the value, its meanings, or why there is none. */
const short = <T>(reading: Reading<T>): T | readonly T[] | string =>
  'value' in reading ? reading.value : 'meanings' in reading ? reading.meanings : reading.fault;
const people = (locale: string, region: Region = {}) => customsOf({ defaultLocale: locale, region });

describe('numbers', () => {
  const read = (text: string, locale: string, region?: Region) => short(readNumber(text, people(locale, region)));
  test.each([
    ['12', 'ru', 12],
    ['-3', 'ru', -3],
    ['−3', 'ru', -3],
    ['+7', 'ru', 7],
    ['1 000,50', 'ru', 1000.5],
    ['1\u00a0000', 'ru', 1000],
    ['1\u202f000\u2009000', 'fr', 1_000_000],
    ['1.5', 'ru', 1.5],
    ['1,5', 'en', 1.5],
    ['1,000.50', 'ru', 1000.5],
    ['1.000,50', 'de', 1000.5],
    ['1,000', 'en', 1000],
    ['1,000', 'ru', 1],
    ['1.500', 'de', 1500],
    ['1.500', 'en', 1.5],
    ['1.500', 'de-CH', 1.5],
    ['0.500', 'ru', 0.5],
    ['1,000,000', 'ru', 1_000_000],
    ['1.000.000', 'de', 1_000_000],
    ['12,34,567.5', 'hi', 1_234_567.5],
    ['1’500.25', 'de-CH', 1500.25],
    ["1'000", 'de', 1000],
    ['.5', 'en', 0.5],
    ['5.', 'en', 5],
    ['100,-', 'de', 100],
    ['۲۵', 'fa', 25],
    ['١٬٥٠٠٫٧٥', 'ar', 1500.75],
    ['２５', 'ja', 25],
    ['१२', 'hi', 12],
    ['－１，５', 'ru', -1.5],
    ['\u200f25\u200e', 'ar', 25],
    ['500 ₽', 'ru', 500],
    ['500 руб.', 'ru', 500],
    ['$1,500.00', 'en', 1500],
    ['-€5', 'de', -5],
    ['USD 5', 'en', 5],
    ['5,00 EUR', 'de', 5],
  ])('%s in %s', (text, locale, number) => expect(read(text, locale)).toBe(number));

  test.each<[string, string, Region, number | number[]]>([
    ['1.500', 'ru', {}, [1500, 1.5]],
    ['1.500', 'es', {}, [1500, 1.5]],
    ['1.500', 'es', { country: 'MX' }, 1.5],
    ['1.500', 'es', { country: 'ES' }, 1500],
    ['1,500', 'en', { decimal: ',' }, 1.5],
    ['1.500', 'en', { decimal: ',' }, 1500],
    ['-1.500', 'ru', {}, [-1500, -1.5]],
    ['1500.000', 'ru', {}, 1500],
  ])('%s in %s with %j', (text, locale, region, meant) => expect(read(text, locale, region)).toEqual(meant));

  test('the customs of the project and of the reader both count where nobody has chosen', () => {
    expect(short(readNumber('1,500', customsOf({ defaultLocale: 'ru' }, 'en')))).toEqual([1500, 1.5]);
    expect(short(readNumber('1,500', customsOf({ defaultLocale: 'ru', region: { country: 'RU' } }, 'en')))).toBe(1.5);
    expect(short(readNumber('1,500', NO_CUSTOMS))).toEqual([1500, 1.5]);
  });

  test.each([
    '',
    'abc',
    '12 шт',
    '1e5',
    '--1',
    '.',
    ',',
    '0x10',
    'Infinity',
    '12 34',
    '1.5.0',
    '31.12.2027',
    '1\n000',
    '½',
    '5²',
    '①',
    '50%',
    '\u202e25',
    '9'.repeat(80),
  ])('"%s" is none', (text) => expect(read(text, 'ru')).toBe('unreadable'));
  test('thousands that are miscounted are no fraction', () =>
    expect([read('1500,000', 'en'), read('1500.000', 'de'), read('1500.000', 'en')]).toEqual([
      'unreadable',
      'unreadable',
      1500,
    ]));
  test('more than can be kept exactly is too large', () => expect(read('9'.repeat(17), 'ru')).toBe('large'));

  test('the digits of every script are digits', () => {
    for (let code = 0x30; code < 0x20000; code += 1) {
      const zero = String.fromCodePoint(code);
      if (!/^\p{Nd}$/u.test(zero)) continue;
      const run = Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(code + digit));
      expect(run.map((digit) => short(readNumber(digit, NO_CUSTOMS)))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      code += 9;
    }
  });
});

describe('days', () => {
  const read = (text: string, locale: string, region?: Region) =>
    short(readDate(text, people(locale, region), { today: TODAY }));
  test.each([
    ['31.12.2026', 'ru', '2026-12-31'],
    ['1.2.27', 'ru', '2027-02-01'],
    ['31/12/2026', 'en', '2026-12-31'],
    ['12/31/2026', 'en', '2026-12-31'],
    ['12/31/2026', 'ru', '2026-12-31'],
    ['03/04/2027', 'ru', '2027-04-03'],
    ['03/04/2027', 'en-US', '2027-03-04'],
    ['03/04/2027', 'en-GB', '2027-04-03'],
    ['2026-12-31', 'en', '2026-12-31'],
    ['2026/12/31', 'ja', '2026-12-31'],
    ['26/12/31', 'ja', '2026-12-31'],
    ['20261231', 'en', '2026-12-31'],
    ['31122026', 'ru', '2026-12-31'],
    ['05.08.95', 'ru', '1995-08-05'],
    ['31.12', 'ru', '2026-12-31'],
    ['01.11', 'ru', '2027-11-01'],
    ['30.11', 'ru', '2026-11-30'],
    ['12/31', 'en-US', '2026-12-31'],
    ['12月31日', 'ja', '2026-12-31'],
    ['31 tháng 12 năm 2026', 'vi', '2026-12-31'],
    ['2026. gada 31. decembris', 'lv', '2026-12-31'],
    ['29.02', 'ru', '2028-02-29'],
    ['29.02.2028', 'ru', '2028-02-29'],
    ['Dec 31, 2026', 'en', '2026-12-31'],
    ['December 31st, 2026', 'ru', '2026-12-31'],
    ['31-Dec-26', 'en', '2026-12-31'],
    ['Thu, 31 Dec 2026', 'en', '2026-12-31'],
    ['31 декабря 2026 г.', 'ru', '2026-12-31'],
    ['31 дек', 'en', '2026-12-31'],
    ['1 мая', 'ru', '2027-05-01'],
    ['чт 31 декабря 2026', 'ru', '2026-12-31'],
    ['31. März 2027', 'de', '2027-03-31'],
    ['31 de diciembre de 2026', 'es', '2026-12-31'],
    ['5 aout 2027', 'fr', '2027-08-05'],
    ['2026年12月31日', 'ja', '2026-12-31'],
    ['2026년 12월 31일', 'ko', '2026-12-31'],
    ['2026. 12. 31.', 'hu', '2026-12-31'],
    ['٣١.١٢.٢٠٢٧', 'ar', '2027-12-31'],
    ['٣١/١٢/٢٠٢٧', 'ru', '2027-12-31'],
    ['３１．１２．２０２７', 'ja', '2027-12-31'],
    ['31.12.2026 00:00:00', 'ru', '2026-12-31'],
    ['12/31/2026 12:00:00 AM', 'en-US', '2026-12-31'],
    ['2026-12-31T00:00:00.000Z', 'en', '2026-12-31'],
    ['завтра', 'ru', '2026-12-01'],
    ['Сегодня', 'de', '2026-11-30'],
    ['yesterday', 'ru', '2026-11-29'],
    ['übermorgen', 'de', '2026-12-02'],
  ])('%s in %s', (text, locale, day) => expect(read(text, locale)).toBe(day));

  test.each<[string, string, Region, string | string[]]>([
    ['03/04/2027', 'en', {}, ['2027-04-03', '2027-03-04']],
    ['03-04-2027', 'en', {}, ['2027-04-03', '2027-03-04']],
    ['03.04.2027', 'en', {}, '2027-04-03'],
    ['03.04.2027', 'en', { country: 'US' }, '2027-03-04'],
    ['03/04', 'en', {}, ['2027-04-03', '2027-03-04']],
    ['03/04/2027', 'en', { dates: 'mdy' }, '2027-03-04'],
    ['03/04/2027', 'en', { country: 'US' }, '2027-03-04'],
    ['03/04/2027', 'ru', { dates: 'mdy' }, '2027-03-04'],
    ['04/04/2027', 'en', {}, '2027-04-04'],
    ['12.05.45', 'ru', {}, ['2045-05-12', '1945-05-12']],
  ])('%s in %s with %j', (text, locale, region, meant) => expect(read(text, locale, region)).toEqual(meant));

  test('the century that a question cannot take is not asked for', () =>
    expect(short(readDate('12.05.45', people('ru'), { today: TODAY, max: TODAY }))).toBe('1945-05-12'));

  test.each([
    '',
    '31.02.2027',
    '29.02.2027',
    '30.02',
    '32.01.2027',
    '1.13.2027',
    '0.0.2027',
    'скоро',
    '2026',
    '12',
    '31 февраля 2027',
    'Fri, 31 Dec 2026',
    'декабрь 2026',
    '1405/09/09',
    '2569-12-31',
    '31.12.2026 14:30',
    '31 декабря 1 января',
    '46387',
    '__proto__',
    'constructor',
  ])('"%s" is none', (text) => expect(read(text, 'ru')).toBe('unreadable'));

  test('without knowing today only a day with its whole year is one', () => {
    const read = (text: string) => short(readDate(text, people('ru'), {}));
    expect([read('31.12.2026'), read('31.12'), read('31.12.26'), read('завтра')]).toEqual([
      '2026-12-31',
      'unreadable',
      'unreadable',
      'unreadable',
    ]);
  });

  test('whatever comes has only real days for meanings', () => {
    const words = fc.constantFrom('12', '31', '2026', '26', '.', '/', ' ', '-', 'дек', 'may', ',', 'th', '年', '月');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 8 }).map((parts) => parts.join('')),
        ),
        (text) => {
          const reading = readDate(text, people('en'), { today: TODAY });
          const days = 'value' in reading ? [reading.value] : 'meanings' in reading ? reading.meanings : [];
          for (const day of days) expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day);
        },
      ),
    );
  });
});

describe('phones', () => {
  const read = (text: string, locale: string, country?: string) =>
    short(readPhone(text, people(locale, country === undefined ? {} : { country })));
  test.each<[string, string, string | undefined, string | string[]]>([
    ['+7 900 123-45-67', 'ru', undefined, '+79001234567'],
    ['8 (916) 123-45-67', 'ru', undefined, '+79161234567'],
    ['79001234567', 'ru', undefined, '+79001234567'],
    ['9001234567', 'ru', undefined, '+79001234567'],
    ['84912345678', 'ru', undefined, '+74912345678'],
    ['8 (916) 123-45-67', 'en', undefined, 'country'],
    ['8 029 123-45-67', 'be', undefined, '+375291234567'],
    ['(202) 555-0123', 'en', undefined, 'country'],
    ['(202) 555-0123', 'en', 'US', '+12025550123'],
    ['(202) 555-0123', 'en-US', undefined, '+12025550123'],
    ['030/123456', 'de', 'DE', '+4930123456'],
    ['+49 (0)30 123456', 'en', undefined, '+4930123456'],
    ['0049 30 123456', 'de', undefined, '+4930123456'],
    ['0049 30 123456', 'ru', undefined, '+4930123456'],
    ['0049 30 123456', 'en', 'US', '+4930123456'],
    ['011 44 20 7946 0958', 'en', 'US', '+442079460958'],
    ['011 44 20 7946 0958', 'en', undefined, 'country'],
    ['8 10 49 30 123456', 'ru', undefined, '+4930123456'],
    ['020 7946 0958', 'en', 'GB', '+442079460958'],
    ['06 12345678', 'it', 'IT', '+390612345678'],
    ['tel:+1-202-555-0123', 'ru', undefined, '+12025550123'],
    ['+1 202 555 0123 ext. 5', 'en', undefined, '+12025550123 ext. 5'],
    ['9001234567 доб. 5', 'ru', undefined, '+79001234567 ext. 5'],
    ['+12025550123 ext. 5', 'en', undefined, '+12025550123 ext. 5'],
    ['tel:+12025550123;ext=5', 'en', undefined, '+12025550123 ext. 5'],
    ['+12025550123;ext=5', 'en', undefined, 'unreadable'],
    ['\u202a+7 916 123\u201145\u201167\u202c', 'en', undefined, '+79161234567'],
    ['+٧٩١٦١٢٣٤٥٦٧', 'en', undefined, '+79161234567'],
    ['＋７９１６１２３４５６７', 'ja', undefined, '+79161234567'],
    ['380501234567', 'ru', undefined, ['+380501234567']],
    ['49301234567', 'en', undefined, ['+49301234567']],
    ['2025550123', 'en', undefined, 'country'],
    ['+8 916 123 45 67', 'ru', undefined, 'unreadable'],
  ])('%s in %s, %s', (text, locale, country, phone) => expect(read(text, locale, country)).toEqual(phone));
  test.each([
    '',
    'abc',
    '12',
    '112',
    '+7 900',
    '+0123456789',
    '123456789012345678',
    'тел 89001234567',
    '8 900 123-45-67, 8 900 123-45-68',
    '7.9E+10',
  ])('"%s" is none', (text) => expect(read(text, 'ru')).toBe('unreadable'));

  test.each([
    ['84912345678', '+84912345678'],
    ['6591234567', '+6591234567'],
    ['79001234567', '+79001234567'],
    ['+1 202 555 0100', '+12025550100'],
    ['88801234567', '+88801234567'],
    ['8 (916) 123-45-67', '+79161234567'],
    ['secret', null],
  ])('%s, shared by Telegram, has its country', (shared, phone) =>
    expect(readSharedPhone(shared, people('ru'))).toBe(phone),
  );
});

describe('addresses of mail', () => {
  test.each([
    [' Anna.S+shop@Example.COM ', 'anna.s+shop@example.com'],
    ['अजय@डाटा.भारत', 'अजय@डाटा.भारत'],
    ['я@почта.рф', 'я@почта.рф'],
    ['cafe\u0301@example.com', 'café@example.com'],
    ['a@b.museum', 'a@b.museum'],
    ['a@xn--80a1acny.xn--p1ai', 'a@xn--80a1acny.xn--p1ai'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['anna＠example。com', 'anna@example.com'],
    ['mailto:anna@example.com', 'anna@example.com'],
    ['anna@example.com.', 'anna@example.com'],
    ['\u202aanna@example.com\u202c', 'anna@example.com'],
  ])('%s', (text, address) => expect(short(readMail(text))).toBe(address));
  test.each([
    '',
    'anna',
    'anna@',
    '@example.com',
    'anna@example',
    'a b@example.com',
    'a@@example.com',
    'a@-x.com',
    'a@x-.com',
    'a@x..com',
    'a@1.2.3.4',
    `${'a'.repeat(65)}@x.com`,
    'a@x.com, b@x.com',
    'a\u200b@x.com',
  ])('"%s" is none', (text) => expect(short(readMail(text))).toBe('unreadable'));
});

test.each([
  ['true', true],
  ['ИСТИНА', true],
  ['WAHR', true],
  ['Vrai', true],
  ['DOĞRU', true],
  ['✅', true],
  ['Да', true],
  ['1', true],
  ['ЛОЖЬ', false],
  ['FALSCH', false],
  ['faux', false],
  ['HAMIS', false],
  ['NEPRAVDA', false],
  ['０', false],
  ['maybe', 'unreadable'],
  ['', 'unreadable'],
])('yes or no: %s', (text, value) => expect(short(readYesNo(text))).toBe(value));

test.each([
  ['9:30', '09:30'],
  ['09:30:00', '09:30'],
  ['9.30 pm', '21:30'],
  ['12:00 AM', '00:00'],
  ['21h30', '21:30'],
  ['٠٩:٣٠', '09:30'],
  ['０９：３０', '09:30'],
  ['24:00', 'unreadable'],
  ['9:60', 'unreadable'],
  ['13:00 pm', 'unreadable'],
  ['09:30:15', 'unreadable'],
])('a time: %s', (text, value) => expect(short(readTime(text))).toBe(value));

test('what is asked back can be written back, and means one thing', () => {
  for (const locale of ['ru', 'en', 'de']) {
    for (const number of [1500, 1.5, 1.505, -1500])
      expect(short(readNumber(meaningText(number, locale), people(locale)))).toBe(number);
    expect(short(readDate(meaningText('2027-03-04', locale), people(locale), { today: TODAY }))).toBe('2027-03-04');
  }
  expect(short(readPhone(meaningText('+380501234567', 'ru'), people('ru')))).toBe('+380501234567');
});
