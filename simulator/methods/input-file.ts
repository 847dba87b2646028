import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import type { Call } from '../api/call.ts';
import { badRequest } from '../api/refusal.ts';
import type { Outward } from '../delivery/outward.ts';
import type { StoredFile } from '../world/files.ts';
import { imageSize } from '../world/image-size.ts';
import type { MediaKind } from '../world/media.ts';
import { mimeOf } from '../world/mime.ts';

const MEGABYTE = 1024 * 1024;
/** Telegram's limits for files that it fetches itself. */
const URL_BYTES_MAX = 20 * MEGABYTE;
const URL_PHOTO_BYTES_MAX = 5 * MEGABYTE;
const PHOTO_BYTES_MAX = 10 * MEGABYTE;
const UPLOAD_BYTES_MAX = 50 * MEGABYTE;
/** A Local Bot API server's own limit is four times this; here the bytes stay in memory. */
const LOCAL_BYTES_MAX = 500 * MEGABYTE;
const FETCH_MS = 10_000;
/** Width and height of a photo together, and how many times the one may be the other. */
const SIDES_MAX = 10_000;
const RATIO_MAX = 20;

function store(call: Call, kind: MediaKind, name: string, mime: string, bytes: Buffer): StoredFile {
  if (bytes.length === 0) throw badRequest('file must be non-empty');
  if (bytes.length > (kind === 'photo' ? PHOTO_BYTES_MAX : UPLOAD_BYTES_MAX)) {
    throw badRequest(kind === 'photo' ? 'PHOTO_INVALID_DIMENSIONS' : 'file is too big');
  }
  if (kind === 'photo') checkPicture(bytes);
  return call.world.files.add(kind, name, mimeOf(name) ?? mime, bytes);
}

/** A photo is a picture, no wider and higher than Telegram takes, and no stripe. */
function checkPicture(bytes: Buffer): void {
  const size = imageSize(bytes);
  if (!size) throw badRequest('IMAGE_PROCESS_FAILED');
  const { width, height } = size;
  if (width + height > SIDES_MAX || Math.max(width, height) > RATIO_MAX * Math.min(width, height))
    throw badRequest('PHOTO_INVALID_DIMENSIONS');
}

/** How the address is fetched; undefined where it is none, or leads where this simulator does not go. */
function fetcherOf(call: Call, url: string): ReturnType<Outward['fetcher']> {
  try {
    return call.world.outward.fetcher(new URL(url));
  } catch {
    return undefined;
  }
}

async function fetchUrl(call: Call, kind: MediaKind, url: string): Promise<StoredFile> {
  const how = fetcherOf(call, url);
  if (how === undefined) throw badRequest('failed to get HTTP URL content');
  let name: string;
  let mime: string;
  let bytes: Buffer;
  try {
    const { statusCode, headers, body } = await request(url, {
      headersTimeout: FETCH_MS,
      bodyTimeout: FETCH_MS,
      ...how,
    });
    bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    mime = String(headers['content-type'] ?? 'application/octet-stream').split(';')[0] ?? '';
    name = basename(new URL(url).pathname) || 'file';
  } catch {
    throw badRequest('failed to get HTTP URL content');
  }
  if (mime === 'text/html') throw badRequest('wrong type of the web page content');
  if (bytes.length > (kind === 'photo' ? URL_PHOTO_BYTES_MAX : URL_BYTES_MAX))
    throw badRequest('failed to get HTTP URL content');
  return store(call, kind, name, mime, bytes);
}

async function readLocal(call: Call, kind: MediaKind, url: string): Promise<StoredFile> {
  if (call.world.files.local === undefined) throw badRequest('wrong file identifier/HTTP URL specified');
  const path = pathOf(url);
  const bytes = path === undefined ? undefined : await call.world.files.readLocal(path, LOCAL_BYTES_MAX);
  if (path === undefined || bytes === undefined) throw badRequest('invalid file HTTP URL specified: File not found');
  if (kind === 'photo') checkPicture(bytes);
  const name = basename(path);
  return call.world.files.add(kind, name, mimeOf(name) ?? 'application/octet-stream', bytes);
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** The file that a parameter names: an upload (`attach://name` or the part itself), a file_id, a URL or a local path. */
export function resolveFile(
  call: Call,
  kind: MediaKind,
  param: string,
  value: unknown,
): StoredFile | Promise<StoredFile> {
  const text = typeof value === 'string' ? value : '';
  const upload = call.uploads?.get(
    text.startsWith('attach://') ? text.slice('attach://'.length) : text === '' ? param : '',
  );
  if (upload) return store(call, kind, upload.name, upload.mime, upload.bytes);
  if (text === '' || text.startsWith('attach://'))
    throw badRequest(`there is no ${kind.replace('_', ' ')} in the request`);
  if (/^https?:\/\//i.test(text)) return fetchUrl(call, kind, text);
  if (/^file:\/\//i.test(text)) return readLocal(call, kind, text);
  const known = call.world.files.byId(text, call.bot.id);
  if (!known) throw badRequest('wrong file identifier/HTTP URL specified');
  if (!fitsKind(known.kind, kind)) throw badRequest(`can't use file of type ${title(known.kind)} as ${title(kind)}`);
  return known;
}

/** A file_id keeps its type: a photo cannot be sent as a video. Documents may be anything. */
function fitsKind(have: string, want: MediaKind): boolean {
  return have === want || (want === 'live_photo' && have === 'video') || (want === 'photo' && have === 'live_photo');
}

function title(kind: string): string {
  return kind
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
