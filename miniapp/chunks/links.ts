import type { ChunkParts } from '../runtime/chunks.ts';
import { over } from './over.ts';

/** Makes what lies over the page, and says what is to be done once it is to be seen. */
type Make = (link: HTMLElement, close: string) => { dialog: HTMLDialogElement; shown?: () => void };

/** A chunk's `drawn` for links that open something of their own over the page; one listener serves them all. */
export function onLinks(selector: string, make: Make) {
  let layer: ReturnType<typeof over> | undefined;
  return ({ root, pages, draw }: ChunkParts): void => {
    if (layer) return layer.drawn();
    const { lay, isOpen } = (layer = over(draw));
    root.addEventListener(
      'click',
      (event) => {
        const link = (event.target as Element).closest<HTMLElement>(selector);
        if (!link || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        if (isOpen()) return;
        const { dialog, shown } = make(link, pages.words['zoom'] as string);
        lay(dialog);
        shown?.();
      },
      true,
    );
  };
}

/** With a look of its own, given by the script: a page with our rules takes none from markup. */
export function dressed<One extends HTMLElement>(one: One, look: string): One {
  one.style.cssText = look;
  return one;
}
