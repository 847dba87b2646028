// Pictures of a gallery, large: press one, go through all of them, close with a button, Escape or a press beside them.

import { onLinks } from './links.ts';

/** Called after each drawing of a page with such a gallery. */
export const drawn = onLinks('[data-zoom]', open);

function open(link: HTMLElement, close: string): void {
  const pictures = Array.from(link.parentElement?.querySelectorAll('img') ?? []);
  const strip = document.createElement('div');
  strip.className = 'gallery';
  strip.tabIndex = 0;
  const large = pictures.map(({ src, alt }) => Object.assign(new Image(), { src, alt }));
  strip.append(...large);
  const button = document.createElement('button');
  button.textContent = close;
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', pictures[0]?.alt ?? close);
  dialog.append(strip, button);
  document.body.append(dialog);
  dialog.onclose = () => dialog.remove();
  dialog.onclick = ({ target }) => (target === dialog || target === button) && dialog.close();
  dialog.showModal();
  large[pictures.indexOf(link.querySelector('img') as HTMLImageElement)]?.scrollIntoView({ inline: 'center' });
}
