// Cuts a text that is too much for one message: at a paragraph, else a line, else a sentence, else a word.

import { TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import { cutText, type RichText } from './texts.ts';

/** Where to cut, best first. A cut that leaves less than a quarter of the room is not worth its place. */
const PLACES = ['\n\n', '\n', '. ', ' '] as const;

/** True for a text that one message of `max` UTF-16 units takes whole, its formatting too. */
export const fitsOne = ({ text, entities }: RichText, max: number): boolean =>
  text.length <= max && entities.length <= TELEGRAM_LIMITS.entities;

/** The messages that a text needs: itself as it is where one takes it whole, which is nearly always, else its parts. */
export const partsOf = (rich: RichText, max: number): readonly RichText[] =>
  fitsOne(rich, max) ? [rich] : splitText(rich, max);

/**
 * Parts of at most `max` UTF-16 units, none of them empty. Telegram counts code points, so this is on the safe side. A
 * part ends too before what would be its 101st entity: Telegram takes a hundred and drops the formatting of the rest.
 */
export function splitText(rich: RichText, max: number): RichText[] {
  const parts: RichText[] = [];
  let start = 0;
  for (;;) {
    const room = Math.min(max, entityRoom(rich, start));
    if (rich.text.length - start <= room) break;
    const end = cutPlace(rich.text, start, room);
    pushPart(parts, rich, start, end);
    start = end;
  }
  pushPart(parts, rich, start, rich.text.length);
  return parts;
}

/** UTF-16 units from `start` to the first entity that is one too many; at least one unit, so that there is an end. */
function entityRoom({ entities }: RichText, start: number): number {
  if (entities.length <= TELEGRAM_LIMITS.entities) return Number.POSITIVE_INFINITY;
  const offsets = entities.filter((entity) => entity.offset + entity.length > start).map((entity) => entity.offset);
  const first = offsets.sort((one, other) => one - other)[TELEGRAM_LIMITS.entities];
  return first === undefined ? Number.POSITIVE_INFINITY : Math.max(1, first - start);
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
