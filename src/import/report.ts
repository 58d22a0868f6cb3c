import { csvLine, withoutFormula } from "../http/text/csv.ts";
import type { ImportCounts, ImportedFile, ImportOutcome } from "../resources/documents/import-run-store.ts";

const whole = new Intl.NumberFormat("en");

/** Counts by kind what was left out, so that nothing is left out silently. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(kind: string, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  /** "Left out: notes (2), passwords (1,204)"; null if nothing was. */
  text(): string | null {
    if (this.#counts.size === 0) return null;
    const kinds = [...this.#counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `Left out: ${kinds.map(([kind, count]) => `${kind} (${whole.format(count)})`).join(", ")}`;
  }
}

/** Receives the progress of an import, such as the progress line of a terminal. */
export interface ImportProgress {
  /**
   * The number of finished items, and the name of the current one. `share` is the finished part of all bytes, from 0 to
   * 1, if it is known.
   */
  update(done: number, name?: string, extent?: { share?: number }): void;
  /** Writes a line that stays. */
  note(line: string): void;
  /** Removes the progress line and writes the summary. */
  finish(summary?: string): void;
}

/** Counts the outcomes of an import. Failures and skipped files are reported at once. */
export class ImportReport {
  readonly #progress: ImportProgress;
  readonly #bytes: number | null;
  #bytesDone = 0;
  added = 0;
  changed = 0;
  known = 0;
  failed = 0;
  skipped = 0;
  /** The number of users that the import has added and of whom it knows only the id. */
  nameless = 0;
  readonly #leftOut = new LeftOut();
  readonly #skippedSorts = new Map<string, number>();
  readonly #files: ImportedFile[] | null;
  #early: ImportedFile[] | null = [];
  #listener: (file: ImportedFile) => void = (file) => void this.#early?.push(file);

  /** `bytes` is the size of all sources; null if it is not known. `keepsFiles`: whether {@link csv} is needed. */
  constructor(progress: ImportProgress, bytes: number | null = null, keepsFiles = false) {
    this.#progress = progress;
    this.#bytes = bytes;
    this.#files = keepsFiles ? [] : null;
  }

  /** Counts documents that are now in the database. */
  count({ added, changed, known }: { added: number; changed: number; known: number }): void {
    this.added += added;
    this.changed += changed;
    this.known += known;
  }

  /** Names the current item. */
  at(name: string): void {
    const share = this.#bytes === null || this.#bytes === 0 ? null : this.#bytesDone / this.#bytes;
    this.#progress.update(this.done, name, share === null ? {} : { share: Math.min(1, share) });
  }

  /** Counts bytes of the sources whose records are in the database, or have failed. */
  addBytes(bytes: number): void {
    this.#bytesDone += bytes;
  }

  fail(name: string, reason: string): void {
    this.failed += 1;
    this.file(name, "failed", { reason });
    this.#progress.note(`${name}: ${reason}`);
  }

  /** `sort` is what it is counted by, such as its extension. */
  skip(name: string, reason: string, sort = reason): void {
    this.skipped += 1;
    this.#skippedSorts.set(sort, (this.#skippedSorts.get(sort) ?? 0) + 1);
    this.file(name, "skipped", { reason });
    this.#progress.note(`${name}: skipped, ${reason}`);
  }

  /** Notes what became of a file. */
  file(path: string, outcome: ImportOutcome, about: Pick<ImportedFile, "document" | "reason">): void {
    const file = { path, outcome, ...about };
    this.#files?.push(file);
    this.#listener(file);
  }

  /** Has a function called with what becomes of each file, and of each record that fails, from the first one on. */
  onFile(listener: (file: ImportedFile) => void): void {
    this.#early?.forEach(listener);
    this.#early = null;
    this.#listener = listener;
  }

  /** A line for each file that was seen. */
  get csv(): string {
    const files = (this.#files ?? []).map(({ path, outcome, document, reason }) => [
      path,
      outcome,
      String(document ?? ""),
      reason ?? "",
    ]);
    const lines = [["path", "outcome", "document", "reason"], ...files];
    // The names of files come from strangers.
    return lines.map((cells) => csvLine(cells.map(withoutFormula))).join("");
  }

  /** Counts members that were not imported; a name is repeated for every occurrence. */
  leaveOut(kinds: readonly string[]): void {
    for (const kind of kinds) this.#leftOut.add(kind);
  }

  note(line: string): void {
    this.#progress.note(line);
  }

  get counts(): ImportCounts {
    const { added, changed, known, skipped, failed } = this;
    return { added, changed, known, skipped, failed };
  }

  get done(): number {
    return this.added + this.changed + this.known + this.failed;
  }

  /** "12 documents in, 3 known already, 1 failed". A second line names the members that were left out, if any. */
  summary(): string {
    const parts = [`${whole.format(this.added)} ${this.added === 1 ? "document" : "documents"} in`];
    if (this.changed > 0) parts.push(`${whole.format(this.changed)} brought up to date`);
    if (this.known > 0) parts.push(`${whole.format(this.known)} known already`);
    if (this.skipped > 0) parts.push(`${whole.format(this.skipped)} skipped (${this.#sorts()})`);
    if (this.failed > 0) parts.push(`${whole.format(this.failed)} failed`);
    const leftOut = this.#leftOut.text();
    return leftOut === null ? parts.join(", ") : `${parts.join(", ")}\n${leftOut}`;
  }

  /** "3 .exe, 1 hidden", the most frequent first. */
  #sorts(): string {
    return [...this.#skippedSorts]
      .toSorted(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
      .map(([sort, count]) => `${whole.format(count)} ${sort}`)
      .join(", ");
  }

  /** Says how many users were added without a name, and how they get an account. Null if every user has a name. */
  get namelessUsers(): string | null {
    if (this.nameless === 0) return null;
    const users = this.nameless === 1 ? "1 user who has" : `${whole.format(this.nameless)} users who have`;
    return `Added ${users} only an id and no account: quire user add NAME --id ID makes one`;
  }
}
