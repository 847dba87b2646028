// GIF: blocks up to the trailer. https://www.w3.org/Graphics/GIF/spec-gif89a.txt

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
const framesMax = 2_000;

/** Pictures, their timing and their repetition. Comments, texts and the blocks of other applications go. */
export function cleanGif(bytes: Buffer): Buffer | undefined {
  const colours = bytes.readUInt8(10);
  let at = 13 + tableBytes(colours);
  const kept: Buffer[] = [bytes.subarray(0, at)];
  if (at > bytes.length) return undefined;
  let frames = 0;
  for (;;) {
    const sign = bytes.readUInt8(at);
    if (sign === TRAILER) return frames > 0 ? Buffer.concat([...kept, bytes.subarray(at, at + 1)]) : undefined;
    const end = sign === IMAGE ? imageEnd(bytes, at) : sign === EXTENSION ? blocksEnd(bytes, at + 2) : undefined;
    if (end === undefined) return undefined;
    if (sign === IMAGE) frames += 1;
    if (frames > framesMax) return undefined;
    if (sign === IMAGE || isKept(bytes, at)) kept.push(bytes.subarray(at, end));
    at = end;
  }
}

/** A table of colours, where the flags say that there is one. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

function imageEnd(bytes: Buffer, at: number): number | undefined {
  const data = at + 10 + tableBytes(bytes.readUInt8(at + 9));
  const codeBits = bytes.readUInt8(data);
  return codeBits < 2 || codeBits > 11 ? undefined : blocksEnd(bytes, data + 1);
}

/** Blocks with their length before them, up to one of length 0. Throws RangeError past the end. */
function blocksEnd(bytes: Buffer, from: number): number {
  for (let at = from; ; ) {
    const length = bytes.readUInt8(at);
    at += 1 + length;
    if (length === 0) return at;
  }
}

function isKept(bytes: Buffer, at: number): boolean {
  const label = bytes.readUInt8(at + 1);
  if (label === CONTROL) return true;
  return label === APPLICATION && /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(bytes.toString('latin1', at + 3, at + 14));
}
