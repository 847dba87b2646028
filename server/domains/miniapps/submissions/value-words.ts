// Values as people read them: labels for ids, titles for rows, addresses for files.
import type { Form, FormField } from '../../../../contract/app/forms.ts';
import type { AppView, Row } from '../../../../contract/app/view.ts';
import { plainText, writerOf } from '../../manifest/manifest.ts';
import { words } from '../words.ts';
import type { Kept } from './values.ts';

/** A text for each field that was filled in, in the order of the form. */
export function wordsOf(
  form: Form,
  values: Kept,
  view: AppView,
  picked: { readonly [field: string]: Row },
  fileAddress: (id: string) => string,
): { [field: string]: string } {
  const said: { [field: string]: string } = {};
  for (const name of form.order) {
    const field = form.fields[name];
    const value = values[name];
    if (field === undefined || value === undefined) continue;
    said[name] = wordOf(field, value, view, picked[name], fileAddress);
  }
  return said;
}

function wordOf(
  field: FormField,
  value: Kept[string],
  view: AppView,
  row: Row | undefined,
  fileAddress: (id: string) => string,
): string {
  switch (field.type) {
    case 'select':
    case 'radio':
    case 'choices': {
      const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
      return field.options
        .flatMap((option) => (ids.includes(option.id) ? [labelOf(view, option.label)] : []))
        .join(', ');
    }
    case 'checkbox':
    case 'consent':
      return value === true ? words(view.locale).yes : words(view.locale).no;
    case 'pick':
      return row === undefined ? String(value) : String(row[field.title] ?? row.id);
    case 'slot':
      return momentText(view, field.booking, String(value));
    case 'file':
      return Array.isArray(value) ? value.map((id) => fileAddress(id)).join('\n') : '';
    default:
      return String(value);
  }
}

const labelOf = (view: AppView, key: string): string =>
  plainText(view.texts[key], () => undefined, writerOf(view.locale, { timezone: 'UTC' }));

/** By the clock of the booking, whatever the visitor's own says; of 12 or 24 hours as people of the language read it. */
function momentText(view: AppView, booking: string, start: string): string {
  const timeZone = view.bookings?.[booking]?.timezone ?? 'UTC';
  const format = { day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit', weekday: 'short' } as const;
  const said = new Intl.DateTimeFormat(view.locale, { ...format, timeZone }).format(Date.parse(start));
  return said.replaceAll('\u202f', ' ');
}
