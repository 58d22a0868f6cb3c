import type { Database, Writer } from "../../../database/database.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { type TextLanguage, languageOf } from "../../../processing/text-language.ts";
import { FingerprintMaker } from "../pages/fingerprints.ts";
import { type FileFacts, type ReadFacts, setStatus } from "../file-facts-store.ts";
import { type ReadPage, addPages } from "../pages/page-store.ts";
import { fingerprintLater, putFingerprint } from "../pages/fingerprint-store.ts";
import { isLanguageRecognised, noteLanguage } from "../pages/language-store.ts";
import { isUnfinishedAfter } from "./is-unfinished-after.ts";
import { type Progress, minMilliseconds } from "./progress-store.ts";
import { type PageSink, reading } from "./read-pages.ts";

/**
 * The first reading of a file. Its pages can be viewed while their text is read, and the texts are committed in
 * batches.
 *
 * Most files are read within a fraction of a second. Nothing is written for them until the transaction that ends the
 * job. A file is shown before that as soon as half a second has passed, a page needs recognition, or a batch of pages
 * is full.
 */
export class FirstReading implements PageSink {
  readonly #database: Database;
  readonly #job: Job;
  readonly #progress: Progress;
  readonly #document: FileFacts;
  readonly #facts: ReadFacts;
  readonly #startedAt = performance.now();
  /** Null until it is shown. */
  #shown: Promise<void> | null = null;
  #done = 0;
  /** The last pages, if the file was not shown when they came. */
  #held: { pages: readonly ReadPage[]; from: number } | null = null;
  /** The language of the first pages that have enough text for it. It is written with the next pages. */
  #language: { found: TextLanguage; isWritten: boolean } | null = null;

  /** Null if not all pages are read in this attempt. */
  #fingerprint: FingerprintMaker | null = null;

  constructor(
    { database, job, progress }: { database: Database; job: Job; progress: Progress },
    { document, facts }: { document: FileFacts; facts: ReadFacts },
  ) {
    this.#database = database;
    this.#job = job;
    this.#progress = progress;
    this.#document = document;
    this.#facts = facts;
  }

  async note(done: number): Promise<void> {
    this.#done = done;
    if (this.#shown === null) return;
    await this.#shown;
    await this.#progress.note(reading, done, this.#facts.page_count);
  }

  show(): Promise<void> {
    this.#shown ??= this.#database.write(async (writer) => {
      const { status } = this.#document;
      const meanwhile = status === "success" ? "readable" : status;
      await setStatus(writer, this.#job.subject, { to: meanwhile, from: [status], facts: this.#facts });
      await this.#addHeld(writer);
      // The step tells followers that there are pages, since the status does not.
      await this.#progress.noteIn(writer, reading, this.#done, this.#facts.page_count);
    });
    return this.#shown;
  }

  async take(pages: readonly ReadPage[], from: number): Promise<void> {
    this.#noteWords(pages, from);
    await this.#recognise(pages, from);
    if (this.#shown === null && from + pages.length === this.#facts.page_count) {
      this.#held = { pages, from };
      return;
    }
    await this.show();
    await this.#database.write(async (writer) => {
      await this.#add(writer, pages, from);
      await this.#job.hold(writer);
    });
    if (this.#language !== null) this.#language.isWritten = true;
  }

  /** An earlier attempt may have read the first pages: then a job makes the fingerprint. */
  #noteWords(pages: readonly ReadPage[], from: number): void {
    if (from === 0) this.#fingerprint = new FingerprintMaker();
    for (const { text } of pages) this.#fingerprint?.add(text);
  }

  async #recognise(pages: readonly ReadPage[], from: number): Promise<void> {
    if (this.#language !== null) return;
    const found = await languageOf(pages.map(({ text }) => text));
    if (found === null) return;
    // An earlier attempt may have written the first pages.
    const isWritten = from > 0 && (await isLanguageRecognised(this.#database.reader, this.#job.subject));
    this.#language = { found, isWritten };
  }

  /** Adds pages, whose words get the forms of their language. */
  async #add(writer: Writer, pages: readonly ReadPage[], from: number): Promise<void> {
    const id = this.#job.subject;
    if (this.#language?.isWritten === false)
      await noteLanguage(writer, id, this.#language.found, { isSure: true });
    await addPages(writer, id, from, pages);
  }

  /** Waits for a part of the work, and shows the file meanwhile if it takes long. */
  async showDuring<T>(work: Promise<T>): Promise<T> {
    const left = this.#startedAt + minMilliseconds - performance.now();
    if (this.#shown === null && (await isUnfinishedAfter(left, work))) {
      const shown = this.show();
      await Promise.allSettled([work, shown]);
      await shown;
    }
    return work;
  }

  /** The facts that have not been shown. */
  get newFacts(): Partial<ReadFacts> {
    return this.#shown === null ? this.#facts : {};
  }

  /** Writes the pages that have not been shown, and the fingerprint, in the transaction that ends the job. */
  async addRest(writer: Writer): Promise<void> {
    if (this.#shown === null) await this.#addHeld(writer);
    const id = this.#job.subject;
    if (this.#fingerprint === null) await fingerprintLater(writer, [id]);
    else await putFingerprint(writer, id, this.#fingerprint.end());
  }

  async #addHeld(writer: Writer): Promise<void> {
    if (this.#held !== null) await this.#add(writer, this.#held.pages, this.#held.from);
  }
}
