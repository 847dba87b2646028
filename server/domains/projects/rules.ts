// Pure decisions of the projects domain: what a name may be, where a file may lie, what a file's content is.
import type { FlowDocument } from '../../../contract/flow.ts';

export const nameCharsMax = 64;
/** What a bot can send again and again without being a burden; Telegram itself takes 50 MB from a bot. */
export const mediaBytesMax = 20 * 1024 * 1024;
/** All files of one document together: they pass through memory when a project is imported or exported. */
export const bundleBytesMax = 256 * 1024 * 1024;
/** Telegram refuses larger pictures when they are sent as photos. */
export const photoBytesMax = 10 * 1024 * 1024;

const publicIdShape = /^prj_[a-z0-9]{20}$/;

/** True for what `newPublicId` makes. No project may be named like that, so one word finds one project. */
export function looksLikePublicId(text: string): boolean {
  return publicIdShape.test(text);
}

/** A public id from 20 random bytes: letters and digits only, so that it can stand in an address. */
export function publicIdOf(random: Uint8Array): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz012345';
  let id = 'prj_';
  for (const byte of random.subarray(0, 20)) id += alphabet[byte & 31];
  return id;
}

/** One spelling for one name: composed letters, single spaces, none at the ends. */
export function normalName(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/** What is wrong with a name that is already normal, as a sentence; undefined when nothing is. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'A project needs a name.';
  if ([...name].length > nameCharsMax) return `A project name has at most ${nameCharsMax} characters.`;
  if (!/^[\p{L}\p{N}]/u.test(name)) return 'A project name begins with a letter or a digit.';
  if (!/^[\p{L}\p{M}\p{N} ._'’()&+-]+$/u.test(name)) {
    return "A project name holds letters, digits, spaces and . _ - ' ( ) & + only.";
  }
  if (looksLikePublicId(name)) return 'This name looks like a project id. Choose another.';
  return undefined;
}

/** The name a file proposes: `lead-form.json` becomes `lead-form`. */
export function nameFromFile(path: string): string {
  const file = path.split(/[\\/]/).pop() ?? '';
  return normalName(file.replace(/\.(roost\.)?json$/i, ''));
}

/**
 * True for a name that stays inside the folder of its document. A document can come from a stranger, and
 * `../../etc/passwd` as a media file would end in a chat.
 */
export function staysInside(name: string): boolean {
  if (name.includes('\0') || name.includes('\\') || name.startsWith('/') || /^[A-Za-z]:/.test(name)) return false;
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** What a file is by its first bytes, as a MIME type; names and extensions are not believed. */
export function kindOfContent(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64));
  for (const [offset, signature, kind] of signatures) {
    if (head.subarray(offset, offset + signature.length).equals(signature))
      return kind === 'riff' ? riffKind(head) : kind;
  }
  if (head.length >= 12 && head.toString('latin1', 4, 8) === 'ftyp')
    return isoMediaKind(head.toString('latin1', 8, 12));
  // MPEG audio without tags begins with eleven set bits and a layer that is not reserved.
  if (head.length >= 2 && head[0] === 0xff && (head[1]! & 0xe0) === 0xe0 && (head[1]! & 0x06) !== 0)
    return 'audio/mpeg';
  return 'application/octet-stream';
}

type Signature = readonly [offset: number, bytes: Buffer, kind: string];

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const signatures: readonly Signature[] = [
  [0, latin1('\xff\xd8\xff'), 'image/jpeg'],
  [0, latin1('\x89PNG\r\n\x1a\n'), 'image/png'],
  [0, latin1('GIF87a'), 'image/gif'],
  [0, latin1('GIF89a'), 'image/gif'],
  [0, latin1('RIFF'), 'riff'],
  [0, latin1('OggS'), 'audio/ogg'],
  [0, latin1('ID3'), 'audio/mpeg'],
  [0, latin1('fLaC'), 'audio/flac'],
  [0, latin1('\x1aE\xdf\xa3'), 'video/webm'],
  [0, latin1('%PDF-'), 'application/pdf'],
  [0, latin1('PK\x03\x04'), 'application/zip'],
];

function riffKind(head: Buffer): string {
  const form = head.toString('latin1', 8, 12);
  if (form === 'WEBP') return 'image/webp';
  return form === 'WAVE' ? 'audio/wav' : 'application/octet-stream';
}

function isoMediaKind(brand: string): string {
  if (brand.startsWith('M4A')) return 'audio/mp4';
  if (brand.startsWith('qt')) return 'video/quicktime';
  return /^(heic|heix|mif1|avif)/.test(brand) ? 'image/heif' : 'video/mp4';
}

type MediaKind = 'photo' | 'video' | 'document' | 'audio' | 'animation' | 'voice';

/** What Telegram shows as the kind the maker chose; anything may be sent as a document. */
const accepted: Readonly<Record<MediaKind, readonly string[]>> = {
  photo: ['image/jpeg', 'image/png', 'image/webp'],
  video: ['video/mp4', 'video/quicktime'],
  animation: ['image/gif', 'video/mp4'],
  audio: ['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/flac', 'audio/wav'],
  voice: ['audio/ogg', 'audio/mpeg', 'audio/mp4'],
  document: [],
};

/** Why Telegram would not show this content as that kind, as a sentence; undefined when it would. */
export function mediaFault(kind: MediaKind, content: string, bytes: number): string | undefined {
  if (bytes === 0) return 'The file is empty.';
  if (bytes > mediaBytesMax)
    return `The file has ${megabytes(bytes)} MB; a project's file has at most ${megabytes(mediaBytesMax)} MB.`;
  if (kind === 'photo' && bytes > photoBytesMax) {
    return `The picture has ${megabytes(bytes)} MB; a photo has at most ${megabytes(photoBytesMax)} MB. Make it smaller or send it as a document.`;
  }
  if (kind === 'document' || accepted[kind].includes(content)) return undefined;
  return `The file's content is ${content}, which Telegram does not show as ${article(kind)}. Convert it, or send it as a document.`;
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0);
const article = (kind: string): string => (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`);

/** Telegram shows no more of a menu button than this anyway. */
const menuCharsMax = 32;

/** What the bots' menu button says: the name of the site, else the title of the first page. null: there is no app. */
export function menuTextOf({ app, defaultLocale }: FlowDocument): string | null {
  if (app === undefined) return null;
  const key = app.site?.name ?? app.pages[app.start]?.title ?? '';
  const text = Object.hasOwn(app.texts, key) ? app.texts[key] : undefined;
  const body = text?.[defaultLocale] ?? Object.values(text ?? {})[0] ?? '';
  const spans = typeof body === 'string' ? [body] : body;
  const words = spans.map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : '')).join('');
  // A release of another time may hold what texts may not hold any more, and no column takes a NUL.
  const name = [...words.replace(/[\s\p{Cc}\u202a-\u202e]+/gu, ' ').trim()];
  return name.slice(0, menuCharsMax).join('') || 'App';
}
