// Pictures, read to their last byte: what is not exactly a picture is refused, and what a picture carries besides
// itself (where and by whom it was taken, comments, a second file behind the end) is left out. Nothing here decodes
// a picture, so nothing here can be led astray by one.
import { cleanGif } from './image-gif.ts';
import { cleanJpeg } from './image-jpeg.ts';
import { cleanPng } from './image-png.ts';
import { dimensionsOf } from './image-size.ts';
import { cleanWebp } from './image-webp.ts';

export type ImageKind = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif';

/** A picture without what does not belong to it. */
export type CleanImage = {
  readonly kind: ImageKind;
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
};

/** Longer sides, and more points, are no photograph: they are meant to fill the memory of whoever opens them. */
const sideMax = 12_000;
const pixelsMax = 50_000_000;

const CLEANERS: readonly (readonly [ImageKind, (bytes: Buffer) => Buffer | undefined])[] = [
  ['image/jpeg', cleanJpeg],
  ['image/png', cleanPng],
  ['image/webp', cleanWebp],
  ['image/gif', cleanGif],
];

/** The kind that the first bytes claim; undefined: no picture of ours. */
export function imageKind(bytes: Buffer): ImageKind | undefined {
  if (bytes.length < 12) return undefined;
  if (bytes.readUInt16BE(0) === 0xffd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'image/gif';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : undefined;
}

/** The picture made clean, or undefined where it is not exactly what it claims to be. */
export function cleanImage(bytes: Buffer): CleanImage | undefined {
  const kind = imageKind(bytes);
  const cleaner = CLEANERS.find(([name]) => name === kind)?.[1];
  if (kind === undefined || cleaner === undefined) return undefined;
  try {
    const clean = cleaner(bytes);
    const size = clean && dimensionsOf(clean, kind);
    if (clean === undefined || size === undefined) return undefined;
    const { width, height } = size;
    const isSane = width > 0 && height > 0 && Math.max(width, height) <= sideMax && width * height <= pixelsMax;
    return isSane ? { kind, bytes: clean, width, height } : undefined;
  } catch (error) {
    // Read past the end: the file was cut.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** How large a picture is shown, from its beginning; undefined where that does not say. */
export function sizeOfImage(head: Buffer): { width: number; height: number } | undefined {
  const kind = imageKind(head);
  try {
    return kind && dimensionsOf(head, kind);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
