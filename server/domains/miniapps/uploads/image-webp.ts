// WebP: chunks inside one RIFF. https://developers.google.com/speed/webp/docs/riff_container

const KEPT: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Of VP8X: there is EXIF, there is XMP. Both go. */
const metadataFlags = 0x08 | 0x04;
const chunksMax = 5_000;

/** The chunks that make the picture, in a RIFF that says their true length. */
export function cleanWebp(bytes: Buffer): Buffer | undefined {
  const size = bytes.readUInt32LE(4);
  const end = 8 + size;
  if (size % 2 !== 0 || end > bytes.length) return undefined;
  const kept: Buffer[] = [];
  const names: string[] = [];
  for (let at = 12; at < end; ) {
    if (at + 8 > end || names.length > chunksMax) return undefined;
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    if (next > end) return undefined;
    if (KEPT.has(name)) kept.push(name === 'VP8X' ? withoutFlags(bytes.subarray(at, next)) : bytes.subarray(at, next));
    names.push(name);
    at = next;
  }
  if (!isWhole(names)) return undefined;
  const body = Buffer.concat(kept);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([head, body]);
}

/** Simple, or extended with a picture or an animation behind it. */
function isWhole(names: readonly string[]): boolean {
  const pictures = names.filter((name) => name === 'VP8 ' || name === 'VP8L').length;
  if (names[0] === 'VP8 ' || names[0] === 'VP8L') return pictures === 1 && !names.includes('VP8X');
  if (names[0] !== 'VP8X' || names.lastIndexOf('VP8X') !== 0) return false;
  return names.includes('ANMF') ? pictures === 0 : pictures === 1;
}

function withoutFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk);
  if (copy.length < 18) throw new RangeError('VP8X is cut.');
  copy.writeUInt8(copy.readUInt8(8) & ~metadataFlags, 8);
  return copy;
}
