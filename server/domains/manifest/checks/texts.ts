// Texts, the values read in them, and conditions.
import type { AppCondition } from '../../../../contract/app/conditions.ts';
import { APP_LIMITS } from '../../../../contract/app/limits.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import type { Rows } from '../places.ts';
import type { Use } from '../uses.ts';
import { named, own, stop, warn } from './fault.ts';

/** Every text in every language, and every value that a text, a prop or a condition reads. */
export function checkTexts(document: FlowDocument, manifest: Manifest, uses: readonly Use[]): Fault[] {
  const used = new Set<string>();
  const faults: Fault[] = [];
  for (const use of uses) {
    if (use.what === 'text') {
      if (!used.has(use.key)) faults.push(...checkText(document, manifest, use.key, use.path));
      used.add(use.key);
      faults.push(...readsOf(manifest, use.key).flatMap(([from, path]) => checkRead(manifest, from, path, use.rows)));
    } else if (use.what === 'read') faults.push(...checkRead(manifest, use.from, use.path, use.rows));
    else if (use.what === 'condition') faults.push(...checkCondition(manifest, use.condition, use.path, use.rows, 1));
  }
  for (const key of Object.keys(manifest.texts))
    if (!used.has(key)) faults.push(warn('text_unused', `texts.${key}`, `Nobody reads the text "${key}".`));
  return once(faults);
}

/** A text that stands in many places is complained about once. */
function once(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  return faults.filter(({ code, path, message }) => {
    const name = `${code} ${path} ${message}`;
    const fresh = !seen.has(name);
    seen.add(name);
    return fresh;
  });
}

function checkText(document: FlowDocument, manifest: Manifest, key: string, path: string): Fault[] {
  const text = own(manifest.texts, key);
  if (text === undefined)
    return [
      stop(
        'text_missing',
        path,
        `There is no text with the key "${key}".`,
        `Write its words under "app.texts", as "${key}": { "${document.defaultLocale}": "..." }.`,
      ),
    ];
  const faults = document.locales.flatMap((locale): Fault[] => {
    if (own(text, locale) !== undefined) return [];
    const message = `The text "${key}" is missing in "${locale}".`;
    return locale === document.defaultLocale
      ? [stop('text_missing', `texts.${key}.${locale}`, message, 'Write it: it stands in for the other languages.')]
      : [
          warn(
            'text_untranslated',
            `texts.${key}.${locale}`,
            message,
            `Translate it; until then it is shown in "${document.defaultLocale}".`,
          ),
        ];
  });
  for (const locale of Object.keys(text))
    if (!document.locales.includes(locale))
      faults.push(
        warn('locale_unknown', `texts.${key}.${locale}`, `The pages do not speak "${locale}".`, 'Add it to "locales".'),
      );
  return faults;
}

/** The values that a text reads in any language, with their places. */
function readsOf(manifest: Manifest, key: string): [from: string, path: string][] {
  return Object.entries(own(manifest.texts, key) ?? {}).flatMap(([locale, body]) =>
    typeof body === 'string'
      ? []
      : body.flatMap((span, index): [string, string][] =>
          typeof span === 'object' && 'from' in span ? [[span.from, `texts.${key}.${locale}.${index}.from`]] : [],
        ),
  );
}

/** What there is besides rows and forms. */
const KNOWN: { readonly [root: string]: readonly string[] } = {
  visitor: ['id', 'firstName', 'lastName', 'username', 'languageCode', 'photoUrl'],
  cart: ['total', 'count'],
  page: ['item', 'id'],
};

function checkRead(manifest: Manifest, from: string, path: string, rows: Rows): Fault[] {
  const [root = '', name = '', field = ''] = from.split('.');
  if (root === 'form') return checkFormRead(manifest, name, field, path);
  if (root === 'row') return checkRowRead(manifest, name, path, rows);
  if (root === 'cart' && manifest.shop === undefined)
    return [stop('shop_missing', path, `"${from}" reads the cart, and there is no shop.`)];
  const known = KNOWN[root] ?? [];
  return known.includes(name)
    ? []
    : [
        stop(
          'value_unknown',
          path,
          `There is nothing called "${from}".`,
          `There is ${named(known.map((one) => `${root}.${one}`))}.`,
        ),
      ];
}

function checkFormRead(manifest: Manifest, form: string, field: string, path: string): Fault[] {
  const found = own(manifest.forms, form);
  if (found === undefined) return [stop('form_missing', path, `There is no form "${form}".`)];
  return own(found.fields, field) === undefined
    ? [
        stop(
          'field_missing',
          path,
          `The form "${form}" has no field "${field}".`,
          `It has ${named(Object.keys(found.fields))}.`,
        ),
      ]
    : [];
}

function checkRowRead(manifest: Manifest, field: string, path: string, rows: Rows): Fault[] {
  if (rows === undefined || field === 'id') return [];
  if (rows.length === 0)
    return [
      stop(
        'row_nowhere',
        path,
        `"row.${field}" is read where there is no row.`,
        'Put it inside a list of rows, or name the page\'s "data".',
      ),
    ];
  return rows.flatMap((source): Fault[] => {
    const data = own(manifest.data, source);
    if (data === undefined || data.fields.includes(field)) return [];
    return [
      stop(
        'field_missing',
        path,
        `The data source "${source}" does not bring "${field}".`,
        `Add it to its "fields", or choose one of ${named(data.fields)}.`,
      ),
    ];
  });
}

function checkCondition(manifest: Manifest, condition: AppCondition, path: string, rows: Rows, depth: number): Fault[] {
  if ('where' in condition) return [];
  if ('field' in condition) return checkRead(manifest, condition.field, `${path}.field`, rows);
  if (depth > APP_LIMITS.conditionDepth)
    return [
      stop(
        'condition_deep',
        path,
        `Groups of conditions stand inside each other at most ${APP_LIMITS.conditionDepth} deep.`,
      ),
    ];
  const [name, group] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const);
  return group.flatMap((each, index) => checkCondition(manifest, each, `${path}.${name}.${index}`, rows, depth + 1));
}
