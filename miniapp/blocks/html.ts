// Nodes as HTML, for the first page that the server sends.

import { attribute, type VNode } from './attributes.ts';

const NAMES =
  /^((aria|data)-.+|accept|alt|autocomplete|checked|class|controls|disabled|for|height|href|id|inputmode|lang|loading|max(length)?|method|min|name|novalidate|open|pattern|placeholder|playsinline|poster|preload|rel|required|role|rows|src|step|tabindex|target|type|value|width)$/;

/** What an element of a page may have: nothing that runs, and nothing that loads by itself but pictures and films. */
export const isAttribute = (name: string): boolean => NAMES.test(name);

const EMPTY_TAGS = /^(img|input|hr)$/;
const ESCAPES: { readonly [sign: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '');

/** Escaped HTML without a script in it. Throws for an element that no page has: that is a bug of a block. */
export function toHtml(nodes: readonly VNode[]): string {
  return nodes.map(one).join('');
}

function one(node: VNode): string {
  if (typeof node === 'string') return escaped(node);
  const { t, a, c } = node;
  if (!/^[a-z]+[1-6]?$/.test(t) || /^(script|style|iframe|object|embed|base|link|meta)$/.test(t))
    throw new Error(`<${t}> is no element of a page`);
  const attributes = Object.keys(a).map((name) => {
    const value = isAttribute(name) ? attribute(name, a[name]) : undefined;
    // What a field holds is no attribute of these two.
    const absent = value === undefined || (name === 'value' && /^(select|textarea)$/.test(t));
    return absent ? '' : ` ${name}="${escaped(value)}"`;
  });
  const open = `<${t}${attributes.join('')}>`;
  return EMPTY_TAGS.test(t) ? open : `${open}${toHtml(c ?? [])}</${t}>`;
}
