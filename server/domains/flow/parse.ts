// Reads a document strictly: what is not understood is refused, with its place and a sentence for it.

import type { z } from 'zod';
import { type Fault, type FlowDocument, flowSchema } from '../../../contract/flow.ts';
import { isInheritedName } from '../../../contract/ids.ts';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import { piece } from '../../../kernel/echo.ts';
import { fieldsThere, sentencesOf } from './fault-sentences.ts';
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
  const { document, faults, issues } = readDocument(json, unsafe.length > 0 ? unsafe : findTooLarge(json));
  if (faults.length > 0 || issues.length > 0) return resultOf(document, [...faults, ...sentencesOf(issues)]);
  return resultOf(document, findOversize(document as FlowDocument));
}

/**
 * Reads a document again that was read strictly when it was published. Rules for values (words, addresses, names, sizes)
 * that came later do not count: whoever runs and draws it looks at values where they are used. What is not of the kind
 * that this code knows is refused as ever.
 */
export function parsePublished(json: unknown): ParseResult {
  const { document, faults, issues } = readDocument(json, findUnsafe(json));
  return resultOf(document, [...faults, ...sentencesOf(issues.filter((issue) => !isOfValue(issue)))]);
}

type Issue = z.core.$ZodIssue;
type Read = { readonly document: unknown; readonly faults: readonly Fault[]; readonly issues: readonly Issue[] };

/** The document brought up to this version, or what stands in the way of that, and what the schema says of it. */
function readDocument(json: unknown, harmful: readonly Fault[]): Read {
  if (harmful.length > 0) return { document: json, faults: harmful, issues: [] };
  const upgraded = upgradeDocument(json);
  if ('fault' in upgraded) return { document: json, faults: [upgraded.fault], issues: [] };
  const parsed = flowSchema.safeParse(upgraded.document, { reportInput: true, error: fieldsThere });
  return parsed.success
    ? { document: parsed.data, faults: [], issues: [] }
    : { document: upgraded.document, faults: [], issues: parsed.error.issues };
}

const resultOf = (document: unknown, faults: readonly Fault[]): ParseResult =>
  faults.length === 0
    ? { ok: true, document: document as FlowDocument }
    : { ok: false, faults: faults.slice(0, FAULTS_MAX) };

const VALUE_ISSUES: ReadonlySet<Issue['code']> = new Set([
  'custom',
  'invalid_format',
  'invalid_key',
  'too_big',
  'too_small',
]);

/** True where the value is of the right kind and only not as it should be. Colours are not: they are drawn as they stand. */
function isOfValue(issue: Issue): boolean {
  if (issue.path[0] === 'app' && issue.path[1] === 'theme') return false;
  if (issue.code === 'invalid_union') return issue.errors.some((branch) => branch.every(isOfValue));
  return VALUE_ISSUES.has(issue.code);
}

/** A path of names that we know is shorter. */
const pathCharsMax = 300;

const stops = (code: string, path: string, message: string, fix?: string): Fault => ({
  code,
  path: piece(path, pathCharsMax),
  message,
  severity: 'stops',
  ...(fix === undefined ? {} : { fix }),
});

/** What must be refused before anything walks the document: endless depth, names that reach a prototype. */
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
  return faults;
}

function findTooLarge(json: unknown): Fault[] {
  if (jsonSize(json) <= FLOW_LIMITS.documentBytes) return [];
  const message = `The document is larger than ${FLOW_LIMITS.documentBytes / 1_048_576} MiB.`;
  return [stops('too_large', '', message, 'Put parts of it into a second project.')];
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
