import type { MessageEntity } from '@grammyjs/types';
import { badRequest } from '../api/refusal.ts';
import type { Formatted } from './format.ts';
import { byteOffset, Marks } from './marks.ts';

const SIGNS: Readonly<Record<string, MessageEntity['type']>> = {
  '*': 'bold',
  _: 'italic',
  '`': 'code',
  '```': 'pre',
  '[': 'text_link',
};

function missingEnd(source: string, at: number): never {
  throw badRequest(
    `can't parse entities: Can't find end of the entity starting at byte offset ${byteOffset(source, at)}`,
  );
}

/** The address behind `[text]`; undefined where there is none, and the brackets vanish. */
function linkAddress(source: string, at: number): { url: string; end: number } | undefined {
  if (source[at] !== '(') return undefined;
  const end = source.indexOf(')', at);
  return end === -1 ? undefined : { url: source.slice(at + 1, end), end: end + 1 };
}

function addMark(marks: Marks, type: MessageEntity['type'], text: string, extra: object): void {
  const offset = marks.text.length;
  marks.text += text;
  if (text !== '') marks.entities.push({ type, offset, length: text.length, ...extra } as MessageEntity);
}

/** Telegram's first Markdown, kept for old bots: no nesting, a backslash only before the four signs. */
export function parseMarkdown(source: string): Formatted {
  const marks = new Marks();
  let at = 0;
  while (at < source.length) {
    const char = source[at] ?? '';
    if (char === '\\' && /[_*`[]/.test(source[at + 1] ?? '')) {
      marks.text += source[at + 1];
      at += 2;
      continue;
    }
    const sign = source.startsWith('```', at) ? '```' : char;
    const type = SIGNS[sign];
    if (!type) {
      marks.text += char;
      at += 1;
      continue;
    }
    const close = sign === '[' ? ']' : sign;
    const end = source.indexOf(close, at + sign.length);
    if (end === -1) missingEnd(source, at);
    const inner = source.slice(at + sign.length, end);
    at = end + close.length;
    if (sign === '[') {
      const link = linkAddress(source, at);
      if (link) addMark(marks, type, inner, { url: link.url });
      else marks.text += inner;
      at = link?.end ?? at;
    } else if (sign === '```') {
      const [, language = '', code = inner] = /^([\w+#-]+)\n([\s\S]*)$/.exec(inner) ?? [];
      addMark(marks, 'pre', code.replace(/^\n/, ''), language ? { language } : {});
    } else {
      addMark(marks, type, inner, {});
    }
  }
  return marks.result();
}
