import { el } from './dom.js';

/** What stands where no chat is open. */
export function noChat(title, hint, button) {
  return el(
    'div',
    { class: 'empty whole' },
    el('img', { src: 'bird.svg', alt: '', width: 56, height: 56 }),
    el('strong', { text: title }),
    el('p', { text: hint }),
    button ?? null,
  );
}
