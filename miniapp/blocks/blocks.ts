// The door: what the server makes pages with.

export type { VNode } from './attributes.ts';
export { drawPages, zoneName } from './draw/pages.ts';
export { wordsFor } from './draw/words.ts';
export { toHtml } from './html.ts';
export type { PageState } from './now.ts';
export { address, firstState, pageAt } from './places.ts';
export { pageRow, renderPage } from './show.ts';
