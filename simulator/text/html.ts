import type { MessageEntity } from '@grammyjs/types';
import { badRequest } from '../api/refusal.ts';
import type { Formatted } from './format.ts';
import { byteOffset, Marks } from './marks.ts';

type Mark = Omit<MessageEntity, 'length' | 'offset'>;

const SIMPLE: Readonly<Record<string, MessageEntity['type']>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  'tg-spoiler': 'spoiler',
};

const REFERENCES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

function decodeReferences(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));?/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return REFERENCES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function attributes(source: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const match of source.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g)) {
    found[(match[1] ?? '').toLowerCase()] = decodeReferences(match[2] ?? match[3] ?? match[4] ?? '');
  }
  return found;
}

/** The mark a tag stands for; undefined where Telegram does not know the tag. */
function markOf(tag: string, attrs: Record<string, string>): Mark | undefined {
  const simple = SIMPLE[tag];
  if (simple) return { type: simple } as Mark;
  if (tag === 'a') return { type: 'text_link', url: attrs.href ?? '' } as Mark;
  if (tag === 'span' && attrs.class === 'tg-spoiler') return { type: 'spoiler' } as Mark;
  if (tag === 'blockquote') return { type: 'expandable' in attrs ? 'expandable_blockquote' : 'blockquote' } as Mark;
  if (tag === 'tg-emoji') return { type: 'custom_emoji', custom_emoji_id: attrs['emoji-id'] ?? '' } as Mark;
  if (tag === 'tg-time') return { type: 'date_time', unix_time: Number(attrs.unix ?? 0) } as unknown as Mark;
  return undefined;
}

/** `<pre><code class="language-x">` is one mark with a language. */
function openTag(marks: Marks, tag: string, attrs: Record<string, string>, at: number, source: string): void {
  const mark = markOf(tag, attrs);
  if (!mark)
    throw badRequest(`can't parse entities: Unsupported start tag "${tag}" at byte offset ${byteOffset(source, at)}`);
  const parent = marks.open.at(-1);
  const language = /^language-(.+)$/.exec(attrs.class ?? '')?.[1];
  if (tag === 'code' && parent?.name === 'pre' && parent.offset === marks.text.length && language) {
    parent.entity = { ...parent.entity, language } as Mark;
    marks.begin('code', { type: 'nothing' } as unknown as Mark, at);
    return;
  }
  marks.begin(tag, mark, at);
}

function closeTag(marks: Marks, tag: string, at: number, source: string): void {
  const mark = marks.open.at(-1);
  const place = byteOffset(source, at);
  if (!mark) throw badRequest(`can't parse entities: Unexpected end tag at byte offset ${place}`);
  if (mark.name !== tag && tag !== '') {
    throw badRequest(
      `can't parse entities: Unmatched end tag at byte offset ${place}, expected "</${mark.name}>", found "</${tag}>"`,
    );
  }
  const linkText = marks.text.slice(mark.offset);
  marks.end((open) => {
    // A link without an address is a link to its own text.
    if (open.name === 'a' && !('url' in open.entity && open.entity.url))
      open.entity = { ...open.entity, url: linkText } as Mark;
  });
  if ((marks.entities.at(-1)?.type as string | undefined) === 'nothing') marks.entities.pop();
}

/** Telegram's HTML. */
export function parseHtml(source: string): Formatted {
  const marks = new Marks();
  let at = 0;
  while (at < source.length) {
    const next = source.indexOf('<', at);
    marks.text += decodeReferences(source.slice(at, next === -1 ? source.length : next));
    if (next === -1) break;
    const end = source.indexOf('>', next);
    if (end === -1)
      throw badRequest(`can't parse entities: Unclosed start tag at byte offset ${byteOffset(source, next)}`);
    const inner = source.slice(next + 1, end);
    const [, slash = '', tag = '', rest = ''] = /^(\/?)([\w-]*)([\s\S]*)$/.exec(inner) ?? [];
    if (slash) closeTag(marks, tag.toLowerCase(), next, source);
    else openTag(marks, tag.toLowerCase(), attributes(rest), next, source);
    at = end + 1;
  }
  const open = marks.open.at(-1);
  if (open) throw badRequest(`can't parse entities: Can't find end tag corresponding to start tag "${open.name}"`);
  return marks.result();
}
