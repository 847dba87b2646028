import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  kindOfContent,
  looksLikePublicId,
  mediaFault,
  nameFault,
  nameFromFile,
  normalName,
  publicIdOf,
  staysInside,
} from './rules.ts';

test('a name may be in any language and hold spaces', () => {
  for (const name of [
    'Shop',
    'Кофейня «на углу»'.replace(/[«»]/g, "'"),
    'café 2',
    '東京',
    '7 days',
    "Bob's (new) + old & co.",
  ]) {
    expect(nameFault(normalName(name)), name).toBeUndefined();
  }
});

test('a name that cannot be typed, shown or told apart is refused in words', () => {
  for (const name of [
    '',
    '   ',
    '-x',
    '../x',
    'a/b',
    'a\u0000b',
    'a\u202eb',
    'a"b',
    'x'.repeat(65),
    publicIdOf(new Uint8Array(20)),
  ]) {
    expect(nameFault(normalName(name)), JSON.stringify(name)).toMatch(/\.$/);
  }
});

test('a name has one spelling', () => {
  expect(normalName('  cafe\u0301 \t two ')).toBe('café two');
  expect(nameFromFile('/a/b/lead-form.roost.json')).toBe('lead-form');
  expect(nameFromFile('quiz.JSON')).toBe('quiz');
});

test('every public id looks like one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (random) => looksLikePublicId(publicIdOf(random))),
  );
});

test('a file name stays inside the folder of its document', () => {
  for (const name of ['menu.jpg', 'media/menu.jpg', 'фото 1.png', '..menu', 'a..b/c'])
    expect(staysInside(name), name).toBe(true);
  for (const name of [
    '',
    '/etc/passwd',
    '..',
    '../x',
    'a/../../x',
    'a//b',
    './a',
    'C:\\x',
    'C:/x',
    'a\\..\\b',
    'a\0b',
  ]) {
    expect(staysInside(name), JSON.stringify(name)).toBe(false);
  }
});

test('content is known by its first bytes', () => {
  const cases: [string, string][] = [
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBP', 'image/webp'],
    ['RIFF\0\0\0\0WAVE', 'audio/wav'],
    ['OggS', 'audio/ogg'],
    ['ID3', 'audio/mpeg'],
    ['\xff\xfb\x90', 'audio/mpeg'],
    ['\0\0\0\x18ftypisom', 'video/mp4'],
    ['\0\0\0\x18ftypM4A ', 'audio/mp4'],
    ['\0\0\0\x18ftypheic', 'image/heif'],
    ['%PDF-1.7', 'application/pdf'],
    ['#EXTM3U', 'application/octet-stream'],
    ['<svg', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ];
  for (const [bytes, kind] of cases) expect(kindOfContent(Buffer.from(bytes, 'latin1')), bytes).toBe(kind);
});

test('any bytes have a kind', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => kindOfContent(bytes).includes('/')));
});

test('a file must be what the maker says it is, or go as a document', () => {
  expect(mediaFault('photo', 'image/png', 10)).toBeUndefined();
  expect(mediaFault('document', 'application/octet-stream', 10)).toBeUndefined();
  expect(mediaFault('photo', 'video/mp4', 10)).toContain('send it as a document');
  expect(mediaFault('animation', 'image/png', 10)).toContain('as an animation');
  expect(mediaFault('photo', 'image/png', 11 * 1024 * 1024)).toContain('11 MB');
  expect(mediaFault('document', 'application/pdf', 21 * 1024 * 1024)).toContain('20 MB');
  expect(mediaFault('photo', 'image/png', 0)).toBe('The file is empty.');
});
