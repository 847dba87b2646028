import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ELEMENTS, type ElementType } from '../contract/app/elements.ts';
import { fieldSchema } from '../contract/app/forms.ts';
import { BLOCK_TYPES } from '../contract/blocks/registry.ts';
import { checkDocument, type FlowDocument, parseDocument } from '../server/domains/flow/flow.ts';
import { runScripts } from '../server/domains/flow/script.ts';
import { checkManifest } from '../server/domains/manifest/manifest.ts';

const here = new URL('./', import.meta.url);
const names = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
const read = (path: string): string => readFileSync(new URL(path, here), 'utf8');

function load(name: string): FlowDocument {
  const parsed = parseDocument(JSON.parse(read(`${name}/flow.json`)));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults, null, 1));
  return parsed.document;
}

describe.each(names)('%s', (name) => {
  test('can be published as it is', () => {
    expect(checkDocument(load(name))).toEqual([]);
    expect(checkManifest(load(name))).toEqual([]);
  });

  test('talks as its chats say, in both languages', () => {
    const report = runScripts(load(name), read(`${name}/chat.txt`));
    expect(report.failures).toEqual([]);
    expect(report.scripts).toBeGreaterThanOrEqual(4);
  });

  test('has every text in Russian and in English', () => {
    const { locales, texts = {}, app } = load(name);
    expect(locales).toEqual(['ru', 'en']);
    for (const text of [...Object.values(texts), ...Object.values(app?.texts ?? {})])
      expect(Object.keys(text).toSorted()).toEqual(['en', 'ru']);
  });

  test('has its pictures beside it, light enough for a slow network', () => {
    for (const { sha256, name: file } of Object.values(load(name).media ?? {})) {
      const bytes = readFileSync(new URL(`${name}/${file}`, here));
      expect(createHash('sha256').update(bytes).digest('hex'), file).toBe(sha256);
      expect(bytes.length, file).toBeLessThanOrEqual(40 * 1024);
    }
  });
});

test('in the tables of the examples no line ends between a number and what it counts', () => {
  for (const app of names.flatMap((name) => load(name).app ?? []))
    for (const { type, props } of Object.values(app.elements))
      for (const cell of type === 'table' ? props.rows.flat() : [])
        for (const text of Object.values(app.texts[cell] ?? {}))
          expect(JSON.stringify(text)).not.toMatch(/\d [\p{L}\d₽]|(от|from) ₽?\d/u);
});

test('the examples show every type of block', () => {
  const shown = new Set(names.flatMap((name) => Object.values(load(name).blocks).map((block) => block.type)));
  expect(BLOCK_TYPES.filter((type) => !shown.has(type))).toEqual([]);
});

test('the examples show every type of element and of field', () => {
  const apps = names.flatMap((name) => load(name).app ?? []);
  const elements = new Set(apps.flatMap((app) => Object.values(app.elements).map(({ type }) => type)));
  const fields = new Set(
    apps.flatMap(({ forms = {} }) => Object.values(forms).flatMap((form) => Object.values(form.fields).map(({ type }) => type))),
  );
  // No film or recording of a few seconds is worth its weight in a repository.
  const wanted = (Object.keys(ELEMENTS) as ElementType[]).filter((type) => type !== 'video' && type !== 'audio');
  expect(wanted.filter((type) => !elements.has(type))).toEqual([]);
  expect(fieldSchema.options.map((option) => option.shape.type.value).filter((type) => !fields.has(type))).toEqual([]);
});
