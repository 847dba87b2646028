// What visitors have sent as a table for a spreadsheet. Pure.
import type { Lead } from '../../domains/miniapps/miniapps.ts';
import { orderLine, visitorName } from './view.ts';

/** A line for each, oldest first; a column for each field that any of them has. */
export function leadsCsv(leads: readonly Lead[], fileAddress: (id: string) => string): string {
  const fields = [...new Set(leads.flatMap((lead) => Object.keys(lead.words)))];
  const head = ['number', 'sent', 'form', 'visitor', 'order', 'total', 'currency', 'start', 'cancelled', ...fields];
  const lines = leads.map((lead) => [
    String(lead.number),
    lead.createdAt.toISOString(),
    lead.form,
    visitorName(lead),
    orderLine(lead),
    lead.total === null ? '' : String(lead.total),
    lead.currency ?? '',
    lead.start ?? '',
    lead.cancelledAt?.toISOString() ?? '',
    ...fields.map((field) => fileText(lead, field, fileAddress) ?? lead.words[field] ?? ''),
  ]);
  // With the mark by which spreadsheets know UTF-8.
  return `\ufeff${[head, ...lines].map(csvLine).join('')}`;
}

/** Addresses that were made when it was sent may be over; these are fresh. */
function fileText(lead: Lead, field: string, fileAddress: (id: string) => string): string | undefined {
  const files = lead.files.filter((file) => file.field === field);
  return files.length === 0 ? undefined : files.map((file) => fileAddress(file.id)).join(' ');
}

/** A spreadsheet runs what begins like a formula, and visitors write what they like; a plain number is none. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function csvLine(cells: readonly string[]): string {
  const safe = cells.map((cell) => (formula.test(cell) && !/^[+-]?\d+([.,]\d+)?$/.test(cell) ? `'${cell}` : cell));
  return `${safe.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
