import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Form, type FormField, formSchema } from '../../../../contract/app/forms.ts';
import { customsOf } from '../../readers/readers.ts';
import { type Given, readForm } from './values.ts';

const form = (fields: Record<string, Record<string, unknown>>): Form =>
  formSchema.parse({
    fields: Object.fromEntries(Object.entries(fields).map(([id, field]) => [id, { label: 'l', ...field }])),
    order: Object.keys(fields),
    submit: 's',
    done: 'd',
  });
const read = (one: Form, given: Given, shown: (field: FormField) => boolean = () => true) =>
  readForm(one, given, {
    locale: 'en',
    today: '2026-11-29',
    customs: customsOf({ defaultLocale: 'en' }),
    start: undefined,
    isShown: shown,
  });
const value = (field: Record<string, unknown>, given: Given[string]): unknown => {
  const { values, errors } = read(form({ f: field }), { f: given });
  return errors['f'] === undefined ? values['f'] : { error: errors['f'] };
};
const isWrong = (field: Record<string, unknown>, ...given: Given[string][]): void => {
  for (const one of given) expect(value(field, one), JSON.stringify(one)).toHaveProperty('error');
};

test('words are kept as words: composed, without what cannot be seen or turns the line', () => {
  expect(value({ type: 'text' }, ' cafe\u0301\u0000\u202e\n two ')).toBe('café two');
  expect(value({ type: 'text', lines: 3 }, 'a\r\n\r\n\r\n\r\nb')).toBe('a\n\nb');
  expect(value({ type: 'text' }, 'half \ud800 a sign')).toBe('half \ufffd a sign');
  expect(value({ type: 'text' }, 7)).toBe('7');
  isWrong({ type: 'text', maxChars: 3 }, 'four', '🙂🙂🙂🙂');
  expect(value({ type: 'text', maxChars: 3 }, '🙂🙂🙂')).toBe('🙂🙂🙂');
});

test('each kind takes what it is, and nothing else', () => {
  expect(value({ type: 'phone' }, '+7 (900) 123-45-67')).toBe('+79001234567');
  isWrong({ type: 'phone' }, 'abc', '12', '+7 900 abc 45 67', '1'.repeat(20));
  expect(value({ type: 'email' }, ' Anna@Mail.ru ')).toBe('anna@mail.ru');
  isWrong({ type: 'email' }, 'anna', 'a@b', 'a b@c.de', 'a@b@c.de', '<a@b.de>', `${'a'.repeat(250)}@b.de`);
  expect(value({ type: 'number', min: 1, max: 3, step: 0.5 }, '1,5')).toBe(1.5);
  isWrong(
    { type: 'number', min: 1, max: 3, step: 0.5 },
    0,
    4,
    1.3,
    'one',
    '1e3',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
  );
  const options = [
    { id: 'a', label: 'l' },
    { id: 'b', label: 'l' },
  ];
  for (const type of ['select', 'radio']) {
    expect(value({ type, options }, 'a')).toBe('a');
    isWrong({ type, options }, 'c', 'toString', ['a']);
  }
  expect(value({ type: 'choices', options }, ['b', 'a'])).toEqual(['a', 'b']);
  isWrong({ type: 'choices', options }, ['a', 'a'], ['c'], 'c');
  expect(value({ type: 'checkbox' }, true)).toBe(true);
  isWrong({ type: 'checkbox' }, 'yes', 1);
  isWrong({ type: 'consent' }, false, '', 'true');
  expect(value({ type: 'date', min: 'today', max: '2026-12-31' }, '2026-11-29')).toBe('2026-11-29');
  isWrong({ type: 'date', min: 'today', max: '2026-12-31' }, '2026-11-28', '2027-01-01', '2026-02-30', '29 February');
  expect(value({ type: 'time' }, '09:30')).toBe('09:30');
  expect(value({ type: 'time' }, '9:30 pm')).toBe('21:30');
  isWrong({ type: 'time' }, '24:00', '09:60');
  expect(value({ type: 'rating' }, 5)).toBe(5);
  isWrong({ type: 'rating', max: 3 }, 0, 4, 1.5);
  expect(value({ type: 'pick', data: 'd', title: 't' }, '12')).toBe(12);
  isWrong({ type: 'pick', data: 'd', title: 't' }, 0, -1, 1.5, 'x', 1e20);
  expect(value({ type: 'slot', booking: 'b' }, '2026-11-30T07:00:00Z')).toBe('2026-11-30T07:00:00.000Z');
  isWrong({ type: 'slot', booking: 'b' }, '2026-11-30', 'soon', '2026-13-30T07:00:00Z');
  const file = `file_${'a'.repeat(22)}`;
  expect(value({ type: 'file' }, file)).toEqual([file]);
  isWrong({ type: 'file' }, 'file_1', [file, file], '/etc/passwd', Array(6).fill(file));
});

test('what may mean two things is asked for, with both in words that can be written', () => {
  const error = (field: Record<string, unknown>, given: string) => (value(field, given) as { error: string }).error;
  expect(error({ type: 'date' }, '03/04/2027')).toBe(
    'This can mean different things. Write April 3, 2027 or March 4, 2027',
  );
  expect(error({ type: 'phone' }, '(202) 555-0123')).toMatch(/^Write the number with a plus/);
  expect(error({ type: 'phone' }, '380501234567')).toBe('If this is +380 50 123 4567, write it with the plus');
  const russian = { locale: 'ru', today: '2026-11-29', start: undefined, isShown: () => true };
  const { errors } = readForm(
    form({ f: { type: 'number' } }),
    { f: '1.500' },
    { ...russian, customs: customsOf({ defaultLocale: 'ru' }) },
  );
  expect(errors).toEqual({ f: 'Это можно понять по-разному. Напишите 1500 или 1,5' });
});

test('what is required must be there; the rest may be missing', () => {
  const one = form({
    a: { type: 'text', required: true },
    b: { type: 'text' },
    c: { type: 'choices', options: [{ id: 'x', label: 'l' }] },
  });
  expect(read(one, { a: '  ', b: '', c: [] })).toEqual({
    values: {},
    errors: { a: 'Fill in this field' },
    unknown: [],
  });
  expect(read(one, { a: 'x' }).values).toEqual({ a: 'x' });
  for (const nothing of ['\u0000', '\u202e', '\u3164', '\u2800', '\u200b', ['x'], []])
    expect(read(one, { a: nothing }).errors).toHaveProperty('a');
  expect(read(one, { a: 'x', b: '\u0000' }).values).toEqual({ a: 'x' });
});

test('a hidden field is ours, and what is not shown is left out', () => {
  const one = formSchema.parse({
    fields: { h: { type: 'hidden', value: 'fixed' }, t: { type: 'text', label: 'l', required: true } },
    order: ['h', 't'],
    submit: 's',
    done: 'd',
  });
  expect(read(one, { h: 'forged', t: 'x' }, () => false)).toEqual({ values: { h: 'fixed' }, errors: {}, unknown: [] });
  expect(read(one, { t: 'x', __other: 'y', constructor: 'z' } as never).unknown).toEqual(['__other', 'constructor']);
});

test('whatever is sent, each field has a value of its kind, a sentence, or nothing', () => {
  const types = ['text', 'phone', 'email', 'number', 'date', 'time', 'rating', 'checkbox', 'consent', 'file'];
  const one = form(Object.fromEntries(types.map((type) => [type, { type }])));
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.array(fc.string()));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...types), anything), (given) => {
      const { values, errors } = read(one, given as Given);
      for (const [name, kept] of Object.entries(values)) {
        expect(errors).not.toHaveProperty(name);
        expect(JSON.stringify(kept)).not.toMatch(/\\u0000/);
      }
    }),
  );
});
