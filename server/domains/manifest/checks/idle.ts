// Does every prop of a field or an element act? One that is understood and does nothing would be believed to work, so it
// is refused, and the sentence says what acts. Props that a type does not have are refused where the document is read.
import type { AppCondition } from '../../../../contract/app/conditions.ts';
import type { Element } from '../../../../contract/app/elements.ts';
import type { Form, FormField } from '../../../../contract/app/forms.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { Data, Manifest } from '../../../../contract/manifest.ts';
import type { Column } from '../../../../contract/tables.ts';
import type { Rows } from '../places.ts';
import type { Use } from '../uses.ts';
import { named, own, stop, warn } from './fault.ts';

/** Props and elements that do nothing as they stand, and conditions that never hold. */
export function checkIdle(document: FlowDocument, manifest: Manifest, uses: readonly Use[]): Fault[] {
  return [
    ...Object.entries(manifest.forms ?? {}).flatMap(([id, form]) => checkForm(id, form)),
    ...Object.entries(manifest.elements).flatMap(([id, element]) => checkElement(document, `elements.${id}`, element)),
    ...uses.flatMap((use) => {
      if (use.what === 'condition') return checkNever(manifest, use.condition, use.path);
      if (use.what === 'column') return checkColumn(document, manifest, use);
      return use.what === 'goods' ? checkGoods(manifest, use.rows, use.path) : [];
    }),
    ...checkMenu(manifest),
  ];
}

function checkForm(id: string, form: Form): Fault[] {
  return Object.entries(form.fields).flatMap(([name, field]) => {
    const path = `forms.${id}.fields.${name}`;
    return [...checkField(field, path), ...checkItself(field, `form.${id}.${name}`, path)];
  });
}

function checkField(field: FormField, path: string): Fault[] {
  if (field.type === 'hidden' && field.value !== undefined && field.from !== undefined)
    return [
      stop(
        'prop_unused',
        `${path}.from`,
        '"from" does nothing beside a "value": the value is what is kept.',
        'Keep one of "value" and "from".',
      ),
    ];
  if (field.type === 'consent' && field.required === false)
    return [
      stop(
        'prop_unused',
        `${path}.required`,
        '"required" does nothing for a consent: without it nothing is sent.',
        'Take the type "checkbox" for what may be left out.',
      ),
    ];
  return [];
}

/** What is shown once it was answered is never answered. */
function checkItself(field: FormField, own: string, path: string): Fault[] {
  if (field.type === 'hidden' || field.showIf === undefined || !('field' in field.showIf)) return [];
  const { showIf } = field;
  if (showIf.field !== own || 'empty' in showIf || 'not' in showIf) return [];
  const message = 'This is shown by its own answer, which nobody can give while it is not shown.';
  return [stop('condition_never', `${path}.showIf`, message, 'Read another field, or leave "showIf" out.')];
}

function checkElement({ locales }: FlowDocument, path: string, element: Element): Fault[] {
  if (element.type === 'contacts' && Object.values(element.props).every((value) => value === undefined))
    return [
      warn(
        'element_empty',
        path,
        'There are no contacts in it.',
        'Write one of "phone", "email", "telegram", "address", "hours".',
      ),
    ];
  if (element.type === 'language' && locales.length === 1)
    return [
      warn(
        'element_empty',
        path,
        `There is one language, ${named(locales)}, so nothing is drawn.`,
        'Add to "locales".',
      ),
    ];
  return [];
}

/** A comparison with an answer that the field does not have. */
function checkNever(manifest: Manifest, condition: AppCondition, path: string): Fault[] {
  if ('all' in condition || 'any' in condition) {
    const [name, group] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const);
    return group.flatMap((each, index) => checkNever(manifest, each, `${path}.${name}.${index}`));
  }
  if (!('field' in condition)) return [];
  const [root, form = '', name = ''] = condition.field.split('.');
  const field = root === 'form' ? own(own(manifest.forms, form)?.fields, name) : undefined;
  if (field === undefined || !('options' in field)) return [];
  const prop = 'is' in condition ? 'is' : 'not' in condition ? 'not' : 'contains';
  const asked = prop in condition ? (condition as { [name: string]: unknown })[prop] : '';
  // A part of an answer's name may be asked for; an answer that is not there is empty.
  const ids = field.options.map((option) => option.id);
  if (asked === '' || ids.some((id) => (prop === 'contains' ? id.includes(String(asked)) : id === asked))) return [];
  return [
    stop(
      'condition_never',
      `${path}.${prop}`,
      `"${condition.field}" has no answer "${String(asked)}".`,
      `Choose one of ${named(ids)}.`,
    ),
  ];
}

/** Columns that hold nothing of the kind, whatever stands in them. */
const NEVER: { readonly [Wanted in 'picture' | 'price']: readonly Column['type'][] } = {
  picture: ['number', 'money', 'bool', 'date', 'time', 'phone', 'email'],
  price: ['bool', 'date', 'time', 'link', 'photo', 'phone', 'email'],
};
const TAKES = { picture: 'a column of the type "photo" or "link"', price: 'one of the type "money" or "number"' };

function checkColumn(document: FlowDocument, manifest: Manifest, use: Extract<Use, { what: 'column' }>): Fault[] {
  return (use.rows ?? []).flatMap((source): Fault[] => {
    const data: Data | undefined = own(manifest.data, source);
    const type = data && own(own(document.tables, data.table)?.columns, use.column)?.type;
    if (type === undefined || !NEVER[use.wanted].includes(type)) return [];
    const message = `"${use.column}" is a column of the type "${type}", and holds no ${use.wanted}.`;
    return [stop('column_type', use.path, message, `Take ${TAKES[use.wanted]}.`)];
  });
}

/** The row at hand is drawn as one of the shop's goods, so it must be one. */
function checkGoods({ shop }: Manifest, rows: Rows, path: string): Fault[] {
  if (shop === undefined || rows === undefined || rows.includes(shop.data)) return [];
  return [
    stop(
      'row_nowhere',
      path,
      `This shows a row of the shop, and the row here is one of ${named(rows)}.`,
      `Put it onto a page without "data", or with "data": "${shop.data}".`,
    ),
  ];
}

/** A menu of one page leads nowhere and is not drawn. */
function checkMenu({ pages }: Manifest): Fault[] {
  const [only, ...others] = Object.keys(pages).filter((id) => own(pages, id)?.menu !== undefined);
  if (only === undefined || others.length > 0 || Object.keys(pages).length === 1) return [];
  const message = 'There is no menu while one page alone is in it.';
  return [warn('prop_unused', `pages.${only}.menu`, message, 'Write "menu" at a second page too.')];
}
