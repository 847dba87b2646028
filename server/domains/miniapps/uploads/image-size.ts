// How large a picture is, from its head. Throws RangeError where the head is cut before it says.
import { isFrame } from './image-jpeg.ts';
import type { ImageKind } from './images.ts';

type Size = { width: number; height: number };

/** As it is shown: a photo that lies on its side is counted upright. */
export function dimensionsOf(bytes: Buffer, kind: ImageKind): Size | undefined {
  switch (kind) {
    case 'image/png':
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    case 'image/gif':
      return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    case 'image/webp':
      return webpSize(bytes);
    case 'image/jpeg':
      return jpegSize(bytes);
  }
}

function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; bytes.readUInt8(at) === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (marker === 0xda || marker < 0xc0) return undefined;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): Size | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
