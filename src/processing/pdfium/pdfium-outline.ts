import type { PdfiumExports } from "./pdfium-exports.ts";

/** An entry of a PDF's own table of contents. */
export interface OutlineEntry {
  title: string;
  /** Counting from 0. Null if the entry leads to no page of this file. */
  page: number | null;
  /** 0 for an entry at the top, 1 for one below it, and so on. */
  level: number;
}

/** From fpdf_doc.h: the type of an action that leads to a place in the same file. */
const goTo = 1;

/** A file may claim any number of entries, at any depth and in circles. */
const maxEntries = 5000;
const maxLevel = 31;
/** In UTF-16 code units. */
const maxTitle = 500;

/**
 * The entries in the order of reading. Entries beyond the limits are left out, and so are those that a file names a
 * second time.
 */
export function readOutline(pdfium: PdfiumExports, document: number, pageCount: number): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const seen = new Set<number>();
  // The bookmarks that are next at each level, the innermost last.
  const open = [pdfium.FPDFBookmark_GetFirstChild(document, 0)];
  while (open.length > 0 && entries.length < maxEntries) {
    const bookmark = open.pop() ?? 0;
    if (bookmark === 0 || seen.has(bookmark)) continue;
    seen.add(bookmark);
    const page = pageOf(pdfium, document, bookmark);
    const level = open.length;
    entries.push({
      title: titleOf(pdfium, bookmark),
      page: page >= 0 && page < pageCount ? page : null,
      level,
    });
    open.push(pdfium.FPDFBookmark_GetNextSibling(document, bookmark));
    if (level < maxLevel) open.push(pdfium.FPDFBookmark_GetFirstChild(document, bookmark));
  }
  return entries;
}

function pageOf(pdfium: PdfiumExports, document: number, bookmark: number): number {
  const own = pdfium.FPDFBookmark_GetDest(document, bookmark);
  if (own !== 0) return pdfium.FPDFDest_GetDestPageIndex(document, own);
  const action = pdfium.FPDFBookmark_GetAction(bookmark);
  if (action === 0 || pdfium.FPDFAction_GetType(action) !== goTo) return -1;
  const destination = pdfium.FPDFAction_GetDest(document, action);
  return destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(document, destination);
}

/** The title on one line. */
function titleOf(pdfium: PdfiumExports, bookmark: number): string {
  const bytes = pdfium.FPDFBookmark_GetTitle(bookmark, 0, 0) >>> 0;
  if (bytes <= 2) return "";
  const buffer = pdfium.malloc(bytes);
  pdfium.FPDFBookmark_GetTitle(bookmark, buffer, bytes);
  // UTF-16, and a zero at the end.
  const length = Math.min(bytes - 2, maxTitle * 2);
  const title = Buffer.from(pdfium.memory.buffer, buffer >>> 0, length).toString("utf16le");
  pdfium.free(buffer);
  return title
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
