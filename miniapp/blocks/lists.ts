// Rows that are shown in a list: of a data source, of the cart, of what a column holds.

import type { LiveList, Row } from '../../contract/app/view.ts';
import { pages, row, rowOf, rows, standAt, state } from './now.ts';
import { holds, read } from './values.ts';

const parts = (of: Row | undefined, column: string | undefined): string[] =>
  `${of?.[column as string] || ''}`.split(';').map((part) => part.trim());

/** A row for sale, with what the cart calls it (`$item`, by its variant) and how many are in there. */
export function goods(of: Row): Row {
  const [first] = parts(of, pages.shop?.variants);
  const $field = `variant.${of.id}`;
  const $item = of.id + (first ? `:${read($field) || first}` : '');
  return { ...of, $field, $item, $count: state.cart[$item] || 0 };
}

/**
 * What is in the cart, of the rows that are there. A price that is none, or below nothing, adds nothing; its line stays,
 * so that the visitor can take it out: the server refuses an order with it.
 */
export const cartLines = (): Row[] =>
  Object.keys(state.cart).flatMap(($item) => {
    const [id, $variant = ''] = $item.split(':');
    const of = rowOf(pages.shop?.data, id);
    const $count = +(state.cart[$item] as number);
    return of && $count
      ? {
          ...of,
          $item,
          $variant,
          $count,
          $sum: Math.max(0, $count * (of[pages.shop?.price as string] as number) || 0),
        }
      : [];
  });

/** The rows of a list. It leaves another row at hand than it found. */
export function listed({ each, only, where }: LiveList): readonly Row[] {
  if (each === '$cart') return cartLines();
  if (each.startsWith('row.'))
    return parts(row, each.slice(4)).flatMap(($value, at) => ($value ? { ...(row as Row), $value, $first: !at } : []));
  const all = rows[each] || [];
  if (only) return [...new Set(all.map((one) => one[only]))].flatMap(($value) => ($value ? { id: 0, $value } : []));
  const found = all.filter((one) => !where || (standAt(one) && holds(where)));
  return each === pages.shop?.data ? found.map(goods) : found;
}
