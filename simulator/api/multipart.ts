import type { Upload } from './body.ts';
import type { Params } from './check.ts';
import { badRequest } from './refusal.ts';

const HEADER_END = Buffer.from('\r\n\r\n');

/** One header parameter, quoted or not. */
function attribute(header: string, name: string): string | undefined {
  const match = new RegExp(`[;\\s]${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\r\\n]+))`, 'i').exec(header);
  const value = match?.[1] ?? match?.[2];
  return value?.replace(/\\(.)/g, '$1').replace(/%22/g, '"');
}

/** The name of an uploaded file; RFC 5987's `filename*` wins. */
function fileName(header: string): string | undefined {
  const extended = /filename\*=(?:utf-8|UTF-8)''([^;\r\n]+)/.exec(header)?.[1];
  return extended === undefined ? attribute(header, 'filename') : decodeURIComponent(extended);
}

/** Splits a multipart body that is held in memory. A part with a file name is a file, all others are text. */
export function readMultipart(contentType: string, bytes: Buffer): { fields: Params; uploads: Map<string, Upload> } {
  const boundary = attribute(contentType, 'boundary');
  if (!boundary) throw badRequest('boundary is not found in the multipart body');
  const fields: Params = {};
  const uploads = new Map<string, Upload>();
  const mark = Buffer.from(`--${boundary}`);
  let from = bytes.indexOf(mark);
  while (from !== -1) {
    const start = from + mark.length;
    if (bytes.toString('latin1', start, start + 2) === '--') break;
    const next = bytes.indexOf(mark, start);
    const headerEnd = bytes.indexOf(HEADER_END, start);
    if (next === -1 || headerEnd === -1 || headerEnd > next) throw badRequest('multipart body is cut off');
    const header = bytes.toString('utf8', start, headerEnd);
    const content = bytes.subarray(headerEnd + 4, next - 2);
    const name = attribute(header, 'name');
    const file = fileName(header);
    if (name !== undefined && file !== undefined) {
      const mime = /content-type:\s*([^\r\n;]+)/i.exec(header)?.[1]?.trim() ?? 'application/octet-stream';
      uploads.set(name, { name: file, mime, bytes: Buffer.from(content) });
    } else if (name !== undefined) {
      fields[name] = content.toString('utf8');
    }
    from = next;
  }
  return { fields, uploads };
}
