// Writes texts for one turn. What an expression in them costs counts for the turn, and one that fails writes nothing.

import type { Value } from '../../../contract/variables.ts';
import type { Program } from './expressions.ts';
import { type CompiledText, type RichText, renderText, type TextSource } from './texts.ts';
import type { Turn } from './turn.ts';

export class TurnTexts {
  readonly #turn: Turn;
  readonly #sources = new Map<string, TextSource>();

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** Another release has other formats. */
  forget(): void {
    this.#sources.clear();
  }

  render(text: CompiledText, locale: string): RichText {
    return text.fixed ?? renderText(text, this.#source(locale));
  }

  #source(locale: string): TextSource {
    const turn = this.#turn;
    const known = this.#sources.get(locale);
    if (known) return known;
    const evaluate = (program: Program): Value | undefined => {
      try {
        return turn.evaluate(program, locale);
      } catch (error) {
        turn.note(turn.block?.id ?? '', 'expression', 'error', error instanceof Error ? error.message : String(error));
        return undefined;
      }
    };
    const formatter = turn.release.formatter(locale);
    const source = { read: (path: string) => turn.read(path, locale), evaluate, formatter };
    this.#sources.set(locale, source);
    return source;
  }
}
