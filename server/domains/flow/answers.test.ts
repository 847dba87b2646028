import { describe, expect, test } from 'vitest';
import { message, release, run, said, say, startDocument } from './fixtures.ts';

/** Asks one question; gives what was remembered, or what was said instead. */
function ask(props: object, event: Parameters<typeof run>[1][number], type: string): unknown {
  const own = release(
    startDocument(
      { q: { type: 'input', props: { into: 'v', ...props } } },
      { variables: { v: { type, scope: 'contact' } }, texts: { a: 'Alpha', b: 'Beta', q: 'Q' } },
    ),
  );
  const last = run(own, [say('/start'), event]).at(-1)!;
  return last.state.contact.vars['v'] ?? `refused: ${said(last)[0]}`;
}

const photo = {
  photo: [
    { file_id: 'small', width: 1, height: 1 },
    { file_id: 'large', width: 9, height: 9, file_size: 3_000_000 },
  ],
};

describe('a question takes what fits', () => {
  test.each<[string, object, object, string, unknown]>([
    ['a text of some length', { kind: 'text', min: 2, max: 3 }, { text: ' abc ' }, 'text', 'abc'],
    ['a text of a form', { kind: 'text', pattern: '[A-Z]{2}\\d+' }, { text: 'AB12' }, 'text', 'AB12'],
    ['a number within bounds', { kind: 'number', min: 1, max: 9, integer: true }, { text: '9' }, 'number', 9],
    [
      'a phone that is shared',
      { kind: 'phone' },
      { contact: { phone_number: '79001234567', first_name: 'A', user_id: 5 } },
      'phone',
      '+79001234567',
    ],
    [
      "a contact of one's own",
      { kind: 'contact', own: true },
      { contact: { phone_number: '+1 202 555 0100', first_name: 'A', user_id: 77 } },
      'phone',
      '+12025550100',
    ],
    [
      'a place',
      { kind: 'location' },
      { venue: { location: { latitude: 1, longitude: 2 } }, location: { latitude: 1, longitude: 2 } },
      'location',
      { latitude: 1, longitude: 2 },
    ],
    [
      'a file, of a photo the largest',
      { kind: 'file', files: ['photo'], maxMegabytes: 3 },
      photo,
      'file',
      { kind: 'photo', fileId: 'large', uniqueId: '', name: '', mime: '', bytes: 3_000_000 },
    ],
    [
      'a date within bounds',
      { kind: 'date', min: '2026-01-01', max: '2026-12-31' },
      { text: '01.05.2026' },
      'date',
      '2026-05-01',
    ],
    ['a date without time', { kind: 'date' }, { text: '31.12.2026' }, 'date', '2026-12-31'],
  ])('%s', (_name, props, content, type, value) =>
    expect(ask(props, message(content as { text: string }), type)).toEqual(value),
  );

  test('files of an album into a list', () => {
    const album = {
      ...message(photo),
      kind: 'album' as const,
      files: [...message(photo).files, ...message({ document: { file_id: 'd' } }).files],
    };
    expect(ask({ kind: 'file' }, album, 'list')).toMatchObject([{ fileId: 'large' }, { fileId: 'd' }]);
    expect(ask({ kind: 'file' }, album, 'file')).toMatchObject({ fileId: 'large' });
    expect(ask({ kind: 'file', files: ['photo'] }, album, 'file')).toBe(
      'refused: That file does not fit. Please send another one.',
    );
  });
});

describe('a question refuses what does not fit', () => {
  test.each<[string, object, object, string]>([
    ['a text that is too short', { kind: 'text', min: 5 }, { text: 'abc' }, 'text'],
    ['only space', { kind: 'text' }, { text: '   ' }, 'text'],
    ['a text of another form', { kind: 'text', pattern: '\\d+' }, { text: '12a' }, 'text'],
    ['a photo for a text', { kind: 'text' }, photo, 'text'],
    ['a fraction for a whole number', { kind: 'number', integer: true }, { text: '1.5' }, 'number'],
    ['a number out of bounds', { kind: 'number', max: 3 }, { text: '4' }, 'number'],
    [
      'the contact of somebody else',
      { kind: 'contact', own: true },
      { contact: { phone_number: '+12025550100', first_name: 'B', user_id: 8 } },
      'phone',
    ],
    ['words for a contact', { kind: 'contact' }, { text: '+12025550100' }, 'phone'],
    ['words for a place', { kind: 'location' }, { text: 'дом' }, 'location'],
    ['a file that is too large', { kind: 'file', maxMegabytes: 2 }, photo, 'file'],
    ['a date out of bounds', { kind: 'date', min: '2027-01-01' }, { text: '31.12.2026' }, 'date'],
  ])('%s', (_name, props, content, type) =>
    expect(ask(props, message(content as { text: string }), type)).toMatch(/^refused: /),
  );

  test('and says why in its language', () => {
    expect(ask({ kind: 'email' }, say('anna'), 'email')).toBe(
      'refused: That does not look like an e-mail address. Example: anna@example.com',
    );
  });
});
