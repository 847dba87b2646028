import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onePixel } from '../../projects/fixtures.ts';
import { documentKind } from './documents.ts';
import { cleanImage, sizeOfImage } from './images.ts';

const examples = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'shop');
const jpeg = readFileSync(join(examples, 'cover.jpg'));
const webp = readFileSync(join(examples, 'bowl.webp'));
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const samples = { jpeg, webp, gif, png: onePixel };

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([latin1(name), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}

const segment = (marker: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([hex(marker), length, data]);
};

/** EXIF as a phone writes it: which way is up, and where it was. */
const exif = (orientation: number): Buffer =>
  segment(
    'ffe1',
    Buffer.concat([
      latin1('Exif\0\0'),
      hex(`4d4d002a 00000008 0002 0112 0003 00000001 000${orientation}0000 8825 0004 00000001 00000026 00000000`),
      latin1('GPS 55.75 37.61'),
    ]),
  );

/** The same picture with segments before its own. */
const withSegments = (...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

describe('a picture', () => {
  test('of each kind is kept, and is as large as it is', () => {
    for (const [kind, bytes] of Object.entries(samples)) {
      const clean = cleanImage(bytes);
      expect(clean?.kind, kind).toBe(`image/${kind}`);
      expect(sizeOfImage(bytes.subarray(0, 65_536)), kind).toEqual({ width: clean?.width, height: clean?.height });
    }
    expect(cleanImage(onePixel)).toMatchObject({ width: 1, height: 1 });
    // Once clean, nothing more is cut.
    for (const bytes of Object.values(samples)) {
      const clean = cleanImage(bytes)?.bytes as Buffer;
      expect(cleanImage(clean)?.bytes).toEqual(clean);
    }
  });

  test('loses what it says of the place, and stays upright', () => {
    const photo = withSegments(exif(6), segment('fffe', latin1('taken by Anna')), segment('ffed', latin1('Photoshop')));
    const clean = cleanImage(photo)?.bytes as Buffer;
    expect(clean.includes('GPS')).toBe(false);
    expect(clean.includes('Anna')).toBe(false);
    expect(clean.includes('Photoshop')).toBe(false);
    expect(clean.subarray(2, 38).toString('hex')).toMatch(/^ffe10022457869660000.*0600/);
    expect(cleanImage(withSegments(exif(1)))?.bytes.includes('Exif')).toBe(false);
    const png = Buffer.concat([
      onePixel.subarray(0, 33),
      chunk('tEXt', latin1('Author\0Anna')),
      chunk('eXIf', latin1('GPS')),
      onePixel.subarray(33),
    ]);
    expect(cleanImage(png)?.bytes).toEqual(onePixel);
  });

  test('loses what hangs behind its end', () => {
    for (const [kind, bytes] of Object.entries(samples)) {
      const tail = latin1('<script>alert(1)</script>PK\x03\x04');
      expect(cleanImage(Buffer.concat([bytes, tail]))?.bytes, kind).toEqual(cleanImage(bytes)?.bytes);
    }
  });

  test('that is cut, bent or only looks like one is refused', () => {
    for (const [kind, bytes] of Object.entries(samples)) {
      for (const share of [0.3, 0.6, 0.95])
        expect(cleanImage(bytes.subarray(0, Math.floor(bytes.length * share))), `${kind} ${share}`).toBeUndefined();
    }
    const bent = Buffer.from(onePixel);
    bent[40] = (bent[40] ?? 0) ^ 1;
    expect(cleanImage(bent)).toBeUndefined();
    const bomb = Buffer.from(gif);
    bomb.writeUInt16LE(60_000, 6);
    expect(cleanImage(bomb)).toBeUndefined();
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a<script>alert(1)</script>;',
      '\xff\xd8\xff<html>',
      '',
    ])
      expect(cleanImage(latin1(text)), text).toBeUndefined();
  });

  test('whatever bytes it has, it is kept or refused, and never more', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(samples)),
        fc.array(fc.tuple(fc.nat(4_000), fc.nat(255)), { maxLength: 8 }),
        (bytes, changes) => {
          const bent = Buffer.from(bytes);
          for (const [at, value] of changes) bent[at % bent.length] = value;
          const clean = cleanImage(bent);
          return clean === undefined || clean.bytes.length <= bent.length + 36;
        },
      ),
    );
  });
});

test('a document is what an office sends, and nothing that a browser runs', () => {
  const kinds: [Buffer, string | undefined][] = [
    [latin1('%PDF-1.7\n...\n%%EOF\n'), 'application/pdf'],
    [latin1('%PDF-1.7 without an end'), undefined],
    [
      Buffer.concat([
        hex('504b0304 14000600 08000000 21000000 00000000 00000000 00001300 0000'),
        latin1('[Content_Types].xml'),
      ]),
      'application/zip',
    ],
    [
      Buffer.concat([hex('504b0304 14000000 00000000 21000000 00000000 00000000 00000800 0000'), latin1('evil.exe')]),
      undefined,
    ],
    [Buffer.concat([hex('d0cf11e0a1b11ae1'), Buffer.alloc(20)]), 'application/x-office'],
    [Buffer.from('Список покупок: мёд < чай'), 'text/plain'],
    [Buffer.from('<!doctype html><p>words'), undefined],
    [Buffer.from('<svg onload=alert(1)>'), undefined],
    [Buffer.from('words <script>alert(1)</script>'), undefined],
    [Buffer.from('<?xml version="1.0"?><a/>'), undefined],
    [hex('4d5a90000300000004000000ffff0000'), undefined],
    [latin1('\xd0\xd0 not UTF-8 at all'), undefined],
  ];
  for (const [bytes, kind] of kinds) expect(documentKind(bytes), bytes.toString('latin1', 0, 40)).toBe(kind);
});
