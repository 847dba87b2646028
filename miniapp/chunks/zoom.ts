// Pictures of a gallery, large: press one, go through all of them, close with a button, Escape or a press beside them.

import type { ChunkParts } from '../runtime/chunks.ts';

let listening = false;

/** Called after each drawing of a page that has such a gallery; one listener serves them all. */
export function drawn({ root, pages }: ChunkParts): void {
  if (listening) return;
  listening = true;
  root.addEventListener(
    'click',
    (event) => {
      const link = (event.target as Element).closest('[data-zoom]');
      if (!link || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      open(link, pages.words['zoom'] as string);
    },
    true,
  );
}

function open(link: Element, close: string): void {
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
