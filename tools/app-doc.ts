// Writes the tables of docs/build/app.md from the schemas of contract/app, between marks; with --check only says whether
// they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { actionSchema } from '../contract/app/actions.ts';
import { appConditionSchema } from '../contract/app/conditions.ts';
import { CONTAINERS, ELEMENTS, type ElementType, elementSchema } from '../contract/app/elements.ts';
import { type FormFieldType, fieldSchema } from '../contract/app/forms.ts';
import { APP_LIMITS } from '../contract/app/limits.ts';
import { RICH_BLOCKS, type RichCounterpart } from '../contract/app/rich-blocks.ts';
import { ELEMENT_GROUPS, ELEMENTS_IN_WORDS } from './app-doc/elements.ts';
import { ACTIONS_IN_WORDS, CONDITIONS_IN_WORDS, FIELD_BASE, FIELDS_IN_WORDS } from './app-doc/forms.ts';
import { isNeeded, kindOf } from './app-doc/kinds.ts';
import { LIMITS_IN_WORDS, PARTS, type Part } from './app-doc/parts.ts';

const path = join(import.meta.dirname, '..', 'docs', 'build', 'app.md');

type Shape = { readonly [name: string]: z.core.$ZodType };

/** The page with every table between its marks made anew. Throws where it names a table that there is not. */
export function withTables(page: string): string {
  return page.replace(
    /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, begin: string, name: string, end: string) => {
      const table = TABLES[name];
      if (table === undefined) throw new Error(`There is no table ${name}.`);
      return `${begin}${table()}\n${end}`;
    },
  );
}

const TABLES: { readonly [name: string]: () => string } = {
  ...Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [name, () => partTable(part)])),
  elements: () => ELEMENT_GROUPS.map(([title, types]) => elementTable(title, types)).join('\n\n'),
  fields: fieldTable,
  rich: () =>
    rows(
      ["Telegram's block", 'here'],
      Object.entries<RichCounterpart>(RICH_BLOCKS).map(([type, counterpart]) => [
        `\`${type}\``,
        'none' in counterpart ? counterpart.none : counterpart.map((element) => `\`${element}\``).join(', '),
      ]),
    ),
  actions: () =>
    rows(
      ['action', 'does'],
      Object.values(ACTIONS_IN_WORDS).map(({ does, example }) => [json(actionSchema, example), does]),
    ),
  conditions: () =>
    rows(
      ['condition', 'holds where'],
      CONDITIONS_IN_WORDS.map(({ holds, example }) => [json(appConditionSchema, example), holds]),
    ),
  limits: () =>
    Object.entries(APP_LIMITS)
      .map(([name, limit]) => `${LIMITS_IN_WORDS[name as keyof typeof APP_LIMITS]} ${sizeOf(name, limit)}`)
      .join(', ')
      .concat('.'),
};

function sizeOf(name: string, limit: number): string {
  if (!name.endsWith('Bytes')) return limit.toLocaleString('en-US');
  return limit % 1_048_576 === 0 ? `${limit / 1_048_576} MiB` : `${limit / 1_024} KiB`;
}

function partTable({ schema, words }: Part): string {
  const shape: Shape = schema.shape;
  return rows(
    ['field', 'holds'],
    Object.entries(shape).map(([name, each]) => [
      `${isNeeded(each) ? `**\`${name}\`**` : `\`${name}\``}`,
      said(each, words[name] ?? ''),
    ]),
  );
}

function elementTable(title: string, types: readonly ElementType[]): string {
  const lines = types.map((type) => {
    const { is, props, example } = ELEMENTS_IN_WORDS[type];
    const kids = CONTAINERS.has(type) ? '; **`children`**' : '';
    return [
      `\`${type}\``,
      is,
      `${propsOf(ELEMENTS[type].shape, props)}${kids}`.replace(/^; /, ''),
      json(elementSchema, example),
    ];
  });
  return rows([title, 'is', 'props', 'example'], lines);
}

function fieldTable(): string {
  const lines = fieldSchema.options.map((option) => {
    const shape = option.shape as Shape;
    const [type] = (shape['type'] as z.ZodLiteral<FormFieldType>).values;
    const { asks, props, example } = FIELDS_IN_WORDS[type as FormFieldType];
    const own = Object.fromEntries(
      Object.entries(shape).filter(([name]) => !(FIELD_BASE as readonly string[]).includes(name)),
    );
    return [`\`${type}\``, asks, propsOf(own, props), json(fieldSchema, example)];
  });
  return rows(['type', 'asks for', 'beside these', 'example'], lines);
}

function propsOf(shape: Shape, words: { readonly [name: string]: string }): string {
  return Object.entries(shape)
    .map(([name, schema]) => {
      const about = said(schema, words[name] ?? '');
      return `${isNeeded(schema) ? `**\`${name}\`**` : `\`${name}\``}${about && `: ${about}`}`;
    })
    .join('; ');
}

const said = (schema: z.core.$ZodType, words: string): string =>
  [kindOf(schema), words].filter((one) => one !== '').join(', ');

/** As it is typed. Throws where the schema would refuse it. */
function json(schema: z.ZodType, example: unknown): string {
  const text = JSON.stringify(schema.parse(example), undefined, 1);
  return `\`${text.replace(/\n\s*/g, ' ').replace(/\[ /g, '[').replace(/ \]/g, ']')}\``;
}

function rows(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const cells = lines.map((line) => line.map((cell) => cell.replaceAll('|', '\\|')).join(' | '));
  return [head.join(' | '), ...cells]
    .map((line) => `| ${line} |`)
    .toSpliced(1, 0, `|${head.map(() => '---|').join('')}`)
    .join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const found = readFileSync(path, 'utf8');
  const page = withTables(found);
  if (!process.argv.includes('--check')) writeFileSync(path, page);
  else if (found !== page) {
    console.error('docs/build/app.md is out of date. Run: node tools/app-doc.ts');
    process.exitCode = 1;
  }
}
