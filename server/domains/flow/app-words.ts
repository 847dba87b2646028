// What a visitor has sent, in words: for the message to the owner, who wants to read it without opening anything.

import type { FormField } from '../../../contract/app/forms.ts';
import type { FlowDocument } from '../../../contract/flow.ts';
import type { Value, VariableType } from '../../../contract/variables.ts';
import type { EventApp } from './event-types.ts';
import type { Formatter } from './formats.ts';
import { asText, readOwn } from './values.ts';

/** The lines of an order, as `Honey (M) × 2 = €12`. */
export function orderText(app: EventApp, document: FlowDocument, formatter: Formatter): string {
  const currency = document.app?.shop?.currency ?? '';
  return app.lines
    .map(({ title, projectTitle, variant, count, price }) => {
      const read = (isProjects(app, formatter.locale) ? projectTitle : undefined) ?? title;
      const name = variant === '' ? read : `${read} (${variant})`;
      return `${name} × ${formatter.write(count, 'number', 'number')} = ${formatter.money(count * price, currency)}`;
    })
    .join('\n');
}

/** The fields of the form with what was given, as `Phone: +79001234567`; what was left empty is left out. */
export function formText(app: EventApp, document: FlowDocument, formatter: Formatter): string {
  const form = readOwn(document.app?.forms ?? {}, app.form);
  const words = (key: string): string => appText(document, key, formatter.locale);
  return (form?.order ?? [])
    .flatMap((name) => {
      const field = form ? readOwn(form.fields, name) : undefined;
      const value = readOwn(app.values, name);
      if (!field || !('label' in field) || field.type === 'consent' || value === undefined || value === '') return [];
      const own = isProjects(app, formatter.locale) ? readOwn(app.projectWords ?? {}, name) : undefined;
      const answer = NAMED.has(field.type) ? (own ?? readOwn(app.words, name)) : undefined;
      return [`${words(field.label)}: ${answer ?? answerText(field, value, words, formatter)}`];
    })
    .join('\n');
}

/** Whoever reads another language than the visitor is not the visitor: what was named comes in the project's. */
const isProjects = (app: EventApp, locale: string): boolean => app.locale !== undefined && app.locale !== locale;

/** Fields whose value is the id of something, which only whoever took the form can name. */
const NAMED: ReadonlySet<FormField['type']> = new Set(['pick', 'slot', 'file']);

/**
 * What a field puts into a variable of a type: a name where the value is an id, unless a number is wanted. `own` is that name
 * in the language of the project.
 */
export function valueFor(
  app: EventApp,
  document: FlowDocument,
  name: string,
  type: VariableType | undefined,
): { readonly said?: Value | undefined; readonly own?: Value | undefined } {
  const value = readOwn(app.values, name);
  const form = readOwn(document.app?.forms ?? {}, app.form);
  const field = form ? readOwn(form.fields, name) : undefined;
  const isNamed = field !== undefined && NAMED.has(field.type) && type !== 'number' && type !== 'list';
  if (!isNamed || value === undefined) return { said: value };
  return { said: readOwn(app.words, name) ?? value, own: readOwn(app.projectWords ?? {}, name) };
}

function answerText(field: FormField, value: Value, words: (key: string) => string, formatter: Formatter): string {
  const options = 'options' in field ? field.options : [];
  const chosen = (id: string): string => {
    const option = options.find((one) => one.id === id);
    return option ? words(option.label) : id;
  };
  if (Array.isArray(value)) return value.map((item: Value) => chosen(asText(item))).join(', ');
  if (options.length > 0) return chosen(asText(value));
  if (field.type === 'time') return formatter.write(value, 'text', 'time');
  return formatter.write(
    value,
    field.type === 'date' ? 'date' : typeof value === 'number' ? 'number' : 'text',
    undefined,
  );
}

/** A text of the app without its marks; the key where nobody has written it. */
function appText(document: FlowDocument, key: string, locale: string): string {
  const text = readOwn(document.app?.texts ?? {}, key);
  const body = text && (readOwn(text, locale) ?? readOwn(text, document.defaultLocale) ?? Object.values(text)[0]);
  if (body === undefined) return key;
  const spans = typeof body === 'string' ? [body] : body;
  return spans
    .map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : ''))
    .join('')
    .trim();
}
