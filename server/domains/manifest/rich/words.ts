// A rich message as words, for chats of tests and for a Telegram that does not take one.
import type { RichBlock, RichText } from './types.ts';

/** A text without its marks. What was struck out is left out: without the line through it, it would be said. */
function textWords(text: RichText): string {
  return wordsOf(text).trim();
}

function wordsOf(text: RichText): string {
  if (typeof text === 'string') return text;
  if (!('type' in text)) return text.map(wordsOf).join('');
  return text.type === 'strikethrough' ? '' : wordsOf(text.text);
}

/** How what is no words is told; '' leaves it out. */
export type Telling = {
  readonly file: (type: string) => string;
  readonly buttons: (labels: readonly string[]) => string;
};

/** What each block says, one after the other; blocks that say nothing are not there. */
export function richWords(blocks: readonly RichBlock[], telling: Telling): string[] {
  return blocks.map((block) => blockWords(block, telling)).filter((words) => words !== '');
}

function blockWords(block: RichBlock, telling: Telling): string {
  const inside = (blocks: readonly RichBlock[], between = '\n'): string => richWords(blocks, telling).join(between);
  const below = (words: string, more: RichText | undefined): string =>
    more === undefined ? words : `${words}\n— ${textWords(more)}`;
  switch (block.type) {
    case 'divider':
      return '';
    case 'list':
      return block.items
        .map(
          (item, at) =>
            `${item.type ? `${item.value ?? at + 1}.` : item.is_checked ? '✓' : '•'} ${inside(item.blocks)}`,
        )
        .join('\n');
    case 'table':
      return block.cells
        .map((row) => row.flatMap(({ text }) => (text === undefined ? [] : [textWords(text)])).join(' · '))
        .join('\n');
    case 'details':
      return [textWords(block.summary), ...richWords(block.blocks, telling)].join('\n');
    case 'blockquote':
      return below(inside(block.blocks), block.credit);
    case 'expandable_blockquote':
    case 'pullquote':
      return below(textWords(block.text), block.credit);
    case 'slideshow':
      return inside(block.blocks, ' ');
    case 'buttons':
      return telling.buttons(block.buttons.map(({ text }) => text));
    case 'photo':
      return telling.file('photo');
    case 'audio':
      return [telling.file('audio'), block.audio.title].filter((word) => word !== '').join(' ');
    case 'video':
    case 'animation':
    case 'voice_note':
    case 'document':
    case 'map':
      return [telling.file(block.type), textWords(block.caption?.text ?? '')].filter((word) => word !== '').join(' ');
    default:
      return textWords(block.text);
  }
}

/** Every button of the message, a row for each block that holds some. */
export function richButtons(blocks: readonly RichBlock[]): Extract<RichBlock, { type: 'buttons' }>['buttons'][] {
  return blocks.flatMap((block) => {
    if (block.type === 'buttons') return [block.buttons];
    return block.type === 'details' ? richButtons(block.blocks) : [];
  });
}
