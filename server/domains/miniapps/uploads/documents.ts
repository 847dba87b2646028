// Files that are no pictures: only those that an office sends, by what they are and not by what they are called.

export type DocumentKind = 'application/pdf' | 'application/zip' | 'application/x-office' | 'text/plain';

/** What the file is, when it may be kept; undefined: anything else, first of all whatever a browser would run. */
export function documentKind(bytes: Buffer): DocumentKind | undefined {
  if (bytes.toString('latin1', 0, 5) === '%PDF-') return isPdf(bytes) ? 'application/pdf' : undefined;
  if (bytes.readUInt32BE(0) === 0xd0cf11e0) return 'application/x-office';
  if (bytes.readUInt32BE(0) === 0x504b0304) return isOfficeZip(bytes) ? 'application/zip' : undefined;
  return isPlainText(bytes) ? 'text/plain' : undefined;
}

/** With its end, near the end of the file. */
const isPdf = (bytes: Buffer): boolean => bytes.subarray(-2_048).includes('%%EOF');

/** The first entry of a document of Word, Excel or LibreOffice has one of a few names. */
function isOfficeZip(bytes: Buffer): boolean {
  const nameBytes = bytes.length < 30 ? 0 : bytes.readUInt16LE(26);
  const name = bytes.toString('latin1', 30, 30 + Math.min(nameBytes, 200));
  return /^(\[Content_Types\]\.xml|_rels\/\.rels|mimetype|docProps\/|word\/|xl\/|ppt\/)/.test(name);
}

/** Words in UTF-8 in which no browser could see a page. */
function isPlainText(bytes: Buffer): boolean {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text holds them
  if (/[\u0000-\u0008\u000e-\u001f\u007f]/.test(text)) return false;
  return !/<\s*(!doctype|!entity|\?xml|[a-z][\w:-]*[\s>/])/i.test(text);
}
