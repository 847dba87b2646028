// Can what is shown for sale be bought?
import type { ElementType } from '../../../../contract/app/elements.ts';
import type { Fault } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import type { Places } from '../places.ts';
import { own, warn } from './fault.ts';

const GOODS: ReadonlySet<ElementType> = new Set(['products', 'product']);
const LINES: ReadonlySet<ElementType> = new Set(['cart', 'summary']);

/** Goods whose cart nobody can look into, or order. */
export function checkGoods(manifest: Manifest, places: Places): Fault[] {
  const standing = Object.entries(manifest.elements).filter(([id]) => places.rowsOf.has(id));
  const goods = standing.find(([, { type }]) => GOODS.has(type))?.[0];
  if (goods === undefined) return [];
  const faults: Fault[] = [];
  if (!standing.some(([, { type }]) => LINES.has(type)))
    faults.push(
      warn(
        'cart_nowhere',
        `elements.${goods}`,
        'Goods can be put into the cart, and no page shows what is in it.',
        'Put an element of the type "cart" on a page, and lead there by a button.',
      ),
    );
  const isOrdered = standing.some(
    ([, element]) => element.type === 'form' && own(manifest.forms, element.props.form)?.kind === 'order',
  );
  if (!isOrdered)
    faults.push(
      warn(
        'order_nowhere',
        `elements.${goods}`,
        'Goods can be put into the cart, and no page lets it be ordered.',
        'Show a form with "kind": "order" on a page.',
      ),
    );
  return faults;
}
