// Reads a document strictly: what is not understood is refused, with its place and a sentence for it.

import { type Fault, type FlowDocument, flowSchema } from '../../../contract/flow.ts';
import { isInheritedName } from '../../../contract/ids.ts';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import { sentencesOf } from './fault-sentences.ts';
import { upgradeDocument } from './upgrade.ts';
import { utf8Bytes } from './values.ts';

export type ParseResult =
  | { readonly ok: true; readonly document: FlowDocument }
  | { readonly ok: false; readonly faults: Fault[] };

/** More faults than this help nobody. */
const FAULTS_MAX = 100;

/** Reads a document strictly: either every part of it is right, or each fault is named with its place. Old versions are brought up. */
export function parseDocument(json: unknown): ParseResult {
  const unsafe = findUnsafe(json);
  if (unsafe.length > 0) return { ok: false, faults: unsafe };
  const upgraded = upgradeDocument(json);
  if ('fault' in upgraded) return { ok: false, faults: [upgraded.fault] };
  const parsed = flowSchema.safeParse(upgraded.document, { reportInput: true });
  const faults = parsed.success ? findOversize(parsed.data) : sentencesOf(parsed.error.issues).slice(0, FAULTS_MAX);
  return parsed.success && faults.length === 0 ? { ok: true, document: parsed.data } : { ok: false, faults };
}

const stops = (code: string, path: string, message: string, fix?: string): Fault => ({
  code,
  path,
  message,
  severity: 'stops',
  ...(fix === undefined ? {} : { fix }),
});

/** What must be refused before anything walks the document: endless depth, names that reach a prototype, sheer size. */
function findUnsafe(json: unknown): Fault[] {
  const faults: Fault[] = [];
  const open: { value: unknown; path: string; depth: number }[] = [{ value: json, path: '', depth: 0 }];
  for (let one = open.pop(); one !== undefined && faults.length < FAULTS_MAX; one = open.pop()) {
    const { value, path, depth } = one;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= FLOW_LIMITS.documentDepth) {
      faults.push(
        stops('too_deep', path, `The document is nested deeper than ${FLOW_LIMITS.documentDepth} levels here.`),
      );
      continue;
    }
    for (const key of Object.keys(value)) {
      const below = path === '' ? key : `${path}.${key}`;
      if (isInheritedName(key))
        faults.push(stops('name_reserved', below, `The name "${key}" cannot be used.`, 'Choose another name.'));
      else open.push({ value: (value as Record<string, unknown>)[key], path: below, depth: depth + 1 });
    }
  }
  if (faults.length === 0 && jsonSize(json) > FLOW_LIMITS.documentBytes) {
    faults.push(
      stops(
        'too_large',
        '',
        `The document is larger than ${FLOW_LIMITS.documentBytes / 1_048_576} MiB.`,
        'Put parts of it into a second project.',
      ),
    );
  }
  return faults;
}

function jsonSize(json: unknown): number {
  return utf8Bytes(JSON.stringify(json) ?? '');
}

type Counted = readonly [field: 'cards' | 'blocks' | 'triggers' | 'variables' | 'texts' | 'media', limit: number];

const COUNTED: readonly Counted[] = [
  ['cards', FLOW_LIMITS.cards],
  ['blocks', FLOW_LIMITS.blocks],
  ['triggers', FLOW_LIMITS.triggers],
  ['variables', FLOW_LIMITS.variables],
  ['texts', FLOW_LIMITS.texts],
  ['media', FLOW_LIMITS.media],
];

function findOversize(document: FlowDocument): Fault[] {
  const faults = COUNTED.filter(([field, limit]) => Object.keys(document[field] ?? {}).length > limit).map(
    ([field, limit]) => stops('too_many', field, `There can be at most ${limit} ${field}.`),
  );
  if (keywordCount(document) > FLOW_LIMITS.keywords) {
    faults.push(
      stops(
        'too_many',
        'triggers',
        `All triggers together can have at most ${FLOW_LIMITS.keywords} words.`,
        'Use a pattern.',
      ),
    );
  }
  for (const [key, text] of Object.entries(document.texts ?? {})) {
    for (const [locale, body] of Object.entries(text)) {
      if (jsonSize(body) <= FLOW_LIMITS.textBytes) continue;
      faults.push(
        stops(
          'too_large',
          `texts.${key}.${locale}`,
          `This text is larger than ${FLOW_LIMITS.textBytes / 1_024} KiB.`,
          'Divide it into several messages.',
        ),
      );
    }
  }
  return faults;
}

function keywordCount(document: FlowDocument): number {
  return Object.values(document.triggers).reduce(
    (sum, { props }) => sum + ('keywords' in props ? props.keywords.length : 0),
    0,
  );
}
