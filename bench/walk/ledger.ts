import type { Position, WalkOrdering, WalkedRecord } from "./orderings.ts";

/** The verdict on a walk. */
export interface Verdict {
  pages: number;
  rows: number;
  /** Rows that had been shown before with the same key. */
  repeats: number;
  /** Rows that the list's order puts before a row that had been shown. */
  misplaced: number;
  /** The ids of unmoved rows that were not shown. */
  missing: number[];
}

/**
 * Checks one walk from one end of a list to the other. A row that moved may be shown again with another key. In the
 * orderings by id the key cannot change, so no row may be shown again.
 */
export class Ledger {
  readonly #ordering: WalkOrdering;
  readonly #backwards: boolean;
  readonly #missing: Set<number>;
  readonly #shown = new Set<string>();
  #last: Position | null = null;
  #pages = 0;
  #rows = 0;
  #repeats = 0;
  #misplaced = 0;

  /** `standing`: the rows that exist throughout and whose key does not change. */
  constructor(ordering: WalkOrdering, backwards: boolean, standing: Iterable<number>) {
    this.#ordering = ordering;
    this.#backwards = backwards;
    this.#missing = new Set(standing);
  }

  /** Takes a page as the server sent it: in the list's order, even if the walk goes backwards. */
  takePage(records: readonly WalkedRecord[]): void {
    this.#pages += 1;
    for (const record of this.#backwards ? records.toReversed() : records) this.#take(record);
  }

  verdict(): Verdict {
    return {
      pages: this.#pages,
      rows: this.#rows,
      repeats: this.#repeats,
      misplaced: this.#misplaced,
      missing: [...this.#missing],
    };
  }

  #take(record: WalkedRecord): void {
    const position = { id: record.id, value: this.#ordering.valueOf(record) };
    const key = JSON.stringify([position.id, position.value]);
    this.#rows += 1;
    this.#missing.delete(record.id);
    if (this.#shown.has(key)) this.#repeats += 1;
    else if (this.#last !== null && !this.#follows(position, this.#last)) this.#misplaced += 1;
    this.#shown.add(key);
    this.#last = position;
  }

  #follows(position: Position, last: Position): boolean {
    const compared = this.#ordering.compare(position, last);
    return this.#backwards ? compared < 0 : compared > 0;
  }
}
