// JPEG: segments up to the end of the image. https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B.

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;

/** Frames we know: baseline, extended, progressive. Lossless and arithmetic ones no browser shows. */
export const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;
const isOddFrame = (marker: number): boolean => marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8;
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

/** Tables, frames and scans; of what applications add, the colour profile and what says how colours are kept. */
export function cleanJpeg(bytes: Buffer): Buffer | undefined {
  if (bytes.readUInt16BE(0) !== (0xff00 | SOI)) return undefined;
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let orientation = 0;
  let frames = 0;
  let scans = 0;
  let at = 2;
  for (;;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    // Any number of these may stand before a marker.
    while (bytes.readUInt8(at + 1) === 0xff) at += 1;
    const marker = bytes.readUInt8(at + 1);
    if (marker === EOI) {
      if (frames !== 1 || scans === 0) return undefined;
      return Buffer.concat([...withOrientation(kept, orientation), bytes.subarray(at, at + 2)]);
    }
    if (marker === SOI || marker < 0xc0 || isRestart(marker) || isOddFrame(marker)) return undefined;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return undefined;
    const segment = bytes.subarray(at, at + 2 + length);
    if (isFrame(marker)) frames += 1;
    if (marker === APP1) orientation ||= orientationOf(segment.subarray(4));
    if (isKept(marker, segment)) kept.push(segment);
    at += 2 + length;
    if (marker !== SOS) continue;
    scans += 1;
    const end = scanEnd(bytes, at);
    kept.push(bytes.subarray(at, end));
    at = end;
  }
}

function isKept(marker: number, segment: Buffer): boolean {
  if (marker === COM) return false;
  if (marker < APP0 || marker > APP15) return true;
  const name = segment.toString('latin1', 4, 16);
  return marker === APP0 ? name.startsWith('JFIF\0') : marker === APP2 ? name === 'ICC_PROFILE\0' : marker === APP14;
}

/** Where the entropy-coded data ends: the next marker that is no stuffing and no restart. Throws RangeError past the end. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 1) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) throw new RangeError('The scan has no end.');
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
}

/** Which way is up, 2 to 8, as cameras write it into EXIF; 0 where it says nothing or is broken. */
function orientationOf(body: Buffer): number {
  if (body.toString('latin1', 0, 6) !== 'Exif\0\0') return 0;
  const tiff = body.subarray(6);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return 0;
  const short = (at: number): number => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 0;
  const count = short(directory);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return 0;
    if (short(entry) !== 0x0112) continue;
    const value = short(entry + 8);
    return value >= 2 && value <= 8 ? value : 0;
  }
  return 0;
}

/** A photo that lies on its side stays upright: an EXIF segment of our own says nothing but that. */
function withOrientation(kept: readonly Buffer[], orientation: number): Buffer[] {
  const [start, ...others] = kept;
  if (orientation === 0 || start === undefined) return [...kept];
  const exif = Buffer.from(emptyExif, 'hex');
  exif.writeUInt16LE(orientation, 28);
  return [start, exif, ...others];
}

/** A segment with one field, the orientation: marker, length, name, TIFF head, directory. */
const emptyExif = [
  'ffe1',
  '0022',
  '457869660000',
  '49492a0008000000',
  '0100',
  '120103000100000000000000',
  '00000000',
].join('');
