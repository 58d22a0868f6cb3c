import { PageError } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";

/** A file that could not be opened, or a page that could not be drawn or read, is tried again after this time. */
export const failureSeconds = 3600;
const maxFailures = 10_000;

export interface PagePlace {
  /** Names the document and the state of its file. */
  file: string;
  /** Counts from 0. */
  page: number;
  /** In pixels: of an image; null where the words are read. */
  width: number | null;
}

interface Failure {
  error: unknown;
  width: number | null;
  until: number;
}

/**
 * What of a file could not be drawn or read: asked for again, it would take as long and end the same. A page that cannot
 * be drawn small is not tried larger either. Kept in memory, so a restart tries everything again.
 */
export class KnownFailures {
  readonly #failures = new Map<string, Failure>();
  readonly #now: () => number;

  constructor(nowMilliseconds: () => number = () => performance.now()) {
    this.#now = nowMilliseconds;
  }

  /** @throws the error in which this ended before. */
  check(place: PagePlace): void {
    for (const name of [place.file, nameOf(place)]) {
      const known = this.#failures.get(name);
      if (known === undefined) continue;
      if (known.until < this.#now()) this.#failures.delete(name);
      else if ((place.width ?? 0) >= (known.width ?? 0)) throw known.error;
    }
  }

  /** Remembers an error that says something of the file; others say something of the moment. */
  note(place: PagePlace, error: unknown): void {
    const isOfPage = error instanceof PageError;
    if (!isOfPage && !(error instanceof UnreadableFileError)) return;
    const name = isOfPage ? nameOf(place) : place.file;
    const width = isOfPage ? place.width : null;
    this.#failures.delete(name);
    this.#failures.set(name, { error, width, until: this.#now() + failureSeconds * 1000 });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > maxFailures && oldest !== undefined) this.#failures.delete(oldest);
  }
}

const nameOf = ({ file, page, width }: PagePlace): string =>
  `${file} ${page} ${width === null ? "words" : "image"}`;
