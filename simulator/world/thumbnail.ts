import { crc32, deflateSync } from 'node:zlib';
import type { Size } from './image-size.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const GREY = 0xb8;

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

/** A grey picture of this size as PNG: stands for the small sizes of a photo, which have bytes of their own. */
export function greyPicture({ width, height }: Size): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a pixel, grey.
  head[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, GREY);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
