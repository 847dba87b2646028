// PNG: chunks, each with its checksum. https://www.w3.org/TR/png-3/#5DataRep
import { crc32 } from 'node:zlib';

const headBytes = 8;
/** What a picture is made of, and how it is shown. Texts, times, EXIF and everything private go. */
const KEPT: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'sBIT',
  'bKGD',
  'pHYs',
  'acTL',
  'fcTL',
  'fdAT',
]);
const isCritical = (name: string): boolean => /^[A-Z]/.test(name);

/** The chunks that make the picture. What stands behind the last is left out. */
export function cleanPng(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, headBytes)];
  const seen: string[] = [];
  for (let at = headBytes; ; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (length > 0x7fffffff || end > bytes.length) return undefined;
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(name)) return undefined;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    if (isCritical(name) && !KEPT.has(name)) return undefined;
    if (seen.length === 0 && (name !== 'IHDR' || length !== 13)) return undefined;
    if (seen.length > 0 && name === 'IHDR') return undefined;
    if (KEPT.has(name)) kept.push(bytes.subarray(at, end));
    seen.push(name);
    at = end;
    if (name === 'IEND') return seen.includes('IDAT') && length === 0 ? Buffer.concat(kept) : undefined;
    if (seen.length > chunksMax) return undefined;
  }
}

const chunksMax = 20_000;
