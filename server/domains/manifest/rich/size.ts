// What Telegram counts of a rich message, and how much of a page fits into one.
import { RICH_LIMITS } from '../../../../contract/app/rich-blocks.ts';
import { measureText } from './text.ts';
import type { RichBlock, RichText } from './types.ts';

/** `blocks`: with those inside, items of lists and rows of tables, as Telegram counts them. */
export type RichSize = {
  readonly chars: number;
  readonly blocks: number;
  readonly depth: number;
  readonly media: number;
};

const NOTHING: RichSize = { chars: 0, blocks: 0, depth: 0, media: 0 };

const beside = (one: RichSize, other: RichSize): RichSize => ({
  chars: one.chars + other.chars,
  blocks: one.blocks + other.blocks,
  depth: Math.max(one.depth, other.depth),
  media: one.media + other.media,
});

/** All of them together. */
export const sizeOf = (blocks: RichBlock[]): RichSize =>
  blocks.reduce((sum, block) => beside(sum, sizeOfBlock(block)), NOTHING);

const within = (inner: RichSize, texts: readonly (RichText | undefined)[], media = 0): RichSize => {
  const measured = texts.map((text) => measureText(text ?? ''));
  return {
    chars: measured.reduce((sum, { chars }) => sum + chars, inner.chars),
    blocks: inner.blocks + 1,
    depth: Math.max(inner.depth, ...measured.map(({ depth }) => depth)) + 1,
    media: inner.media + media,
  };
};

function sizeOfBlock(block: RichBlock): RichSize {
  switch (block.type) {
    case 'divider':
      return within(NOTHING, []);
    case 'photo':
      return within(NOTHING, [], 1);
    case 'audio':
      return within(NOTHING, [block.audio.title], 1);
    case 'video':
    case 'animation':
    case 'voice_note':
    case 'document':
      return within(NOTHING, [block.caption?.text], 1);
    case 'map':
      return within(NOTHING, [block.caption.text]);
    case 'list':
      return within(
        block.items.reduce((sum, item) => beside(sum, within(sizeOf(item.blocks), [])), NOTHING),
        [],
      );
    case 'table':
      return within(
        block.cells.reduce(
          (sum, row) =>
            beside(
              sum,
              within(
                NOTHING,
                row.map(({ text }) => text),
              ),
            ),
          NOTHING,
        ),
        [],
      );
    case 'buttons':
      return within(
        NOTHING,
        block.buttons.map(({ text }) => text),
      );
    case 'details':
      return within(sizeOf(block.blocks), [block.summary]);
    case 'slideshow':
      return within(sizeOf(block.blocks), []);
    case 'blockquote':
      return within(sizeOf(block.blocks), [block.credit]);
    case 'expandable_blockquote':
    case 'pullquote':
      return within(NOTHING, [block.text, block.credit]);
    default:
      return within(NOTHING, [block.text]);
  }
}

const fits = ({ chars, blocks, depth, media }: RichSize): boolean =>
  chars <= RICH_LIMITS.chars &&
  blocks <= RICH_LIMITS.blocks &&
  depth <= RICH_LIMITS.depth &&
  media <= RICH_LIMITS.media;

/** The blocks from the first on that one message takes together with `tail`; it is cut before the first that it does not. */
export function fitted(blocks: RichBlock[], tail: RichBlock[]): RichBlock[] {
  let size = sizeOf(tail);
  const at = blocks.findIndex((block) => {
    size = beside(size, sizeOfBlock(block));
    return !fits(size);
  });
  return at < 0 ? blocks : blocks.slice(0, at);
}
