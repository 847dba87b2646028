import type { MessageEntity } from '@grammyjs/types';
import type { Formatted } from './format.ts';

/** A mark that has begun and not ended. */
export type OpenMark = { entity: Omit<MessageEntity, 'length' | 'offset'>; offset: number; at: number; name: string };

/** Builds a text and its marks side by side while a parser walks over the source. */
export class Marks {
  text = '';
  readonly entities: MessageEntity[] = [];
  readonly open: OpenMark[] = [];

  begin(name: string, entity: Omit<MessageEntity, 'length' | 'offset'>, at: number): void {
    this.open.push({ name, entity, offset: this.text.length, at });
  }

  /** Ends the innermost mark; empty ones vanish. */
  end(change?: (mark: OpenMark) => void): OpenMark | undefined {
    const mark = this.open.pop();
    if (!mark) return undefined;
    change?.(mark);
    const length = this.text.length - mark.offset;
    if (length > 0) this.entities.push({ ...mark.entity, offset: mark.offset, length } as MessageEntity);
    return mark;
  }

  result(): Formatted {
    this.entities.sort((one, other) => one.offset - other.offset || other.length - one.length);
    return { text: this.text, entities: this.entities };
  }
}

/** Byte offset of a position in a string: Telegram counts in UTF-8 when it complains. */
export function byteOffset(source: string, at: number): number {
  return Buffer.byteLength(source.slice(0, at), 'utf8');
}
