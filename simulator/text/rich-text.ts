import { badRequest } from '../api/refusal.ts';

/** Rich text as Telegram takes it: words, a list, or an object of one of these types around words. */
const TYPES: { readonly [type: string]: readonly string[] } = {
  bold: ['text'],
  italic: ['text'],
  underline: ['text'],
  strikethrough: ['text'],
  spoiler: ['text'],
  subscript: ['text'],
  superscript: ['text'],
  marked: ['text'],
  code: ['text'],
  date_time: ['text', 'unix_time', 'date_time_format'],
  text_mention: ['text', 'user'],
  custom_emoji: ['custom_emoji_id', 'alternative_text'],
  mathematical_expression: ['expression'],
  url: ['text', 'url'],
  email_address: ['text', 'email_address'],
  phone_number: ['text', 'phone_number'],
  bank_card_number: ['text', 'bank_card_number'],
  mention: ['text', 'username'],
  hashtag: ['text', 'hashtag'],
  cashtag: ['text', 'cashtag'],
  bot_command: ['text', 'bot_command'],
  button: ['button'],
  anchor: ['name'],
  anchor_link: ['text', 'anchor_name'],
  reference: ['text', 'name'],
  reference_link: ['text', 'reference_name'],
};

/** How many characters a rich text has and how deep it goes. Throws where it is none. */
export function measureRichText(text: unknown): { chars: number; depth: number } {
  if (typeof text === 'string') return { chars: [...text].length, depth: 0 };
  if (Array.isArray(text)) {
    const parts = text.map(measureRichText);
    return {
      chars: parts.reduce((sum, { chars }) => sum + chars, 0),
      depth: Math.max(0, ...parts.map(({ depth }) => depth)),
    };
  }
  const fields = (text ?? {}) as Record<string, unknown>;
  const needed = Object.hasOwn(TYPES, String(fields.type)) ? TYPES[String(fields.type)] : undefined;
  if (needed === undefined) throw badRequest("can't parse RichText: unsupported type specified");
  for (const name of needed)
    if (fields[name] === undefined || fields[name] === '')
      throw badRequest(`can't parse RichText: Can't find field "${name}"`);
  const inner = fields.text === undefined ? { chars: 1, depth: 0 } : measureRichText(fields.text);
  return { chars: inner.chars, depth: inner.depth + 1 };
}
