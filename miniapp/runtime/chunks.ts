// Parts that few pages need, fetched when one of them stands on the page. Until they are here, a link or an empty place does.

import { pages, state } from '../blocks/now.ts';
import { patch } from './patch.ts';

/** What a chunk gets. Their builds are strangers, so nothing in here may be renamed by one. */
export type ChunkParts = {
  readonly root: HTMLElement;
  readonly pages: typeof pages;
  readonly state: typeof state;
  readonly patch: typeof patch;
  readonly draw: () => void;
};

/** Called after the page has been drawn, each time. */
export type Chunk = { readonly drawn: (parts: ChunkParts) => void };

declare const CALENDAR: string;
declare const ZOOM: string;
declare const MAP: string;

const places: { [name: string]: string } = { slot: CALENDAR, zoom: ZOOM, map: MAP };
const loading: { [name: string]: Promise<Chunk> } = {};

export function chunks(root: HTMLElement, draw: () => void): void {
  for (const name in places)
    if (root.querySelector(`[data-${name}]`)) {
      loading[name] ??= import(places[name] as string);
      loading[name].then(
        (chunk) => chunk.drawn({ root, pages, state, patch, draw }),
        () => delete loading[name],
      );
    }
}
