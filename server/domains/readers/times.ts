// Hours and minutes.

import { type Reading, UNREADABLE } from './reading.ts';
import { figuresOf } from './spelling.ts';

/** Reads `9:30`, `09.30`, `9:30 pm`, `21h30`, `٠٩:٣٠`, and `09:30:00` of a spreadsheet. */
export function readTime(text: string): Reading<string> {
  const figures = text.length > 40 ? null : figuresOf(text);
  const found = /^(\d{1,2}) ?[:.h] ?(\d{2})(?::00)?(?: ?([ap])\.? ?m\.?)?$/i.exec(figures ?? '');
  if (!found) return UNREADABLE;
  const [, hourText, minutes = '', half] = found;
  const hour = Number(hourText);
  if (Number(minutes) > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return UNREADABLE;
  const hours = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return { value: `${String(hours).padStart(2, '0')}:${minutes}` };
}
