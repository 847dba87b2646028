/** Gives every distinct word a small number, so that a log column can hold it. */
export class Names {
  readonly #words: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#words.push(word);
    this.#numbers.set(word, this.#words.length - 1);
    return this.#words.length - 1;
  }

  wordOf(number: number): string | null {
    return this.#words[number] ?? null;
  }
}
