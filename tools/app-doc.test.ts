import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ELEMENTS } from '../contract/app/elements.ts';
import { checkDocument, parseDocument } from '../server/domains/flow/flow.ts';
import { checkManifest } from '../server/domains/manifest/manifest.ts';
import { ELEMENT_GROUPS } from './app-doc/elements.ts';
import { withTables } from './app-doc.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'build', 'app.md'), 'utf8');

type Json = { [name: string]: unknown };
const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** As a reader does who puts a part into the document. */
function put(document: Json, part: Json): Json {
  const all = { ...document };
  for (const [name, value] of Object.entries(part)) {
    const there = all[name];
    all[name] = isMap(there) && isMap(value) ? put(there, value) : value;
  }
  return all;
}

test('the tables of the page of apps are what the schemas say', () => {
  expect(withTables(page) === page, 'run: node tools/app-doc.ts').toBe(true);
  expect(() => withTables('<!-- table: nothing -->\n<!-- end -->')).toThrow('no table nothing');
});

test('every element stands on the page once', () => {
  expect(ELEMENT_GROUPS.flatMap(([, types]) => types).sort()).toEqual(Object.keys(ELEMENTS).sort());
});

test('the documents of the page can be published as they stand, and nothing is warned of', () => {
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text ?? '') as Json);
  const parts = blocks.filter((block) => 'app' in block);
  expect(parts).toHaveLength(3);
  let document: Json = {};
  for (const part of parts) {
    document = put(document, part);
    const parsed = parseDocument(document);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults, undefined, 2));
    expect([...checkDocument(parsed.document), ...checkManifest(parsed.document)]).toEqual([]);
  }
});
