// The simpler form of a message, for a Telegram that did not take it as it was.
import { TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import { type RichMessage, richButtons, richWords } from '../manifest/manifest.ts';

/**
 * A rich message as an ordinary one, since an older Bot API server knows no other; anything else without its formatting.
 * The words reach the person either way.
 */
export function plainForm(method: string, params: string): { method: string; params: string } {
  if (method === 'sendRichMessage') return { method: 'sendMessage', params: wordsForm(params) };
  const {
    entities: _entities,
    caption_entities: _caption,
    parse_mode: _mode,
    ...rest
  } = JSON.parse(params) as Record<string, unknown>;
  return { method, params: JSON.stringify(rest) };
}

type Rich = {
  rich_message: RichMessage;
  reply_markup?: { inline_keyboard?: readonly unknown[] };
  [option: string]: unknown;
};

const SILENT = { file: () => '', buttons: () => '' };

function wordsForm(params: string): string {
  const { rich_message, reply_markup, ...options } = JSON.parse(params) as Rich;
  const rows = [...richButtons(rich_message.blocks), ...(reply_markup?.inline_keyboard ?? [])];
  const text = fitted(richWords(rich_message.blocks, SILENT));
  // Telegram takes no message without words; of pictures alone nothing else is left.
  return JSON.stringify({
    ...options,
    text: text || '…',
    ...(rows.length > 0 && { reply_markup: { inline_keyboard: rows.slice(0, TELEGRAM_LIMITS.buttons) } }),
  });
}

/** As many blocks as one message holds; three dots say that there was more. */
function fitted(blocks: readonly string[]): string {
  const whole = blocks.join('\n\n');
  if (whole.length <= TELEGRAM_LIMITS.textChars) return whole;
  const head = whole.slice(0, TELEGRAM_LIMITS.textChars - 2);
  const cut = head.lastIndexOf('\n');
  // Half of a sign would be refused.
  return `${(cut > 0 ? head.slice(0, cut) : head).replace(/[\ud800-\udbff]$/, '')}\n…`;
}

/** Where a message names a topic of its chat. */
export const isInThread = (params: string): boolean => params.includes('"message_thread_id":');

/** The message to the chat itself: its topic is gone. */
export function withoutThread(params: string): string {
  const { message_thread_id: _thread, ...rest } = JSON.parse(params) as Record<string, unknown>;
  return JSON.stringify(rest);
}
