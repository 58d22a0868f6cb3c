import type { Query } from "./query-tree.ts";

/** Limits of one query with its parameters. */
export const maxWords = 100;
/** Of those, the words that are fuzzy or have wildcards inside: each is compared with the whole vocabulary. */
export const maxPatterns = 10;
/** Conditions of any kind: SQLite limits nesting to 1000. */
export const maxConditions = 500;

/**
 * The maximum distance of a proximity search; larger ones are reduced to it, since PostgreSQL needs a condition for
 * each distance.
 */
export const widestSlop = 20;

/** The query exceeds a limit. */
export class TooMuchAskedError extends Error {
  override readonly name = "TooMuchAskedError";
}

export class Limits {
  #words = 0;
  #patterns = 0;
  #conditions = 0;

  /** @throws {TooMuchAskedError} */
  count(query: Query): void {
    if (query.kind === "and" || query.kind === "or") {
      for (const operand of query.of) this.count(operand);
      return;
    }
    if (query.kind === "not") return this.count(query.of);
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
