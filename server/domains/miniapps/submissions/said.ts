// What was sent, in words: for the visitor in the language of the page, for the owner in that of the project.
import type { Form, FormFieldType } from '../../../../contract/app/forms.ts';
import type { AppEventAnswer, AppView, Row } from '../../../../contract/app/view.ts';
import type { Queryable } from '../../../../kernel/db.ts';
import { plainText, type Read, type Writer, writerOf } from '../../manifest/manifest.ts';
import type { AppRelease } from '../serving/releases.ts';
import { readRows } from '../serving/rows.ts';
import type { NewLine } from '../sql.ts';
import { words } from '../words.ts';
import { wordsOf } from './value-words.ts';
import type { Kept } from './values.ts';

/** A form that was filled in, and what the pages are in the visitor's language and in the project's. */
type Filled = {
  readonly release: AppRelease;
  readonly view: AppView;
  readonly projectView: AppView;
  readonly form: Form;
  readonly values: Kept;
};

type Said = { readonly [field: string]: string };

type Picked = { readonly [field: string]: Row };

/** The rows that were chosen, as they are now and are called in this language. `gone`: fields whose row is there no more. */
export async function pickedRows(
  q: Queryable,
  { release, form, values }: Pick<Filled, 'release' | 'form' | 'values'>,
  locale: string,
): Promise<{ readonly picked: Picked; readonly gone: readonly string[] }> {
  const picked: { [field: string]: Row } = {};
  const gone: string[] = [];
  for (const [name, field] of Object.entries(form.fields)) {
    if (field.type !== 'pick' || values[name] === undefined) continue;
    const data = release.app.data?.[field.data];
    const rows = data === undefined ? [] : await readRows(q, release, data, { locale });
    const row = rows.find(({ id }) => id === values[name]);
    if (row === undefined) gone.push(name);
    else picked[name] = row;
  }
  return { picked, gone };
}

/** What the visitor reads, and what the project's owner does: the same object where that is the same language. */
export async function saidInBoth(
  q: Queryable,
  filled: Filled,
  picked: Picked,
  fileAddress: (id: string) => string,
): Promise<{ readonly visitors: Said; readonly projects: Said }> {
  const { view, projectView, form, values } = filled;
  const visitors = wordsOf(form, values, view, picked, fileAddress);
  if (view.locale === projectView.locale) return { visitors, projects: visitors };
  const { picked: own } = await pickedRows(q, filled, projectView.locale);
  return { visitors, projects: wordsOf(form, values, projectView, own, fileAddress) };
}

type Order = { readonly lines: readonly NewLine[]; readonly total: number };
type Sent = Pick<Extract<AppEventAnswer, { ok: true }>, 'sent'>;

/** What was booked or ordered, line by line, for the page that thanks for it. A form that only says something is not repeated. */
export function summaryOf(
  { view, form, values }: Pick<Filled, 'view' | 'form' | 'values'>,
  said: Said,
  number: number,
  order: Order | undefined,
): Sent {
  if (form.kind === undefined || form.kind === 'lead') return {};
  const says = words(view.locale);
  const write = writerOf(view.locale, { timezone: 'UTC', currency: view.shop?.currency });
  const lines = (order?.lines ?? []).map(({ title, variant, count, price }) => ({
    label: `${title}${variant === null ? '' : ` (${variant})`} × ${count}`,
    value: write(Math.round(price * 100 * count) / 100, 'money'),
  }));
  const fields = form.order.flatMap((name) => {
    const field = form.fields[name];
    const value = (field && writtenAs(field.type, values[name], write)) ?? said[name] ?? '';
    if (field === undefined || !SHOWN.has(field.type) || !('label' in field) || value === '') return [];
    return [{ label: plainText(view.texts[field.label], nothing, write), value }];
  });
  const all = [
    { label: says.ofNumber, value: String(number) },
    ...lines,
    ...(order === undefined ? [] : [{ label: says.total, value: write(order.total, 'money') }]),
    ...fields,
  ];
  return { sent: all.map((line, at) => ({ id: at + 1, ...line })) };
}

/** A day, a clock or a number as people read it; everything else is in words already. */
function writtenAs(type: FormFieldType, value: Kept[string] | undefined, write: Writer): string | undefined {
  return value !== undefined && (type === 'date' || type === 'time' || type === 'number')
    ? write(value, type)
    : undefined;
}

const nothing: Read = () => undefined;

/** What somebody looks for after a booking; the rest they have just written themselves. */
const SHOWN: ReadonlySet<FormFieldType> = new Set([
  'pick',
  'slot',
  'select',
  'radio',
  'choices',
  'date',
  'time',
  'number',
  'phone',
  'email',
  'text',
]);
