// Files that visitors send along: known by their content, made clean, kept in the database, and given to nobody but
// the owner of the project, to be saved and not to be opened.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { APP_LIMITS } from '../../../../contract/app/limits.ts';
import type { Db } from '../../../../kernel/db.ts';
import { Refusal } from '../../../../kernel/errors.ts';
import type { AppEntry } from '../apps.ts';
import { outdated } from '../kept.ts';
import type { AppRelease } from '../serving/releases.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { words } from '../words.ts';
import { documentKind } from './documents.ts';
import { cleanImage, imageKind } from './images.ts';
import { countOpenUploads, insertUpload } from './sql.ts';

export type Upload = {
  readonly app: AppEntry;
  readonly release: AppRelease;
  readonly visitor: Visitor;
  readonly form: string;
  readonly field: string;
  /** As the visitor's machine calls it; nothing is believed of it but the words. */
  readonly name: string | undefined;
  readonly bytes: Buffer;
  readonly locale: string;
};

/** Of one visitor, uploaded and not sent yet. */
const openFilesMax = 12;
/** Of one project: a flood of uploads ends here, and the disk does not. */
const openBytesMax = 512 * 1024 * 1024;

/**
 * Keeps a file and answers with its id, which only the same visitor may send in this field. Throws Refusal
 * APP_OUTDATED, BODY_TOO_LARGE, FILE_REFUSED, TOO_MANY_REQUESTS.
 */
export async function keepUpload(db: Db, upload: Upload): Promise<string> {
  const { app, release, visitor, bytes, locale } = upload;
  const says = words(locale);
  const field = own(own(release.app.forms, upload.form)?.fields, upload.field);
  if (field?.type !== 'file') throw outdated(locale);
  if (bytes.length > APP_LIMITS.fileBytes) throw fileTooLarge(upload.field, locale);
  const accepted = acceptedFile(upload, field.accept ?? 'any');
  const open = await countOpenUploads(db, app.projectId, visitor.id);
  if (open !== undefined && (open.count >= openFilesMax || open.project_bytes + bytes.length > openBytesMax))
    throw new Refusal('TOO_MANY_REQUESTS', says.fileMany);
  const id = `file_${randomBytes(16).toString('base64url')}`;
  await insertUpload(db, {
    id,
    projectId: app.projectId,
    visitorId: visitor.id,
    form: upload.form,
    field: upload.field,
    name: safeName(upload.name, accepted.kind),
    ...accepted,
  });
  return id;
}

/** BODY_TOO_LARGE, said under the field that the file was chosen in, where that is known. */
export function fileTooLarge(field: string | undefined, locale: string): Refusal {
  const says = words(locale);
  const sentence = says.fileLarge(APP_LIMITS.fileBytes / 1_048_576);
  // Under its field it is said once; the form says only where to look.
  return field === undefined
    ? new Refusal('BODY_TOO_LARGE', sentence)
    : new Refusal('BODY_TOO_LARGE', says.fix, { fields: { [field]: sentence } });
}

/** The file as it may be kept. Throws Refusal FILE_REFUSED. */
function acceptedFile(
  { bytes, field, locale }: Upload,
  accept: 'image' | 'document' | 'any',
): { kind: string; bytes: Buffer } {
  const says = words(locale);
  const refused = (why: string): Refusal => new Refusal('FILE_REFUSED', says.fix, { fields: { [field]: why } });
  const sentence = accept === 'image' ? says.fileKind : says.fileKindAny;
  if (bytes.length < 12) throw refused(sentence);
  if (imageKind(bytes) !== undefined && accept !== 'document') {
    const image = cleanImage(bytes);
    if (image === undefined) throw refused(says.fileBroken);
    return { kind: image.kind, bytes: image.bytes };
  }
  const kind = accept === 'image' ? undefined : documentKind(bytes);
  if (kind === undefined) throw refused(sentence);
  return { kind, bytes };
}

const own = <Value>(map: { readonly [key: string]: Value } | undefined, key: string): Value | undefined =>
  map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;

const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'application/pdf': ['pdf'],
  'application/zip': ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'],
  'application/x-office': ['doc', 'xls', 'ppt'],
  'text/plain': ['txt', 'csv'],
};

/** A name that a disk takes, with an ending that tells the truth. */
function safeName(name: string | undefined, kind: string): string {
  const plain = (name ?? '').normalize('NFC').replace(/[^\p{L}\p{N}._()-]+/gu, ' ');
  const cut = plain.lastIndexOf('.');
  const stem = (cut > 0 ? plain.slice(0, cut) : plain).replace(/^[. ]+|(?<![. ])[. ]+$/g, '').slice(0, 100) || 'file';
  const ending = cut > 0 ? plain.slice(cut + 1).toLowerCase() : '';
  const endings = ENDINGS[kind] ?? ['bin'];
  return `${stem}.${endings.includes(ending) ? ending : endings[0]}`;
}

/** How long an address of a file opens it. */
export const fileDays = 30;

/** Addresses of files carry a seal, so that whoever has been given one needs no password, and nobody can make one. */
export function createFileSeals(key: Uint8Array): {
  /** Path and query, below the installation. */
  address(id: string, nowMs: number): string;
  holds(id: string, until: string | undefined, seal: string | undefined, nowMs: number): boolean;
} {
  const sealOf = (id: string, until: string): string =>
    createHmac('sha256', key).update(`file ${id} ${until}`).digest('base64url');
  return {
    address(id, nowMs) {
      const until = String(Math.floor(nowMs / 1_000) + fileDays * 86_400);
      return `/v1/files/${id}?until=${until}&seal=${sealOf(id, until)}`;
    },
    holds(id, until = '', seal = '', nowMs) {
      const expected = Buffer.from(sealOf(id, until));
      const given = Buffer.from(seal);
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      return isOurs && /^\d{1,12}$/.test(until) && Number(until) * 1_000 > nowMs;
    },
  };
}
