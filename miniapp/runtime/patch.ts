// Nodes of a page made like those that were shown. What the server has sent is adopted: nothing is made anew.

import { attribute, type Pressed, type VNode } from '../blocks/attributes.ts';

/** An element with what pressing it does. */
export type Live = HTMLInputElement & { do?: Pressed };

export function patch(parent: Element, nodes: readonly VNode[]): void {
  let node = parent.firstChild as Live | Text | null;
  for (const one of nodes) {
    const { t, a, c } = one as Exclude<VNode, string>;
    // Neither a text nor a node of text has a tag.
    if (!node || (node as Live).localName !== t) {
      const made = t ? document.createElement(t) : document.createTextNode('');
      if (node) node.replaceWith(made);
      else parent.append(made);
      node = made as Live | Text;
    }
    if (!t) {
      if ((node as Text).data !== one) (node as Text).data = one as string;
    } else {
      if (c) patch(node as Live, c);
      dress(node as Live, a);
    }
    node = node.nextSibling as Live | Text | null;
  }
  while (node) {
    const next: ChildNode | null = node.nextSibling;
    node.remove();
    node = next as Live | Text | null;
  }
}

function dress(node: Live, attrs: Exclude<VNode, string>['a']): void {
  // Whether details are open is the visitor's to say.
  for (const name of node.getAttributeNames()) if (!(name in attrs) && name !== 'open') node.removeAttribute(name);
  for (const name in attrs) {
    const value = attrs[name];
    if (/^(do|checked|value)$/.test(name)) {
      if (node[name as 'value'] !== value) node[name as 'value'] = value as string;
    } else {
      const text = attribute(name, value);
      if (text === undefined) node.removeAttribute(name);
      else if (node.getAttribute(name) !== text) node.setAttribute(name, text);
    }
  }
}
