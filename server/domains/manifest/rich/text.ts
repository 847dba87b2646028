// Texts of pages as Telegram's rich text: marks become objects, and nothing is ever markup.
import type { AppCondition } from '../../../../contract/app/conditions.ts';
import type { AppSpan, Content } from '../../../../contract/app/texts.ts';
import { isSafeUrl } from '../../../../contract/app/texts.ts';
import type { FlowDocument } from '../../../../contract/flow.ts';
import { bodyIn } from '../compile.ts';
import { holds } from '../conditions.ts';
import { isTelegramLink, isVisible } from '../takes.ts';
import type { RichMark, RichText } from './types.ts';

/** The words of one page in one language. */
export class RichTexts {
  readonly #document: FlowDocument;
  readonly #page: string;
  readonly #locale: string;

  constructor(document: FlowDocument, page: string, locale: string) {
    this.#document = document;
    this.#page = page;
    this.#locale = locale;
  }

  /** A text with its marks; undefined where it holds a value that only the page can know. */
  rich(content: Content): RichText | undefined {
    const spans = this.#spans(content).map((span) => this.#span(span));
    if (spans.some((span) => span === undefined)) return undefined;
    const shown = spans.filter((span) => span !== undefined && span !== '') as RichText[];
    return shown.length > 1 ? shown : (shown[0] ?? '');
  }

  /** The same without marks, for whatever takes none. */
  plain(content: Content): string | undefined {
    const words = this.#spans(content).map((span) => (typeof span === 'string' ? span : this.#words(span)));
    return words.some((one) => one === undefined) ? undefined : words.join('');
  }

  /** Whether it holds in a message; undefined where only the page can know. */
  holds(condition: AppCondition): boolean | undefined {
    if ('all' in condition) return this.#group(condition.all, false);
    if ('any' in condition) return this.#group(condition.any, true);
    if ('field' in condition && condition.field !== 'page.id') return undefined;
    return holds(condition, () => this.#page, 'telegram');
  }

  /** One part that is `decisive` decides the whole group, whatever the others are. */
  #group(parts: readonly AppCondition[], decisive: boolean): boolean | undefined {
    const known = parts.map((part) => this.holds(part));
    if (known.includes(decisive)) return decisive;
    return known.includes(undefined) ? undefined : !decisive;
  }

  #spans(content: Content): readonly AppSpan[] {
    if (typeof content !== 'string') return [{ from: content.from }];
    const texts = this.#document.app?.texts ?? {};
    const text = Object.hasOwn(texts, content) ? texts[content] : undefined;
    const body = text && bodyIn(text, this.#locale, this.#document.defaultLocale);
    return typeof body === 'string' ? [body] : (body ?? []);
  }

  #words(span: Exclude<AppSpan, string>): string | undefined {
    if ('text' in span) return span.text;
    return span.from === 'page.id' ? this.#page : undefined;
  }

  #span(span: AppSpan): RichText | undefined {
    if (typeof span === 'string') return span;
    const words = this.#words(span);
    if (words === undefined || words === '') return words;
    const marked = MARKS.reduce<RichText>(
      (text, [mark, type]) => (span[mark] ? ({ type, text } as RichMark) : text),
      words,
    );
    return span.link === undefined ? marked : (linked(marked, span.link) ?? marked);
  }
}

const MARKS = [
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['underline', 'underline'],
  ['strike', 'strikethrough'],
  ['code', 'code'],
] as const;

/** A text that leads to an address; undefined for an address that nobody should follow. */
export function linked(text: RichText, address: string): RichText | undefined {
  if (!isSafeUrl(address)) return undefined;
  const [scheme = '', rest = ''] = address.split(/:(.*)/s);
  if (scheme.toLowerCase() === 'tel') return { type: 'phone_number', text, phone_number: rest };
  if (scheme.toLowerCase() === 'mailto')
    return { type: 'email_address', text, email_address: rest.replace(/\?.*$/s, '') };
  return isTelegramLink(address) ? { type: 'url', text, url: address } : undefined;
}

/** True where there is something to read. */
export function hasWords(text: RichText): boolean {
  if (typeof text === 'string') return isVisible(text);
  return 'type' in text ? hasWords(text.text) : text.some(hasWords);
}

/** How long a text is, and how deep its marks stand inside each other. */
export function measureText(text: RichText): { readonly chars: number; readonly depth: number } {
  if (typeof text === 'string') return { chars: text.length, depth: 0 };
  if ('type' in text) {
    const { chars, depth } = measureText(text.text);
    return { chars, depth: depth + 1 };
  }
  const parts = text.map(measureText);
  return {
    chars: parts.reduce((sum, part) => sum + part.chars, 0),
    depth: Math.max(0, ...parts.map((part) => part.depth)),
  };
}
