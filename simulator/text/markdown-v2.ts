import type { MessageEntity } from '@grammyjs/types';
import { badRequest } from '../api/refusal.ts';
import type { Formatted } from './format.ts';
import { byteOffset, Marks } from './marks.ts';

type Mark = Omit<MessageEntity, 'length' | 'offset'>;

/** Signs in the order in which they must be tried: the longer first. */
const SIGNS: readonly (readonly [sign: string, type: MessageEntity['type']])[] = [
  ['```', 'pre'],
  ['__', 'underline'],
  ['||', 'spoiler'],
  ['*', 'bold'],
  ['_', 'italic'],
  ['~', 'strikethrough'],
  ['`', 'code'],
];

const RESERVED = /[_*[\]()~`>#+\-=|{}.!]/;

/** Walks over one text in MarkdownV2. */
class Walker {
  readonly #source: string;
  readonly #marks = new Marks();
  #at = 0;
  #quote: { offset: number } | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  run(): Formatted {
    while (this.#at < this.#source.length) this.#step();
    this.#endQuote();
    const open = this.#marks.open.at(-1);
    if (open) {
      const place = byteOffset(this.#source, open.at);
      throw badRequest(
        `can't parse entities: Can't find end of ${words(open.entity.type)} entity at byte offset ${place}`,
      );
    }
    return this.#marks.result();
  }

  #step(): void {
    const char = this.#source[this.#at] ?? '';
    const inner = this.#marks.open.at(-1)?.name;
    if (char === '\\' && this.#isAscii(this.#source[this.#at + 1])) {
      this.#marks.text += this.#source[this.#at + 1];
      this.#at += 2;
    } else if (inner === '`' || inner === '```') {
      if (this.#source.startsWith(inner, this.#at)) this.#endSign(inner);
      else this.#copy(char);
    } else if (this.#atLineStart() && char === '>') {
      this.#quote ??= { offset: this.#marks.text.length };
      this.#at += 1;
    } else if (char === '\n') {
      this.#newLine();
    } else if (!this.#sign() && !this.#link(char)) {
      this.#plain(char);
    }
  }

  #isAscii(char: string | undefined): boolean {
    return char !== undefined && char.charCodeAt(0) > 0 && char.charCodeAt(0) <= 126;
  }

  #atLineStart(): boolean {
    return this.#at === 0 || this.#source[this.#at - 1] === '\n';
  }

  #copy(char: string): void {
    this.#marks.text += char;
    this.#at += 1;
  }

  #newLine(): void {
    if (this.#quote && this.#source[this.#at + 1] !== '>') this.#endQuote();
    this.#copy('\n');
  }

  /** `||` as the last thing of a quotation makes it expandable. */
  #endQuote(): void {
    if (!this.#quote) return;
    const { offset } = this.#quote;
    this.#quote = undefined;
    const top = this.#marks.open.at(-1);
    const expandable = top?.name === '||' && top.offset === this.#marks.text.length;
    if (expandable) this.#marks.open.pop();
    const length = this.#marks.text.length - offset;
    const type = expandable ? 'expandable_blockquote' : 'blockquote';
    if (length > 0) this.#marks.entities.push({ type, offset, length } as MessageEntity);
  }

  #sign(): boolean {
    for (const [sign, type] of SIGNS) {
      if (!this.#source.startsWith(sign, this.#at)) continue;
      if (this.#marks.open.at(-1)?.name === sign) this.#endSign(sign);
      else this.#beginSign(sign, { type } as Mark);
      return true;
    }
    return false;
  }

  #beginSign(sign: string, entity: Mark): void {
    const start = this.#at;
    this.#at += sign.length;
    if (sign !== '```') {
      this.#marks.begin(sign, entity, start);
      return;
    }
    const language = /^[^\s`]+(?=\n)/.exec(this.#source.slice(this.#at, this.#at + 64))?.[0];
    if (language) this.#at += language.length;
    if (this.#source[this.#at] === '\n') this.#at += 1;
    this.#marks.begin(sign, (language ? { ...entity, language } : entity) as Mark, start);
  }

  #endSign(sign: string): void {
    this.#marks.end();
    this.#at += sign.length;
  }

  #link(char: string): boolean {
    const emoji = this.#source.startsWith('![', this.#at);
    if (char === '[' || emoji) {
      this.#marks.begin(emoji ? '![' : '[', { type: 'text_link' } as Mark, this.#at);
      this.#at += emoji ? 2 : 1;
      return true;
    }
    const name = this.#marks.open.at(-1)?.name;
    if (char !== ']' || (name !== '[' && name !== '![')) return false;
    this.#at += 1;
    const address = this.#address();
    const text = this.#marks.text;
    this.#marks.end((mark) => {
      mark.entity = linkMark(name === '![', address ?? text.slice(mark.offset));
    });
    return true;
  }

  #address(): string | undefined {
    if (this.#source[this.#at] !== '(') return undefined;
    let address = '';
    for (let at = this.#at + 1; at < this.#source.length; at++) {
      const char = this.#source[at] ?? '';
      if (char === ')') {
        this.#at = at + 1;
        return address;
      }
      if (char === '\\') at += 1;
      address += char === '\\' ? (this.#source[at] ?? '') : char;
    }
    throw badRequest(
      `can't parse entities: Can't find end of a URL at byte offset ${byteOffset(this.#source, this.#at)}`,
    );
  }

  #plain(char: string): void {
    if (RESERVED.test(char)) {
      throw badRequest(
        `can't parse entities: Character '${char}' is reserved and must be escaped with the preceding '\\'`,
      );
    }
    this.#copy(char);
  }
}

function linkMark(emoji: boolean, address: string): Mark {
  const id = /^tg:\/\/emoji\?id=(\d+)$/.exec(address)?.[1];
  if (emoji && id) return { type: 'custom_emoji', custom_emoji_id: id } as Mark;
  return { type: 'text_link', url: address } as Mark;
}

/** Telegram's names of marks in complaints. */
function words(type: string): string {
  const names: Record<string, string> = {
    bold: 'Bold',
    italic: 'Italic',
    underline: 'Underline',
    strikethrough: 'Strikethrough',
    code: 'Code',
    pre: 'PreCode',
    spoiler: 'Spoiler',
    text_link: 'TextUrl',
  };
  return names[type] ?? type;
}

/** Telegram's MarkdownV2. */
export function parseMarkdownV2(source: string): Formatted {
  return new Walker(source).run();
}
