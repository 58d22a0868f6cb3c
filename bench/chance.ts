/** Numbers that look random and are the same on every run (a xorshift generator). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995 || 1;
    for (let warmUp = 0; warmUp < 8; warmUp++) this.#next();
  }

  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor((this.#next() / 2 ** 32) * end);
  }

  /** True with this probability, from 0 to 1. */
  is(share: number): boolean {
    return this.#next() < share * 2 ** 32;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** A text of this many hexadecimal digits, made eight at a time. */
  hexadecimal(digits: number): string {
    let text = "";
    while (text.length < digits) text += this.#next().toString(16).padStart(8, "0");
    return text.slice(0, digits);
  }

  #next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return state >>> 0;
  }
}
