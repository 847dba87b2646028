// Which links and words Telegram takes. Pure.

/** Telegram's own bound; longer ones are refused. */
const CHARS_MAX = 2_048;

const WEB = /^https?:\/\/(?:[^\s/?#@]*@)?([\p{L}\p{N}._-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?(?:[/?#]\S*)?$/iu;
const TELEGRAM = /^tg:\/\/[a-z\d_-]+(?:[/?#]\S*)?$/i;

/**
 * True for what Telegram takes as the link of a button or of a stretch of text: a web address whose host has a dot, or
 * tg://. Anything else (tel:, mailto:, a bare host such as localhost) loses the whole message.
 * https://core.telegram.org/bots/api#inlinekeyboardbutton, and `check_link_impl` of tdlib's LinkManager.
 */
export function isTelegramLink(link: string): boolean {
  if (link.length > CHARS_MAX || /[\p{C}\s]/u.test(link)) return false;
  if (TELEGRAM.test(link)) return true;
  const [, host = '', port = '1'] = WEB.exec(link) ?? [];
  if (host === '' || Number(port) < 1 || Number(port) > 65_535) return false;
  const hasDot = host.startsWith('[') || (host.includes('.') && host.split('.').every((label) => label !== ''));
  return hasDot && URL.canParse(link);
}

/**
 * Signs that Telegram does not count as words, as tdlib's `strip_empty_characters` has them: of these alone a text is
 * empty, and refused.
 */
const SEEN = /[^\s\0\u00a0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2800\u3000\ufeff\ufffc]/u;

/** True where there is something to see. */
export const isVisible = (text: string): boolean => SEEN.test(text);
