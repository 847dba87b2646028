// The page on the screen: drawn again after every change, and changed for another one without a load.

import type { AppPages, DrawnButton } from '../../contract/app/view.ts';
import { pages, rows, state } from '../blocks/now.ts';
import { pageAt } from '../blocks/places.ts';
import { renderPage } from '../blocks/show.ts';
import { holds, read, say } from '../blocks/values.ts';
import { chunks } from './chunks.ts';
import { patch } from './patch.ts';
import { part, telegram } from './telegram.ts';

type Form = AppPages['forms'][string];

export const root = document.getElementById('r') as HTMLElement;

/** Files as they were chosen, by the path of their field; once they are on the server, what it calls them. */
export const files: { [path: string]: File | string | undefined } = {};

const BUTTONS = ['MainButton', 'SecondaryButton'] as const;

/** Those that the client has; what it has not stands on the page. */
export const buttons = () => BUTTONS.filter((at) => at < 'N' || part('7.10', at));

/** The buttons of the page that have something to do, the first of them in the place of the main one. */
export const pageButton = (at: (typeof BUTTONS)[number]): DrawnButton | undefined =>
  buttons().flatMap((name) => {
    const button = pages.pages[state.page]?.[name];
    return button && holds(button.if) ? button : [];
  })[+(at > 'N')];

export function draw(): void {
  patch(root, renderPage(pages, rows, state));
  if (telegram) {
    const { colorScheme } = telegram;
    document.documentElement.dataset['theme'] = colorScheme;
    for (const at of buttons()) {
      const button = pageButton(at);
      telegram[at].setParams(
        button
          ? {
              text: say(button.text),
              is_visible: true,
              is_active: !read(`busy.${button.do.submit}`),
              ...state.paint?.[at + colorScheme],
            }
          : { is_visible: false },
      );
    }
    part('6.1', 'BackButton')?.[state.page === pages.start ? 'hide' : 'show']();
  }
  chunks(root, draw);
}

/** Where people read on: after a page has changed, and at the first field that is wrong. */
export function focus(selector: string): HTMLElement | null {
  const at = root.querySelector(selector) as HTMLElement | null;
  at?.focus();
  return at;
}

/** To the heading of a page, or to its beginning. */
const focusTop = (): unknown => focus(root.querySelector('h1') ? 'h1' : 'main');

/**
 * Draws after the cart has changed. A button that was pressed may have given its place to others; who uses a keyboard goes
 * on at the one that adds there, or where its line is gone, at the next line.
 */
export function drawCart(): void {
  const pressed = document.activeElement as Element;
  const adding = (): HTMLElement[] => Array.from(root.querySelectorAll('.add'));
  const at = adding().indexOf(pressed.parentNode?.querySelector('.add') as HTMLElement);
  draw();
  if (pressed.isConnected) return;
  const next = adding()
    .slice(0, at + 1)
    .pop();
  next ? next.focus() : focusTop();
}

/** Shows the page of an address, if one of ours is there. */
export function show(address: string): void {
  const at = pageAt(pages, address);
  if (!at) return;
  Object.assign(state, at);
  // What has been sent is told once, and is no beginning of something else.
  for (const id in pages.forms)
    if (read(`done.${id}`)) {
      const { values } = state;
      values[`done.${id}`] = values[`step.${id}`] = '';
      for (const { id: name } of (pages.forms[id] as Form).fields)
        values[`form.${id}.${name}`] = files[`form.${id}.${name}`] = '';
    }
  // What stands above stays, and the menu where it was scrolled to.
  (root.querySelector('main') as Element).textContent = '';
  draw();
  document.title = pages.pages[at.page]?.title as string;
  focusTop();
}

export function go(address: string): void {
  history.pushState(1, '', address + location.hash);
  show(address);
  scrollTo(0, 0);
}

/** Back where the visitor was, or to the first page for somebody who came by a link. */
export function back(): void {
  if (history.state) history.back();
  else go(pages.base + (pages.pages[pages.start]?.path as string) + location.search);
}
