import type { Params } from './check.ts';
import { readMultipart } from './multipart.ts';
import { badRequest } from './refusal.ts';

/** A file that came with a call. */
export type Upload = { name: string; mime: string; bytes: Buffer };

export type CallBody = { params: Params; uploads: Map<string, Upload> | undefined };

/** A request's body as it came. */
export class RawBody {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly query: string;
  /** The body decoded once, for reading and for the log; undefined for multipart. */
  readonly text: string | undefined;

  constructor(contentType: string, bytes: Buffer, query: string) {
    this.contentType = contentType;
    this.bytes = bytes;
    this.query = query;
    this.text = contentType.startsWith('multipart/') ? undefined : bytes.toString('utf8');
  }
}

function readJson(text: string): Params {
  let value: unknown;
  try {
    value = JSON.parse(text);
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
export function readBody({ contentType, bytes, query, text }: RawBody): CallBody {
  if (bytes.length === 0) return { params: query === '' ? {} : readForm(query), uploads: undefined };
  if (text === undefined) {
    const { fields, uploads } = readMultipart(contentType, bytes);
    return { params: query === '' ? fields : { ...readForm(query), ...fields }, uploads };
  }
  const params = contentType.startsWith('application/json') ? readJson(text) : readForm(text);
  return { params: query === '' ? params : { ...readForm(query), ...params }, uploads: undefined };
}
