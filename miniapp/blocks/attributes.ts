// Nodes as they are in the end, and what may stand on them.

import type { Deed, Row } from '../../contract/app/view.ts';

/** What pressing a node does, and the row that stood there. It is kept on the node, never written into a page. */
export type Pressed = readonly [deed: Deed, row: Row | undefined];

export type Attrs = { [name: string]: string | number | boolean | undefined | Pressed };

/** A text, or an element: `t` its tag, `a` its attributes, `c` what it holds (nothing: a chunk fills it). */
export type VNode = string | { readonly t: string; readonly a: Attrs; readonly c?: readonly VNode[] | undefined };

/**
 * What may stand as an attribute: an address only where it is one of our own or one that `isSafeUrl` of the contract lets
 * through, without a sign that cannot be seen; it comes from a row or a visitor, so the phone looks at it. Names come from
 * blocks alone, and are looked at where those draw (html.ts).
 */
export const attribute = (name: string, value: unknown): string | undefined =>
  value === undefined ||
  value === false ||
  (/^(href|src|poster)$/.test(name) &&
    !/^(?!.*[\s\\\p{C}])([/?](?!\/)|https?:\/\/[^/?#@]+([/?#]|$)|mailto:[^?#]+@|tel:\+?[\d()-]+$|tg:\/\/[a-z])/isu.test(
      value as string,
    ))
    ? undefined
    : value === true
      ? ''
      : `${value as string}`;
