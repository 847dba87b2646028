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
export type Chunk<Parts = ChunkParts> = { readonly drawn: (parts: Parts) => void };

declare const CALENDAR: string;
declare const ZOOM: string;
declare const MAP: string;

const places: { [name: string]: string } = { slot: CALENDAR, zoom: ZOOM, map: MAP };
const loading: { [name: string]: Promise<Chunk> } = {};

/**
 * Fetches a chunk, again and again until it is here. An address that has failed once is not asked for again by the same page
 * (seen in Chromium 153); with another fragment it is.
 */
export const fetchChunk = <Parts>(address: string, use: (chunk: Chunk<Parts>) => void): unknown =>
  import(address).then(use, () => setTimeout(fetchChunk, 3_000, `${address}#`, use));

export function chunks(root: HTMLElement, draw: () => void): void {
  for (const name in places)
    if (root.querySelector(`[data-${name}]`)) {
      loading[name] ??= new Promise((use) => fetchChunk(places[name] as string, use));
      loading[name].then((chunk) => chunk.drawn({ root, pages, state, patch, draw }));
    }
}
