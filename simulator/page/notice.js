import { el } from './dom.js';
import { word } from './words.js';

const TOAST_MS = 3_500;

/** A sentence that says something once and goes. */
export function toast(text) {
  const node = el('div', { class: 'toast', text });
  document.getElementById('toasts').append(node);
  setTimeout(() => node.remove(), TOAST_MS);
}

/** A mistake, in the person's words first. */
export function complain(error) {
  toast(`${word('failed')}: ${error instanceof Error ? error.message : String(error)}`);
}

/** Opens a dialog; it goes away with Escape, its buttons, or a press beside it. */
export function dialog(title, ...children) {
  const node = el('dialog', { class: 'dialog', 'aria-label': title }, el('h2', { text: title }), ...children);
  node.addEventListener('click', (event) => {
    if (event.target === node) node.close();
  });
  node.addEventListener('close', () => node.remove());
  document.body.append(node);
  node.showModal();
  return node;
}

/** What answerCallbackQuery shows with show_alert. */
export function alertDialog(text) {
  const node = dialog(word('alertTitle'), el('p', { text }));
  node.append(
    el(
      'div',
      { class: 'dialog-buttons' },
      el('button', { type: 'button', class: 'button main-button', text: word('ok'), onclick: () => node.close() }),
    ),
  );
}

/** A small list of things to do beside the button that opened it. */
export function menu(anchor, items) {
  document.querySelector('.menu')?.remove();
  const node = el('div', { class: 'menu', role: 'menu' });
  const close = () => {
    node.remove();
    document.removeEventListener('pointerdown', outside, true);
    document.removeEventListener('keydown', keys, true);
    anchor.setAttribute('aria-expanded', 'false');
  };
  const outside = (event) => {
    if (!node.contains(event.target) && event.target !== anchor) close();
  };
  const keys = (event) => {
    const buttons = [...node.querySelectorAll('[role=menuitem]')];
    const at = buttons.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      close();
      anchor.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      buttons[(at + (event.key === 'ArrowDown' ? 1 : buttons.length - 1)) % buttons.length]?.focus();
    }
  };
  for (const { label, picture, run, danger } of items) {
    const choose = () => {
      close();
      run();
    };
    node.append(
      el(
        'button',
        { type: 'button', role: 'menuitem', class: danger ? 'danger' : '', onclick: choose },
        picture ?? null,
        el('span', { text: label }),
      ),
    );
  }
  document.body.append(node);
  place(node, anchor);
  anchor.setAttribute('aria-expanded', 'true');
  document.addEventListener('pointerdown', outside, true);
  document.addEventListener('keydown', keys, true);
  node.querySelector('button')?.focus();
}

/** Under the anchor, or above it where there is no room, always inside of the window. */
function place(node, anchor) {
  const box = anchor.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.right - node.offsetWidth), innerWidth - node.offsetWidth - 8);
  const below = box.bottom + 4 + node.offsetHeight < innerHeight;
  node.style.left = `${Math.max(8, left)}px`;
  node.style.top = `${below ? box.bottom + 4 : Math.max(8, box.top - node.offsetHeight - 4)}px`;
}
