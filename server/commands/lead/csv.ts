// What visitors have sent as a table for a spreadsheet. Pure.
import type { Lead } from '../../domains/miniapps/miniapps.ts';
import { type CsvOptions, csvLine, withGuard } from '../../domains/tables/tables.ts';
import { orderLine, visitorName } from './view.ts';

/** A line for each, oldest first; a column for each field that any of them has. */
export function leadsCsv(
  leads: readonly Lead[],
  fileAddress: (id: string) => string | null,
  options: CsvOptions = {},
): string {
  const fields = [...new Set(leads.flatMap((lead) => Object.keys(lead.words)))];
  const own = ['number', 'sent', 'form', 'visitor', 'telegram', 'order', 'total', 'currency', 'start', 'cancelled'];
  const lines = leads.map((lead) => [
    String(lead.number),
    lead.createdAt.toISOString(),
    lead.form,
    visitorName(lead),
    lead.visitor.id,
    orderLine(lead),
    lead.total === null ? '' : options.semicolon ? String(lead.total).replace('.', ',') : String(lead.total),
    lead.currency ?? '',
    lead.start ?? '',
    lead.cancelledAt?.toISOString() ?? '',
    ...fields.map((field) => fileText(lead, field, fileAddress) ?? lead.words[field] ?? ''),
  ]);
  const text = [[...own, ...fields], ...lines].map((cells) => csvLine(cells.map(safe), options)).join('');
  // With the mark by which spreadsheets know UTF-8.
  return `\ufeff${text}`;
}

/** Addresses that were made when it was sent may be over; these are fresh. */
function fileText(lead: Lead, field: string, fileAddress: (id: string) => string | null): string | undefined {
  const files = lead.files.filter((file) => file.field === field);
  return files.length === 0 ? undefined : files.map((file) => fileAddress(file.id) ?? '').join(' ');
}

/** A plain number is no formula. */
const safe = (cell: string): string => (/^[+-]?\d+([.,]\d+)?$/.test(cell) ? cell : withGuard(cell));
