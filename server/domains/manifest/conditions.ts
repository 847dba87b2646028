// What is true of values, as the page decides it: both sides are compared as people would compare what they see.
import type { AppCondition } from '../../../contract/app/conditions.ts';
import type { Read } from './texts.ts';

/** A text as people look for it: great and small letters, accents, ё and blanks around it make no difference. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** True when what is asked holds. */
export function holds(condition: AppCondition, read: Read, where: 'telegram' | 'web'): boolean {
  if ('all' in condition) return condition.all.every((one) => holds(one, read, where));
  if ('any' in condition) return condition.any.some((one) => holds(one, read, where));
  if ('where' in condition) return condition.where === where;
  const value = read(condition.field) ?? '';
  const some = value !== false && String(value) !== '';
  if ('is' in condition) return String(value) === String(condition.is);
  if ('not' in condition) return String(value) !== String(condition.not);
  if ('over' in condition) return some && Number(value) > condition.over;
  if ('under' in condition) return some && Number(value) < condition.under;
  if ('contains' in condition) {
    const wanted = plain(condition.contains);
    return Array.isArray(value) ? value.some((one) => plain(one) === wanted) : plain(String(value)).includes(wanted);
  }
  return some === 'set' in condition;
}
