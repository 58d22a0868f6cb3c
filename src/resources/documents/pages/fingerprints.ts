import { plainWordsOf } from "../../../search/words.ts";

/*
 * Fingerprints of texts (MinHash, by Broder). Every four consecutive words of a text are hashed in 64 ways, and of each
 * way the lowest hash is kept. The share of equal hashes of two texts estimates how much of their four-word sequences
 * they have in common. Four hashes together are a band: texts that are nearly equal have some of their 16 bands in
 * common, which an index finds.
 */

const hashCount = 64;
const hashesOfBand = 4;
const wordsOfShingle = 4;
/** A text with fewer words is like too many others. */
export const minWords = 24;

export interface Fingerprint {
  /** The number of words in the text. */
  words: number;
  /** 64 numbers of 32 bits, in base 64. Null for a text that is too short. */
  hashes: string | null;
}

/** Makes the fingerprint of a text that comes in parts, such as pages. */
export class FingerprintMaker {
  readonly #lowest = new Uint32Array(hashCount).fill(0xffffffff);
  /** The hashes of the last words. */
  readonly #last: number[] = [];
  #words = 0;

  add(text: string): void {
    for (const word of plainWordsOf(text)) {
      this.#words += 1;
      this.#last.push(hashOf(word));
      if (this.#last.length < wordsOfShingle) continue;
      let shingle = 0;
      for (const hash of this.#last) shingle = (Math.imul(shingle, 0x01000193) ^ hash) >>> 0;
      this.#last.shift();
      this.#note(shingle);
    }
  }

  end(): Fingerprint {
    if (this.#words < minWords) return { words: this.#words, hashes: null };
    const bytes = Buffer.alloc(hashCount * 4);
    for (const [index, hash] of this.#lowest.entries()) bytes.writeUInt32BE(hash, index * 4);
    return { words: this.#words, hashes: bytes.toString("base64") };
  }

  #note(shingle: number): void {
    const lowest = this.#lowest;
    for (let way = 0; way < hashCount; way++) {
      const hash = mixed(shingle ^ Math.imul(way + 1, 0x9e3779b1));
      if (hash < lowest[way]!) lowest[way] = hash;
    }
  }
}

/** FNV-1a of the word's UTF-16 code units. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/** Spreads each bit over all others: the last steps of MurmurHash3. */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The bands of a fingerprint, as whole numbers that also tell the position of the band. */
export function bandsOf(hashes: string): number[] {
  const numbers = numbersIn(hashes);
  return Array.from({ length: hashCount / hashesOfBand }, (_, band) => {
    let [high, low] = [0, 0];
    for (let index = band * hashesOfBand; index < (band + 1) * hashesOfBand; index++) {
      low = mixed(low ^ (numbers[index] ?? 0));
      high = mixed(high ^ Math.imul(numbers[index] ?? 0, 0x9e3779b1));
    }
    // 16 bands, each with 48 bits: a number of JavaScript holds 53 bits exactly.
    return band * 2 ** 48 + (high & 0xffff) * 2 ** 32 + low;
  });
}

/** The estimated share of what two texts have in common, from 0 to 1. */
export function similarityOf(one: string, other: string): number {
  const [a, b] = [numbersIn(one), numbersIn(other)];
  return a.filter((hash, index) => hash === b[index]).length / hashCount;
}

function numbersIn(hashes: string): number[] {
  const bytes = Buffer.from(hashes, "base64");
  return Array.from({ length: hashCount }, (_, index) => bytes.readUInt32BE(index * 4));
}
