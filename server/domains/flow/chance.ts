// Chance comes in with an event and is made longer here: the same seed always gives the same numbers.

export class Chance {
  #seed: number;

  /** `random` is in [0,1). */
  constructor(random: number) {
    this.#seed = Math.floor(random * 0x1_0000_0000) >>> 0;
  }

  /** The next number in [0,1). */
  next(): number {
    this.#seed = (this.#seed + 0x9e37_79b9) >>> 0;
    let mixed = this.#seed;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  }
}
