// The bodies of a foreign corpus, as bytes: nothing is parsed and written anew, since that would lose what is odd in them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One body to be posted. */
export type Sample = {
  /** Its place in its file, for people: `#12`, or the name of a raw body. */
  readonly name: string;
  readonly body: Buffer;
  /** False where the body is no JSON: it must be kept as it came, as a dead letter. */
  readonly valid: boolean;
  /** Which bot of its file gets it: updates that carry the same id must not meet. */
  readonly bot: number;
};

export type SampleFile = { readonly name: string; readonly samples: readonly Sample[] };

/** The files of `updates/` with their updates, and `raw-bytes/` as one file more. */
export function readCorpus(folder: string): SampleFile[] {
  const updates = join(folder, 'updates');
  const files = namesIn(updates, '.json').map((name) => {
    const bodies = elementsOf(readFileSync(join(updates, name)));
    return fileOf(
      name,
      bodies.map((body, index) => ({ name: `#${index}`, body })),
    );
  });
  const raw = join(updates, 'raw-bytes');
  const bodies = namesIn(raw, '.body').map((name) => ({ name, body: readFileSync(join(raw, name)) }));
  return bodies.length === 0 ? files : [...files, fileOf('raw-bytes/', bodies)];
}

function namesIn(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();
}

function fileOf(name: string, bodies: readonly { name: string; body: Buffer }[]): SampleFile {
  const seen = new Map<string, number>();
  const samples = bodies.map(({ name: place, body }) => {
    const { valid, id } = lookAt(body);
    const bot = seen.get(id) ?? 0;
    seen.set(id, bot + 1);
    return { name: place, body, valid, bot };
  });
  return { name, samples };
}

/** `id` is equal wherever two bodies may be taken for the same update. */
function lookAt(body: Buffer): { valid: boolean; id: string } {
  const text = body.toString('utf8');
  try {
    const update = JSON.parse(text) as { update_id?: unknown } | null;
    const id = typeof update === 'object' && update !== null ? update.update_id : undefined;
    return { valid: true, id: typeof id === 'number' || typeof id === 'string' ? String(id) : text };
  } catch {
    return { valid: false, id: text };
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [opening, closing] = [new Set([0x5b, 0x7b]), new Set([0x5d, 0x7d])];
const blank = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The source of each element of a JSON array, cut out of the file byte by byte. */
export function elementsOf(file: Buffer): Buffer[] {
  JSON.parse(file.toString('utf8'));
  const elements: Buffer[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  const take = (end: number): void => {
    const element = trimmed(file, start, end);
    if (element.length > 0) elements.push(element);
    start = end + 1;
  };
  for (let at = 0; at < file.length; at += 1) {
    const byte = file[at] as number;
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (opening.has(byte)) {
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (closing.has(byte)) {
      depth -= 1;
      if (depth === 0) take(at);
    } else if (byte === comma && depth === 1) take(at);
  }
  return elements;
}

function trimmed(bytes: Buffer, from: number, to: number): Buffer {
  let [start, end] = [from, to];
  while (start < end && blank.has(bytes[start] as number)) start += 1;
  while (end > start && blank.has(bytes[end - 1] as number)) end -= 1;
  return bytes.subarray(start, end);
}
