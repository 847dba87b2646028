import type { ChunkParts } from '../runtime/chunks.ts';

/** A chunk's `drawn` for links that open something of their own over the page; one listener serves them all. */
export function onLinks(selector: string, open: (link: HTMLElement, close: string) => void) {
  let listening = false;
  return ({ root, pages }: ChunkParts): void => {
    if (listening) return;
    listening = true;
    root.addEventListener(
      'click',
      (event) => {
        const link = (event.target as Element).closest<HTMLElement>(selector);
        if (!link || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        open(link, pages.words['zoom'] as string);
      },
      true,
    );
  };
}
