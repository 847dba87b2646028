// Cuts a text that is too long for one message: at a paragraph, else a line, else a sentence, else a word.

import { cutText, type RichText } from './texts.ts';

/** Where to cut, best first. A cut that leaves less than a quarter of the room is not worth its place. */
const PLACES = ['\n\n', '\n', '. ', ' '] as const;

/** Parts of at most `max` UTF-16 units, none of them empty. Telegram counts code points, so this is on the safe side. */
export function splitText(rich: RichText, max: number): RichText[] {
  const parts: RichText[] = [];
  let start = 0;
  while (rich.text.length - start > max) {
    const end = cutPlace(rich.text, start, max);
    pushPart(parts, rich, start, end);
    start = end;
  }
  pushPart(parts, rich, start, rich.text.length);
  return parts;
}

function pushPart(parts: RichText[], rich: RichText, start: number, end: number): void {
  const text = rich.text.slice(start, end);
  const from = start + text.length - text.trimStart().length;
  const to = start + text.trimEnd().length;
  if (to > from) parts.push(cutText(rich, from, to));
}

function cutPlace(text: string, start: number, max: number): number {
  const window = text.slice(start, start + max);
  for (const place of PLACES) {
    const at = window.lastIndexOf(place);
    if (at >= max / 4) return start + at + place.length;
  }
  // Never between the two halves of one character.
  const last = window.charCodeAt(max - 1);
  return start + (last >= 0xd800 && last < 0xdc00 && max > 1 ? max - 1 : max);
}
