import type { Params } from './check.ts';
import { readMultipart } from './multipart.ts';
import { badRequest } from './refusal.ts';

/** A file that came with a call. */
export type Upload = { name: string; mime: string; bytes: Buffer };

export type CallBody = { params: Params; uploads: Map<string, Upload> | undefined };

function readJson(bytes: Buffer): Params {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw badRequest("can't parse request JSON object");
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('request JSON must be an object');
  return value as Params;
}

export function readForm(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) params[name] = value;
  return params;
}

/** Parameters and files of a call, from its query and its body. */
export function readBody(contentType: string, bytes: Buffer, query: string): CallBody {
  if (bytes.length === 0) return { params: query === '' ? {} : readForm(query), uploads: undefined };
  if (contentType.startsWith('multipart/form-data')) {
    const { fields, uploads } = readMultipart(contentType, bytes);
    return { params: query === '' ? fields : { ...readForm(query), ...fields }, uploads };
  }
  const params = contentType.startsWith('application/json') ? readJson(bytes) : readForm(bytes.toString('utf8'));
  return { params: query === '' ? params : { ...readForm(query), ...params }, uploads: undefined };
}
