import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type PageSize, maxPages, pageSizeOf } from "../page-spec.ts";
import { type Pdfium, pdfiumErrors } from "../pdfium/pdfium.ts";
import { UnreadableFileError, unreachableFile } from "../unreadable-file.ts";

export interface PdfFacts {
  pageCount: number;
  /**
   * The size of each page as it is shown: turned by its rotation and cut to its crop box. A broken page has the size of
   * the page before it.
   */
  pageSizes: PageSize[];
}

export interface BrokenPage {
  /** Counting from 0. */
  page: number;
  /** For a person: `broken: page 3 of 8 cannot be read`. */
  reason: string;
}

export interface LenientPdfFacts extends PdfFacts {
  brokenPages: BrokenPage[];
}

/** Beyond this, the file counts as broken: a page tree may claim a million pages that it does not have. */
const maxBrokenPages = 10_000;

/**
 * Opens the file in `pdfium`, and returns the descriptor that pdfium reads from until it is closed.
 *
 * @throws {UnreadableFileError}
 */
export function openInPdfium(pdfium: Pdfium, path: string, password = ""): number {
  const descriptor = openToRead(path);
  if (pdfium.open(descriptor, fstatSync(descriptor).size, password)) return descriptor;
  const reason = whyNotOpened(pdfium.lastError, descriptor, password !== "");
  closeSync(descriptor);
  throw reason;
}

function openToRead(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw error instanceof Error ? unreachableFile(error) : error;
  }
}

/**
 * The facts of an open file. Its first page must exist and have a size. A page takes more than a byte in even the most
 * compressed of files, so a file with more pages than bytes names the same few again and again.
 *
 * @param brokenPagesAllowed how many of the other pages may be broken
 * @throws {UnreadableFileError}
 */
export function readPdfFacts(pdfium: Pdfium, brokenPagesAllowed = maxBrokenPages): LenientPdfFacts {
  const { pageCount, fileSize } = pdfium;
  // Its table of pages may be encrypted too.
  if (pageCount === 0 && pdfium.isEncrypted)
    throw new UnreadableFileError("broken", "broken: its encryption cannot be made out");
  if (pageCount === 0) throw new UnreadableFileError("empty", "empty: it has no pages");
  if (pageCount > fileSize) {
    throw new UnreadableFileError("broken", "broken: it claims more pages than a file of its size can have");
  }
  if (pageCount > maxPages)
    throw new UnreadableFileError("too-large", `too long: it has more than ${maxPages} pages`);

  const known = new Map<string, PageSize>();
  const pageSizes: PageSize[] = [];
  const brokenPages: BrokenPage[] = [];
  for (let index = 0; index < pageCount; index++) {
    const size = pageSizeIn(pdfium, index);
    const sizeBefore = pageSizes.at(-1);
    if (typeof size !== "string") {
      const key = `${size.width}x${size.height}`;
      known.set(key, known.get(key) ?? size);
      pageSizes.push(known.get(key) ?? size);
      continue;
    }
    const reason = `broken: page ${index + 1} of ${pageCount} ${size}`;
    if (sizeBefore === undefined || brokenPages.length >= brokenPagesAllowed) {
      throw new UnreadableFileError("broken", brokenPages[0]?.reason ?? reason);
    }
    brokenPages.push({ page: index, reason });
    pageSizes.push(sizeBefore);
  }
  return { pageCount, pageSizes, brokenPages };
}

/** The size of a page, or its fault as the end of a sentence. */
function pageSizeIn(pdfium: Pdfium, index: number): PageSize | string {
  const measured = pdfium.pageSize(index);
  if (measured === null) return "cannot be read";
  if (!isLength(measured.width) || !isLength(measured.height)) return "has no size";
  return pageSizeOf(measured.width, measured.height);
}

/** Whether a page's side has a plausible length in points. */
export const isLength = (points: number): boolean => points >= 0.01 && points < 1e9;

function whyNotOpened(pdfiumError: number, descriptor: number, hasPassword: boolean): UnreadableFileError {
  if (pdfiumError === pdfiumErrors.password) {
    if (hasPassword) {
      return new UnreadableFileError(
        "encrypted",
        "encrypted: it opens with a password only, and the one that was given is wrong",
      );
    }
    return new UnreadableFileError("encrypted", "encrypted: it opens with a password only");
  }
  if (pdfiumError === pdfiumErrors.security) {
    return new UnreadableFileError("encrypted", "encrypted: in a way that cannot be read");
  }
  // A PDF may have other bytes before its header, up to this many.
  const start = Buffer.alloc(1024);
  readSync(descriptor, start, 0, start.length, 0);
  return start.includes("%PDF-")
    ? new UnreadableFileError("broken", "broken: its structure cannot be made out")
    : new UnreadableFileError("not-a-pdf", "not a PDF");
}
