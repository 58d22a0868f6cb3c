import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type PageSize, pageSizeOf } from "./page-spec.ts";
import { type Pdfium, pdfiumErrors } from "./pdfium.ts";
import { UnreadableFileError, unreachableFile } from "./unreadable-file.ts";

export interface PdfFacts {
  pageCount: number;
  /** One for each page, in their order, as the page is shown: turned by its rotation, cut to its crop box. */
  pageSizes: PageSize[];
}

/**
 * Every page has to be there and have a size: a page tree that claims more than it has makes a broken file.
 *
 * @throws {UnreadableFileError}
 */
export function readPdfFacts(pdfium: Pdfium, path: string): PdfFacts {
  const descriptor = openToRead(path);
  try {
    return factsOf(pdfium, descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function openToRead(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw error instanceof Error ? unreachableFile(error) : error;
  }
}

function factsOf(pdfium: Pdfium, descriptor: number): PdfFacts {
  if (!pdfium.open(descriptor, fstatSync(descriptor).size)) throw whyNotOpened(pdfium.lastError, descriptor);
  const { pageCount } = pdfium;
  if (pageCount === 0) throw new UnreadableFileError("empty", "empty: it has no pages");

  const known = new Map<string, PageSize>();
  const pageSizes = Array.from({ length: pageCount }, (_, index) => {
    const measured = pdfium.pageSize(index);
    const page = `page ${index + 1} of ${pageCount}`;
    if (measured === null) throw new UnreadableFileError("broken", `broken: ${page} cannot be read`);
    if (!isLength(measured.width) || !isLength(measured.height)) {
      throw new UnreadableFileError("broken", `broken: ${page} has no size`);
    }
    const size = pageSizeOf(measured.width, measured.height);
    const key = `${size.width}x${size.height}`;
    known.set(key, known.get(key) ?? size);
    return known.get(key) ?? size;
  });
  return { pageCount, pageSizes };
}

const isLength = (points: number): boolean => points >= 0.01 && points < 1e9;

function whyNotOpened(pdfiumError: number, descriptor: number): UnreadableFileError {
  if (pdfiumError === pdfiumErrors.password) {
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
