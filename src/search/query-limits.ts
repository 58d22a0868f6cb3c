import type { Query } from "./query-tree.ts";

/** In characters. */
export const maxQueryLength = 10_000;

/** How much one query may ask for, with all that stands beside it. */
export const maxWords = 100;
/** Of those, with wildcards inside or alike: each is compared with all words there are. */
export const maxPatterns = 10;
/** Conditions of any kind: SQLite nests no deeper than 1000. */
export const maxConditions = 500;

/** Of a proximity; what is wider is read as this: PostgreSQL asks for each distance by itself. */
export const widestSlop = 20;

/** It asks for more than is answered. */
export class TooMuchAskedError extends Error {
  override readonly name = "TooMuchAskedError";
}

export class Limits {
  #words = 0;
  #patterns = 0;
  #conditions = 0;

  /** @throws {TooMuchAskedError} */
  count(query: Query): void {
    if (query.kind === "and") {
      for (const one of query.of) this.count(one);
      return;
    }
    const words = query.kind === "words" ? query.words : [];
    this.#words += words.length;
    this.#patterns += words.filter((word) => "pattern" in word || "like" in word).length;
    this.#conditions += 1;
    if (this.#words > maxWords) throw new TooMuchAskedError(`A query may ask for ${maxWords} words`);
    if (this.#patterns > maxPatterns) {
      throw new TooMuchAskedError(`A query may have ${maxPatterns} words with * or ? inside or ~ at the end`);
    }
    if (this.#conditions > maxConditions) {
      throw new TooMuchAskedError(`A query may have ${maxConditions} conditions`);
    }
  }
}
