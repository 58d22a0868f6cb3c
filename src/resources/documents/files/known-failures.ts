import { BoundedMap } from "../../../bounded-map.ts";
import { PageError } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";

/** Files and pages that failed are tried again after this time. */
export const failureSeconds = 3600;
const maxFailures = 10_000;

export interface PageKey {
  /** Identifies the document and the version of its file. */
  file: string;
  /** From 0; or the document's own table of contents. */
  page: number | "outline";
  /** The width of the image in pixels; null if no image is drawn. */
  width: number | null;
}

interface Failure {
  error: unknown;
  width: number | null;
  until: number;
}

/**
 * Remembers files and pages that could not be drawn or read: another attempt would take as long and fail again. A page
 * that cannot be drawn small is not tried larger either. The record is kept in memory, so a restart clears it.
 */
export class KnownFailures {
  readonly #failures = new BoundedMap<string, Failure>(maxFailures);
  readonly #now: () => number;

  constructor(nowMilliseconds: () => number = () => performance.now()) {
    this.#now = nowMilliseconds;
  }

  /** @throws the error of the earlier attempt, if there was one. */
  check(pageKey: PageKey): void {
    for (const name of [pageKey.file, nameOf(pageKey)]) {
      const known = this.#failures.get(name);
      if (known === undefined) continue;
      if (known.until < this.#now()) this.#failures.delete(name);
      else if ((pageKey.width ?? 0) >= (known.width ?? 0)) throw known.error;
    }
  }

  /** Remembers errors that are caused by the file. Other errors are temporary, and ignored. */
  note(pageKey: PageKey, error: unknown): void {
    const isOfPage = error instanceof PageError;
    if (!isOfPage && !(error instanceof UnreadableFileError)) return;
    const name = isOfPage ? nameOf(pageKey) : pageKey.file;
    const width = isOfPage ? pageKey.width : null;
    this.#failures.set(name, { error, width, until: this.#now() + failureSeconds * 1000 });
  }
}

const nameOf = ({ file, page, width }: PageKey): string =>
  `${file} ${page} ${width === null ? "words" : "image"}`;
