// Files that are not what they say, or that carry more than they show.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { shopDocument } from '../../server/domains/miniapps/fixtures.ts';
import { onePixel } from '../../server/domains/projects/fixtures.ts';
import type { Loose } from './manifests.ts';
import { MARK } from './submissions.ts';

export type HostileFile = {
  readonly name: string;
  readonly codes: readonly string[];
  readonly bytes: Buffer;
  /** The form's field, as the query of the request. */
  readonly query: string;
};

/** The shop with a field of each kind in its form. */
export function formDocument(): Loose {
  const whole = shopDocument() as Loose;
  const { lead } = whole.app.forms;
  const options = ['a', 'b'].map((id) => ({ id, label: `kind.${id}` }));
  Object.assign(lead.fields, {
    mail: { type: 'email', label: 'field.name' },
    tags: { type: 'choices', label: 'field.kind', options },
    age: { type: 'number', label: 'field.name', min: 0, max: 120, step: 1 },
    day: { type: 'date', label: 'field.time' },
    paper: { type: 'file', label: 'field.file' },
  });
  lead.order.push('mail', 'tags', 'age', 'day', 'paper');
  return whole;
}

export const jpeg = readFileSync(join(import.meta.dirname, '..', '..', 'examples', 'shop', 'cover.jpg'));

/** The pixel with other sides; its checksum is right. */
function sized(width: number, height: number): Buffer {
  const bytes = Buffer.from(onePixel);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

function bent(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

const script = `<script>/*${MARK}*/alert(1)</script>`;
const gif = (rest: string): Buffer => Buffer.from(`GIF89a${rest}`, 'latin1');
const webp = (rest: string): Buffer =>
  Buffer.concat([Buffer.from('RIFF\x20\0\0\0WEBP', 'latin1'), Buffer.from(rest, 'latin1')]);

const IMAGES: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['an SVG with a head', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a page', Buffer.from(`<!doctype html>${script}`)],
  ['nothing', Buffer.alloc(0)],
  ['noughts', Buffer.alloc(4_096)],
  ['a program', Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(200)])],
  ['a PDF for a picture', Buffer.from('%PDF-1.7\n%%EOF')],
  ['a picture of half', jpeg.subarray(0, jpeg.length >> 1)],
  ['a pixel of half', onePixel.subarray(0, 40)],
  ['a pixel with a wrong checksum', bent(onePixel, 30)],
  ['a pixel with other letters', bent(onePixel, 13)],
  ['a JPEG that begins as one', Buffer.concat([jpeg.subarray(0, 4), Buffer.from(script)])],
  ['a GIF that is a script', gif(`/*${script}*/=1;`)],
  ['a GIF without a picture', gif('\x01\0\x01\0\0\0\0;')],
  ['a WebP that is a script', webp(script)],
  ['a WebP of nothing', webp('VP8 \0\0\0\0')],
  ['a PNG of a script', Buffer.concat([onePixel.subarray(0, 8), Buffer.from(script)])],
  ['a picture that fills a memory', sized(100_000, 100_000)],
  ['a picture that is too long', sized(1, 13_000)],
  ['a picture of two thousand million points', sized(0x7fffffff, 1)],
  ['a picture without sides', sized(0, 0)],
];

const PAPERS: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['a page for a paper', Buffer.from(`<html><body>${script}</body></html>`)],
  ['a page behind words', Buffer.from(`Dear all,\n\n${script}`)],
  ['an SVG for a paper', Buffer.from('words <svg/onload=alert(1)> more')],
  ['entities', Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>')],
  ['a PDF without an end', Buffer.from(`%PDF-1.7\n${script}`)],
  ['an archive', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(26, 1), Buffer.from('a.exe')])],
  ['a script of a shell with a NUL', Buffer.from('#!/bin/sh\0\nrm -rf /\n')],
  ['letters of no alphabet', Buffer.from([0xff, 0xfe, 0x3c, 0, 0x73, 0, 0x63, 0, 0x72, 0, 0x69, 0, 0x70, 0])],
];

export const hostileFiles: readonly HostileFile[] = [
  ...IMAGES.map(([name, bytes]) => ({ name, codes: ['FILE_REFUSED'], bytes, query: 'form=lead&field=file' })),
  ...PAPERS.map(([name, bytes]) => ({ name, codes: ['FILE_REFUSED'], bytes, query: 'form=lead&field=paper' })),
  ...[
    ['form=lead&field=name', 'APP_OUTDATED'],
    ['form=nothing&field=file', 'APP_OUTDATED'],
    ['form=lead&field=constructor', 'INPUT_WRONG'],
    ['form=lead', 'INPUT_WRONG'],
    ['form=lead&form=visit&field=file', 'INPUT_WRONG'],
    ['form=lead&field=file&project=2', 'INPUT_WRONG'],
    [`form=lead&field=file&name=${'a'.repeat(401)}`, 'INPUT_WRONG'],
  ].map(([query = '', code = '']) => ({ name: query.slice(0, 60), codes: [code], bytes: onePixel, query })),
  {
    name: 'more than is read',
    codes: ['BODY_TOO_LARGE'],
    bytes: Buffer.alloc(10 * 1024 * 1024 + 1, 1),
    query: 'form=lead&field=file',
  },
];

/** A photo with where and by whom it was taken, a comment, and a second file behind its end. */
export function talkativePhoto(): Buffer {
  const part = (marker: number, body: Buffer): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };
  return Buffer.concat([
    jpeg.subarray(0, 2),
    part(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), Buffer.from(`GPS ${MARK}`)])),
    part(0xfe, Buffer.from(script)),
    jpeg.subarray(2),
    Buffer.from(`PK\x03\x04${script}`, 'latin1'),
  ]);
}
