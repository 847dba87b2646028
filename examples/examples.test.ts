import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BLOCK_TYPES } from '../contract/blocks/registry.ts';
import { checkDocument, type FlowDocument, parseDocument } from '../server/domains/flow/flow.ts';
import { runScripts } from '../server/domains/flow/script.ts';

const here = new URL('./', import.meta.url);
const names = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
const read = (path: string): string => readFileSync(new URL(path, here), 'utf8');

function load(name: string): FlowDocument {
  const parsed = parseDocument(JSON.parse(read(`${name}/flow.json`)));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults, null, 1));
  return parsed.document;
}

describe.each(names)('%s', (name) => {
  test('can be published as it is', () => expect(checkDocument(load(name))).toEqual([]));

  test('talks as its chats say, in both languages', () => {
    const report = runScripts(load(name), read(`${name}/chat.txt`));
    expect(report.failures).toEqual([]);
    expect(report.scripts).toBeGreaterThanOrEqual(4);
  });

  test('has every text in Russian and in English', () => {
    const { locales, texts = {} } = load(name);
    expect(locales).toEqual(['ru', 'en']);
    for (const text of Object.values(texts)) expect(Object.keys(text).toSorted()).toEqual(['en', 'ru']);
  });
});

test('the examples show every type of block', () => {
  const shown = new Set(names.flatMap((name) => Object.values(load(name).blocks).map((block) => block.type)));
  expect(BLOCK_TYPES.filter((type) => !shown.has(type))).toEqual([]);
});
