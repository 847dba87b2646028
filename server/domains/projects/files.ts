// A project as files on disk: one JSON document and, beside it, the files it names. No database here.
import { createHash } from 'node:crypto';
import { realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Fault } from '../../../contract/flow.ts';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import { diskFullRefusal } from '../../../kernel/disk-full.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { makeFolder, readRegularFile, userName } from '../../../kernel/files.ts';
import { mediaFaultAt } from './faults.ts';
import { keysTwice } from './keys-twice.ts';
import { bundleBytesMax, mediaBytesMax, staysInside } from './rules.ts';

/** A project on its way in or out: the document as it stands in the file, and the bytes it names, by SHA-256. */
export type Bundle = {
  readonly document: unknown;
  readonly files: ReadonlyMap<string, Buffer>;
  /** What is wrong with the files; told together with what is wrong with the document. */
  readonly faults?: readonly Fault[];
};

export const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Reads a document and the files it names. An entry of `media` without `sha256` gets the hash of its file, so
 * that a hand-written document need not hold hashes. Nothing outside the document's folder is read.
 */
export async function readBundle(path: string): Promise<Bundle> {
  const text = await readText(path);
  const document = parseJson(text, path);
  const files = new Map<string, Buffer>();
  const faults: Fault[] = keysTwice(text);
  const folder = await realpath(dirname(path));
  const entries = mediaEntries(document);
  if (entries.length > FLOW_LIMITS.media)
    throw new Refusal('DOCUMENT_WRONG', `The document names more than ${FLOW_LIMITS.media} files.`);
  let bytes = 0;
  for (const [id, entry] of entries) {
    const found = await readMedia(folder, entry);
    if (typeof found === 'string') {
      faults.push(mediaFaultAt(id, found));
      continue;
    }
    bytes += found.length;
    if (bytes > bundleBytesMax)
      throw new Refusal(
        'DOCUMENT_WRONG',
        `The files of the document have more than ${bundleBytesMax / 1024 / 1024} MB together.`,
      );
    const hash = sha256Of(found);
    entry['sha256'] ??= hash;
    if (entry['sha256'] === hash) files.set(hash, found);
    else
      faults.push(
        mediaFaultAt(
          id,
          `The file ${entry['name']} is not the one this document was made with: its SHA-256 is ${hash}.`,
          'Put the right file there, or remove "sha256".',
        ),
      );
  }
  return { document, files, faults };
}

/**
 * Writes the document as readable JSON and its files beside it. Files are written first and renamed into
 * place, so that what is there is always whole.
 */
export async function writeBundle(path: string, bundle: Bundle): Promise<{ files: string[] }> {
  const entries = mediaEntries(bundle.document).map(([, entry]) => entry);
  const written: string[] = [];
  for (const entry of entries) {
    const bytes = bundle.files.get(String(entry['sha256']));
    const place = placeOf(entry, entries, basename(path));
    if (bytes === undefined || written.includes(place)) continue;
    await writeWhole(join(dirname(path), place), bytes);
    written.push(place);
  }
  await writeWhole(path, documentText(bundle.document));
  return { files: written };
}

/** A document as a file holds it: two spaces, a line break at the end. The same document gives the same bytes. */
export function documentText(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

type MediaEntry = Record<string, unknown> & { name: string };

/** The entries of `media` that name a file. The document is not checked yet, so nothing is taken for granted. */
function mediaEntries(document: unknown): [string, MediaEntry][] {
  const media = isObject(document) ? document['media'] : undefined;
  if (!isObject(media)) return [];
  return Object.entries(media).filter(
    (pair): pair is [string, MediaEntry] => isObject(pair[1]) && typeof pair[1]['name'] === 'string',
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where an entry's file lies: at its name, or under its hash where the name is somebody else's too or leaves the folder. */
function placeOf(entry: MediaEntry, all: readonly MediaEntry[], document: string): string {
  const taken = all.some((other) =>
    other.name === entry.name ? other['sha256'] !== entry['sha256'] : other.name.startsWith(`${entry.name}/`),
  );
  return taken || entry.name === document || !staysInside(entry.name) ? hashPlace(entry) : entry.name;
}

const hashPlace = (entry: MediaEntry): string => `media/${String(entry['sha256'])}`;

/** The bytes of an entry, or a sentence that says why there are none. */
async function readMedia(folder: string, entry: MediaEntry): Promise<Buffer | string> {
  const places = [];
  if (typeof entry['sha256'] === 'string' && /^[0-9a-f]{64}$/.test(entry['sha256'])) places.push(hashPlace(entry));
  if (staysInside(entry.name)) places.push(entry.name);
  else if (places.length === 0) return `The name ${JSON.stringify(entry.name)} leaves the folder of the document.`;
  for (const place of places) {
    const path = await realpath(join(folder, place)).catch(() => undefined);
    if (path === undefined) continue;
    // A link inside the folder may still lead out of it.
    if (!path.startsWith(folder.endsWith(sep) ? folder : folder + sep))
      return `The file ${place} is a link that leaves the folder of the document.`;
    return readRegularFile(path, mediaBytesMax).catch((error) => mediaProblem(place, error));
  }
  return `The file ${entry.name} is not beside the document.`;
}

function mediaProblem(place: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR' || code === 'ENOTREG') return `${place} is not a file.`;
  if (code === 'EFBIG') return `The file ${place} is larger than ${mediaBytesMax / 1024 / 1024} MB.`;
  return unusable(place, 'read', error).message;
}

async function readText(path: string): Promise<string> {
  const bytes = await readRegularFile(path, FLOW_LIMITS.documentBytes).catch((error) => {
    if (error.code !== 'EFBIG') throw unusable(path, 'read', error);
    const megabytes = FLOW_LIMITS.documentBytes / 1024 / 1024;
    throw new Refusal('DOCUMENT_WRONG', `The file ${path} is larger than ${megabytes} MB.`, { path });
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('DOCUMENT_WRONG', `The file ${path} is not UTF-8 text.`, { path });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: `may not be used by the user ${userName()}; put it where everybody may read, such as /tmp`,
  EROFS: 'lies on a disk that is read-only',
  ENOTDIR: 'cannot be there: a part of its path is a file',
  EEXIST: 'cannot be there: a part of its path is a file',
  EISDIR: 'is a folder; name the JSON file in it',
  ENOTREG: 'is no file but a pipe or a device',
};

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal('DOCUMENT_WRONG', `The file ${path} is not valid JSON: ${(error as Error).message}`, { path });
  }
}

async function writeWhole(path: string, content: Buffer | string): Promise<void> {
  const partial = `${path}.partial-${process.pid}`;
  try {
    await makeFolder(dirname(path));
    await writeFile(partial, content);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw unusable(path, 'written', error);
  }
}

function unusable(path: string, wish: 'read' | 'written', error: unknown): Refusal {
  const full = diskFullRefusal(error, { path });
  if (full !== undefined) return full;
  const { code = 'no reason given' } = error as NodeJS.ErrnoException;
  return new Refusal('FILE_UNUSABLE', `The file ${path} ${reasons[code] ?? `cannot be ${wish} (${code})`}.`, { path });
}
