/*
 * The parts of a document in the text index, each indexed separately. SQLite identifies a part by one number, which
 * limits them: 2²⁰ parts of 2⁴³ documents fill its 63 bits.
 */

export const titlePart = 0;
export const sourcePart = 1;
export const descriptionPart = 2;
const firstPagePart = 3;

export const partsPerDocument = 2 ** 20;

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
