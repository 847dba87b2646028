// Pictures of a gallery, as large as the screen: press one, go through all of them, close with a button, Escape, Back or a
// press beside them.

import { dressed, onLinks } from './links.ts';

/** Called after each drawing of a page with such a gallery. */
export const drawn = onLinks('[data-zoom]', make);

// Its look comes along with it: no other page has to carry that.
const dialogLook =
  'width:100%;max-width:none;height:100%;max-height:none;padding:var(--top) 0 var(--low);border:0;background:#000;color:#fff';
const stripLook = 'height:calc(100% - 60px);gap:0';
const pictureLook = 'width:100%;max-width:none;height:100%;border-radius:0;object-fit:contain';
const buttonLook = 'width:100%;min-height:60px;border-radius:0;color:inherit';

function make(link: HTMLElement, close: string) {
  const pictures = Array.from(link.parentElement?.querySelectorAll('img') ?? []);
  const strip = document.createElement('div');
  strip.className = 'gallery';
  strip.tabIndex = 0;
  const large = pictures.map(({ src, alt }) => dressed(Object.assign(new Image(), { src, alt }), pictureLook));
  strip.append(...large);
  const button = dressed(document.createElement('button'), buttonLook);
  button.textContent = close;
  const dialog = dressed(document.createElement('dialog'), dialogLook);
  dialog.setAttribute('aria-label', pictures[0]?.alt ?? close);
  dialog.append(dressed(strip, stripLook), button);
  dialog.onclick = (event) => {
    if (!(event.target instanceof HTMLImageElement) || isBeside(event)) dialog.close();
  };
  const first = large[pictures.indexOf(link.querySelector('img') as HTMLImageElement)];
  return { dialog, shown: () => first?.scrollIntoView({ inline: 'center' }) };
}

/** Whether a press was on the empty room that a picture of another shape leaves. */
function isBeside({ target, offsetX, offsetY }: MouseEvent): boolean {
  const { naturalWidth, naturalHeight, width, height } = target as HTMLImageElement;
  const scale = Math.min(width / naturalWidth, height / naturalHeight);
  const isOut = (at: number, room: number, natural: number): boolean => Math.abs(at - room / 2) > (natural * scale) / 2;
  return isOut(offsetX, width, naturalWidth) || isOut(offsetY, height, naturalHeight);
}
