/*
 * The parts of a document in the text index, each indexed separately. SQLite identifies a part by one number, which
 * limits the index to 2²⁰ parts of each of 2⁴³ documents.
 */

export const titlePart = 0;
export const sourcePart = 1;
export const descriptionPart = 2;
const firstPagePart = 3;

export const partsPerDocument = 2 ** 20;

/** The highest id of a document whose parts SQLite can number. Records name nothing by a higher one. */
export const maxRecordId = 2 ** 43 - 1;

/** Parts from here on are notes, numbered within their document. */
export const firstNotePart = 2 ** 19;

/** The part number of a page; pages count from 0. */
export function partOfPage(page: number): number {
  return firstPagePart + page;
}

/** A part of a document with its text. */
export interface TextPart {
  documentId: number;
  part: number;
  text: string;
}

/** Ranking and the search for single words use counts of words by block: a part, or consecutive pages. */
export const pagesPerBlock = 32;

/** The block that a part is in. A block that is not a range of pages has the number of its part. */
export function blockOf(part: number): number {
  const page = pageOfPart(part);
  return page === null ? part : firstPagePart + Math.floor(page / pagesPerBlock);
}

/** The pages of a block, as a range without its end; null if the block does not consist of pages. */
export function pagesOfBlock(block: number): { from: number; to: number } | null {
  const number = pageOfPart(block);
  return number === null ? null : { from: number * pagesPerBlock, to: (number + 1) * pagesPerBlock };
}

/** The page, counting from 0; null if the part is not a page. */
function pageOfPart(part: number): number | null {
  return part < firstPagePart || part >= firstNotePart ? null : part - firstPagePart;
}
