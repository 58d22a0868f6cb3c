import { LeftOut } from "./left-out.ts";

/** Where an import says how far it is. The terminal's progress line is one. */
export interface ImportProgress {
  /**
   * So many are done, all told, and this is the name of the one being worked on. `share` is the part of all bytes that is
   * done, from 0 to 1, if it is known.
   */
  update(done: number, name?: string, extent?: { share?: number }): void;
  /** A line that stays. */
  note(line: string): void;
  /** Takes the progress away and says how it went. */
  finish(summary?: string): void;
}

/** What became of everything that was to be imported. Failures and what was passed over are told at once. */
export class ImportReport {
  readonly #progress: ImportProgress;
  readonly #bytes: number | null;
  #bytesDone = 0;
  added = 0;
  changed = 0;
  known = 0;
  failed = 0;
  skipped = 0;
  readonly #leftOut = new LeftOut();

  /** `bytes` is the size of all sources; null if it is not known. */
  constructor(progress: ImportProgress, bytes: number | null = null) {
    this.#progress = progress;
    this.#bytes = bytes;
  }

  /** These are in the database. */
  count({ added, changed, known }: { added: number; changed: number; known: number }): void {
    this.added += added;
    this.changed += changed;
    this.known += known;
  }

  /** This is being worked on. */
  at(name: string): void {
    const share = this.#bytes === null || this.#bytes === 0 ? null : this.#bytesDone / this.#bytes;
    this.#progress.update(this.done, name, share === null ? {} : { share: Math.min(1, share) });
  }

  /** So many bytes of the sources are in the database, or have failed. */
  addBytes(bytes: number): void {
    this.#bytesDone += bytes;
  }

  fail(name: string, reason: string): void {
    this.failed += 1;
    this.#progress.note(`${name}: ${reason}`);
  }

  skip(name: string, reason: string): void {
    this.skipped += 1;
    this.#progress.note(`${name}: skipped, ${reason}`);
  }

  /** These were in what came, and nothing was made of them; a kind as often as it occurred. */
  leaveOut(kinds: readonly string[]): void {
    for (const kind of kinds) this.#leftOut.add(kind);
  }

  note(line: string): void {
    this.#progress.note(line);
  }

  get done(): number {
    return this.added + this.changed + this.known + this.failed;
  }

  /** "12 documents in, 3 known already, 1 failed"; and on a second line what was left out, if anything was. */
  summary(): string {
    const parts = [`${whole.format(this.added)} ${this.added === 1 ? "document" : "documents"} in`];
    if (this.changed > 0) parts.push(`${whole.format(this.changed)} brought up to date`);
    if (this.known > 0) parts.push(`${whole.format(this.known)} known already`);
    if (this.skipped > 0) parts.push(`${whole.format(this.skipped)} skipped`);
    if (this.failed > 0) parts.push(`${whole.format(this.failed)} failed`);
    const leftOut = this.#leftOut.text();
    return leftOut === null ? parts.join(", ") : `${parts.join(", ")}\n${leftOut}`;
  }
}

const whole = new Intl.NumberFormat("en");
