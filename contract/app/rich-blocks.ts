// Telegram's rich message blocks, and what stands for each on a page. One document is a page of a Mini App, a page of a
// site and, as far as Telegram goes, a message: `richPage` of the manifest domain turns elements into these blocks.
//
// Names differ where ours were there first, or where one of ours is several of theirs (docs/decisions.md).

import type { ElementType } from './elements.ts';

/** The elements that become this block, or why nothing does. */
export type RichCounterpart = readonly ElementType[] | { readonly none: string };

/** By `type` of InputRichBlock, Bot API 10.3. */
export const RICH_BLOCKS = {
  paragraph: ['text', 'badge', 'price', 'contacts'],
  heading: ['heading'],
  pre: ['code'],
  footer: ['note'],
  divider: ['divider'],
  mathematical_expression: { none: 'A page has no formulas: a browser shows none without a library of its own.' },
  anchor: { none: 'A page is short and leads to others; nothing leads into the middle of one.' },
  list: ['list'],
  blockquote: ['quote'],
  expandable_blockquote: ['quote'],
  pullquote: ['quote'],
  collage: { none: 'Pictures beside each other are a gallery, which a message leafs through: a slideshow.' },
  slideshow: ['gallery'],
  table: ['table'],
  details: ['details', 'tabs'],
  map: ['map'],
  buttons: ['button', 'links'],
  animation: ['video'],
  audio: ['audio'],
  document: ['file'],
  photo: ['image', 'gallery'],
  video: ['video'],
  voice_note: ['audio'],
  thinking: { none: 'It stands in drafts alone, while an answer is being written; a page is written already.' },
} as const satisfies { readonly [type: string]: RichCounterpart };

export type RichBlockType = keyof typeof RICH_BLOCKS;

/** What Telegram takes of one rich message. List items and table rows count as blocks. */
export const RICH_LIMITS = {
  chars: 32_768,
  blocks: 500,
  /** Of blocks and marks inside each other. */
  depth: 16,
  media: 50,
  tableColumns: 20,
  buttonsPerRow: 8,
} as const;
