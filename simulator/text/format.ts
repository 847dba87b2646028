import type { MessageEntity } from '@grammyjs/types';
import { badRequest } from '../api/refusal.ts';
import { detectEntities } from './detect.ts';
import { parseHtml } from './html.ts';
import { parseMarkdown } from './markdown.ts';
import { parseMarkdownV2 } from './markdown-v2.ts';

/** A text with its marks, as a Message holds it. */
export type Formatted = { text: string; entities: MessageEntity[] };

const ENTITY_TYPES: ReadonlySet<string> = new Set([
  'mention',
  'hashtag',
  'cashtag',
  'bot_command',
  'url',
  'email',
  'phone_number',
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
  'code',
  'pre',
  'text_link',
  'text_mention',
  'custom_emoji',
  'date_time',
]);

/** Characters as Telegram counts them for its limits. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** Marks given by the caller: Telegram refuses what it cannot read and drops what lies outside of the text. */
function readEntities(list: readonly unknown[], text: string): MessageEntity[] {
  const entities: MessageEntity[] = [];
  for (const item of list) {
    const entity = item as { type?: unknown; offset?: unknown; length?: unknown };
    if (typeof item !== 'object' || item === null) throw badRequest("can't parse MessageEntity: expected an Object");
    if (typeof entity.type !== 'string' || !ENTITY_TYPES.has(entity.type))
      throw badRequest("can't parse MessageEntity: unsupported type specified");
    if (!Number.isInteger(entity.offset) || !Number.isInteger(entity.length))
      throw badRequest('can\'t parse MessageEntity: Can\'t find field "offset"');
    const emoji = (item as { custom_emoji_id?: unknown }).custom_emoji_id;
    if (entity.type === 'custom_emoji' && !(typeof emoji === 'string' && isInt64(emoji)))
      throw badRequest('can\'t parse MessageEntity: Field "custom_emoji_id" must be a valid Number');
    const { offset, length } = entity as MessageEntity;
    if (offset < 0 || length < 0 || offset > 1_000_000 || length > 1_000_000)
      throw badRequest('receive invalid entity offset or length');
    if (offset + length > text.length) throw badRequest('entity beginning or end is out of the text');
    if (splitsPair(text, offset) || splitsPair(text, offset + length))
      throw badRequest('entity begins or ends in a middle of a UTF-16 symbol');
    if (length > 0) entities.push(item as MessageEntity);
  }
  return entities;
}

/** True for a whole number of 64 bits. */
export function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function splitsPair(text: string, at: number): boolean {
  return (
    at > 0 &&
    at < text.length &&
    (text.charCodeAt(at) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  );
}

/** Spaces at both ends go, and marks move with the text. */
function trim({ text, entities }: Formatted): Formatted {
  const end = text.trimEnd().length;
  const start = text.length - text.trimStart().length;
  if (start === 0 && end === text.length) return { text, entities };
  if (end === 0) return { text: '', entities: [] };
  const kept: MessageEntity[] = [];
  for (const entity of entities) {
    const from = Math.max(entity.offset, start);
    const to = Math.min(entity.offset + entity.length, end);
    if (to > from) kept.push({ ...entity, offset: from - start, length: to - from });
  }
  return { text: text.slice(start, end), entities: kept };
}

function parse(text: string, mode: string): Formatted {
  switch (mode.toLowerCase()) {
    case 'html':
      return parseHtml(text);
    case 'markdownv2':
      return parseMarkdownV2(text);
    case 'markdown':
      return parseMarkdown(text);
    default:
      throw badRequest('unsupported parse_mode');
  }
}

/** Entities of one message that Telegram keeps; the others are dropped without a word (limits.tginfo.me). */
const entitiesMax = 100;

/** A text as the caller gave it, made what Telegram stores. */
export function formatText(
  text: string,
  mode: string | undefined,
  entities: readonly unknown[] | undefined,
): Formatted {
  const clean = text.includes('\r') || text.includes('\0') ? text.replace(/\r/g, '').replace(/\0/g, ' ') : text;
  const marked = mode ? parse(clean, mode) : { text: clean, entities: entities ? readEntities(entities, clean) : [] };
  const trimmed = trim(marked);
  return { text: trimmed.text, entities: detectEntities(trimmed.text, trimmed.entities).slice(0, entitiesMax) };
}
