// The cart: in Telegram's cloud, where it follows the visitor from device to device, and on the device itself.

import type { Deed, Row } from '../../contract/app/view.ts';
import { pages, state } from '../blocks/now.ts';
import { draw } from './page.ts';
import { part, type WebApp } from './telegram.ts';

/** What the device keeps of this app for this visitor: two may share a browser. A browser may forbid it. */
export function kept(name: string, value?: string): string | undefined {
  const key = `${name}.${pages.app}${state.values['visitor.id'] || ''}`;
  try {
    if (value) localStorage[key] = value;
    return localStorage[key];
  } catch {
    return value;
  }
}

const cloud = (): WebApp['CloudStorage'] | undefined => part('6.9', 'CloudStorage');

function fill(text: string | undefined): void {
  try {
    state.cart = JSON.parse(text as string) || {};
  } catch {}
}

/** Keeps it for the next visit, unless the visitor has said that nothing is to be kept. */
export const keepCart = (): void => {
  const text = JSON.stringify(state.values['page.cookies'] === 'no' ? {} : state.cart);
  kept('cart', text);
  cloud()?.setItem('cart', text);
};

/**
 * The page with the cart as it was left: on the device at once, then as the cloud has it, since it may have been changed or
 * ordered on another one. What is changed here meanwhile is newer.
 */
export function fetchCart(): void {
  const before = kept('cart');
  fill(before);
  cloud()?.getItem('cart', (_error, text) => {
    if (kept('cart') === before) fill(text);
    draw();
  });
  draw();
}

export function changeCart(cart: Deed['cart'], row: Row | undefined): void {
  const item = row?.['$item'] as string;
  const { stock = '' } = pages.shop || {};
  if (cart === 'clear') state.cart = {};
  else if (item) {
    const count = (state.cart[item] || 0) + (cart === 'add' ? 1 : -1);
    state.cart[item] = Math.max(0, Math.min(count, 99, +(row?.[stock] ?? 99)));
    if (!state.cart[item]) delete state.cart[item];
  }
  keepCart();
  part('6.1', 'HapticFeedback')?.impactOccurred('light');
}
