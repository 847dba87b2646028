// Data sources, the shop and bookings: do their tables and columns exist, and do they fit?
import type { RowFilter } from '../../../../contract/app/conditions.ts';
import type { Booking } from '../../../../contract/app/forms.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { Data, Manifest } from '../../../../contract/manifest.ts';
import type { Column, Table } from '../../../../contract/tables.ts';
import { named, own, stop } from './fault.ts';

/** Everything that hangs on tables. */
export function checkData(document: FlowDocument, manifest: Manifest): Fault[] {
  return [
    ...Object.entries(manifest.data ?? {}).flatMap(([id, data]) => checkSource(document, id, data)),
    ...checkShop(document, manifest),
    ...Object.entries(manifest.bookings ?? {}).flatMap(([id, booking]) => checkBooking(manifest, id, booking)),
  ];
}

function checkSource(document: FlowDocument, id: string, data: Data): Fault[] {
  const path = `data.${id}`;
  const table = own(document.tables, data.table);
  if (table === undefined)
    return [
      stop(
        'table_missing',
        `${path}.table`,
        `There is no table "${data.table}".`,
        `There is ${named(Object.keys(document.tables ?? {}))}.`,
      ),
    ];
  const faults = data.fields.flatMap((field, index) => column(table, field, `${path}.fields.${index}`));
  for (const field of new Set(data.fields.filter((one, index) => data.fields.indexOf(one) !== index)))
    faults.push(stop('field_twice', `${path}.fields`, `"${field}" stands here twice.`));
  if (data.sort !== undefined) faults.push(...column(table, data.sort, `${path}.sort`));
  data.where?.forEach((filter, index) => faults.push(...checkFilter(table, filter, `${path}.where.${index}`)));
  return faults;
}

function column(table: Table, name: string, path: string): Fault[] {
  if (name === 'id' || own(table.columns, name) !== undefined) return [];
  return [
    stop('column_missing', path, `The table has no column "${name}".`, `It has ${named(Object.keys(table.columns))}.`),
  ];
}

const COMPARISONS = ['is', 'not', 'over', 'under', 'contains'] as const;

function checkFilter(table: Table, filter: RowFilter, path: string): Fault[] {
  const faults = column(table, filter.field, `${path}.field`);
  const used = COMPARISONS.filter((name) => filter[name] !== undefined);
  if (used.length === 0)
    faults.push(
      stop('filter_empty', path, `Nothing is asked of "${filter.field}" here.`, `Write one of ${named(COMPARISONS)}.`),
    );
  const type = own(table.columns, filter.field)?.type;
  for (const name of ['is', 'not'] as const) {
    const value = filter[name];
    if (type !== undefined && value !== undefined && !fits(type, value))
      faults.push(
        stop('filter_type', `${path}.${name}`, `"${filter.field}" holds ${WORDS[type]}, and this can never be one.`),
      );
  }
  for (const name of ['over', 'under'] as const)
    if (type !== undefined && filter[name] !== undefined && !isAmount(type))
      faults.push(
        stop(
          'filter_type',
          `${path}.${name}`,
          `"${filter.field}" holds ${WORDS[type]}, and "${name}" compares numbers.`,
          `Take a column of numbers: ${named(amountsOf(table))}.`,
        ),
      );
  return faults;
}

const isAmount = (type: Column['type']): boolean => type === 'number' || type === 'money';

const amountsOf = ({ columns }: Table): string[] => [
  'id',
  ...Object.keys(columns).filter((name) => isAmount(columns[name]?.type ?? 'text')),
];

const WORDS: { readonly [Type in Column['type']]: string } = {
  text: 'text',
  number: 'numbers',
  money: 'sums of money',
  bool: 'yes or no',
  date: 'dates',
  time: 'times',
  link: 'links',
  photo: 'photos',
  phone: 'phone numbers',
  email: 'e-mail addresses',
};

function fits(type: Column['type'], value: string | number | boolean): boolean {
  if (type === 'bool') return typeof value === 'boolean';
  if (isAmount(type)) return typeof value === 'number';
  return typeof value === 'string';
}

/** The columns of a shop, and what each must be. */
const SHOP_COLUMNS = {
  title: ['text'],
  price: ['money', 'number'],
  stock: ['number'],
  variants: ['text'],
} as const satisfies { readonly [name: string]: readonly Column['type'][] };

function checkShop(document: FlowDocument, manifest: Manifest): Fault[] {
  const { shop } = manifest;
  if (shop === undefined) return [];
  const data = own(manifest.data, shop.data);
  if (data === undefined)
    return [
      stop(
        'data_missing',
        'shop.data',
        `There is no data source "${shop.data}".`,
        `There is ${named(Object.keys(manifest.data ?? {}))}.`,
      ),
    ];
  const table = own(document.tables, data.table);
  const faults: Fault[] = [];
  for (const name of ['title', 'price', 'stock', 'variants'] as const) {
    const field = shop[name];
    if (field === undefined || table === undefined) continue;
    const type = own(table.columns, field)?.type;
    const path = `shop.${name}`;
    if (type === undefined) faults.push(...column(table, field, path));
    else if (!(SHOP_COLUMNS[name] as readonly string[]).includes(type))
      faults.push(
        stop('column_type', path, `"${field}" holds ${WORDS[type]}, and the ${name} cannot be read from it.`),
      );
    if (type !== undefined && !data.fields.includes(field))
      faults.push(
        stop(
          'field_missing',
          path,
          `The data source "${shop.data}" does not bring "${field}".`,
          'Add it to its "fields".',
        ),
      );
  }
  return faults;
}

function checkBooking(manifest: Manifest, id: string, booking: Booking): Fault[] {
  const path = `bookings.${id}`;
  const faults: Fault[] = [];
  if (!isTimezone(booking.timezone))
    faults.push(
      stop(
        'timezone_unknown',
        `${path}.timezone`,
        `There is no time zone "${booking.timezone}".`,
        'Write "Europe/Moscow".',
      ),
    );
  if (booking.minutes % SLOT_MINUTES !== 0)
    faults.push(stop('booking_minutes', `${path}.minutes`, `A booking lasts a multiple of ${SLOT_MINUTES} minutes.`));
  for (const [day, spans = []] of Object.entries(booking.hours))
    faults.push(...checkHours(spans, `${path}.hours.${day}`));
  if (Object.values(booking.hours).every((spans) => spans === undefined || spans.length === 0))
    faults.push(
      stop('booking_closed', `${path}.hours`, 'Nobody works on any day.', 'Give at least one day its hours.'),
    );
  else faults.push(...checkRoom(booking, path));
  if (booking.each !== undefined && own(manifest.data, booking.each.data) === undefined)
    faults.push(stop('data_missing', `${path}.each.data`, `There is no data source "${booking.each.data}".`));
  return faults;
}

const dayMinutes = 1_440;

/** Is there a time at all that could be taken? */
function checkRoom({ hours, minutes, noticeMinutes = 0, aheadDays }: Booking, path: string): Fault[] {
  const spans = Object.values(hours).flatMap((day) => day ?? []);
  const longest = Math.max(...spans.map(([from, to]) => minutesOf(to) - minutesOf(from)));
  const faults: Fault[] = [];
  if (longest > 0 && minutes > longest)
    faults.push(
      stop(
        'booking_never',
        `${path}.minutes`,
        `No hours are ${minutes} minutes long, so there is no time to be booked.`,
        `The longest are ${longest} minutes: make "minutes" shorter, or "hours" longer.`,
      ),
    );
  // On the last day all of its hours may be taken.
  if (noticeMinutes >= (aheadDays + 1) * dayMinutes)
    faults.push(
      stop(
        'booking_never',
        `${path}.noticeMinutes`,
        'This long ahead is later than the last day that can be booked, so there is no time to be booked.',
        `Take less than ${(aheadDays + 1) * dayMinutes}, or more days in "aheadDays".`,
      ),
    );
  return faults;
}

/** Bookings are kept in cells of this length, so that two can never overlap in the table. */
export const SLOT_MINUTES = 5;

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

function checkHours(spans: readonly (readonly [string, string])[], path: string): Fault[] {
  let end = -1;
  return spans.flatMap(([from, to], index): Fault[] => {
    const place = `${path}.${index}`;
    const [begin, finish] = [minutesOf(from), minutesOf(to)];
    const before = end;
    end = finish;
    if (begin >= finish) return [stop('hours_order', place, `${from} is not before ${to}.`)];
    if (begin < before)
      return [stop('hours_order', place, `${from} is before the end of the hours above.`, 'Write them in order.')];
    return (begin % SLOT_MINUTES) + (finish % SLOT_MINUTES) > 0
      ? [stop('hours_step', place, `Hours begin and end on a multiple of ${SLOT_MINUTES} minutes.`)]
      : [];
  });
}

function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return true;
  } catch {
    return false;
  }
}
