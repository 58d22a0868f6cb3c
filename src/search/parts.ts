/*
 * What of a document is in the index of words, each part by itself. SQLite knows a part by one number, which is why
 * there is an end to them: 2²⁰ parts of 2⁴³ documents fill its 63 bits.
 */

export const titlePart = 0;
export const sourcePart = 1;
export const descriptionPart = 2;
const firstPagePart = 3;

export const partsPerDocument = 2 ** 20;

/** From here on parts are notes, each with a number of its own among those of its document. */
export const firstNotePart = 2 ** 19;

/** In the numbering of parts; pages count from 0. */
export function partOfPage(page: number): number {
  return firstPagePart + page;
}

/** A part of a document, and the text of it. */
export interface TextPart {
  documentId: number;
  part: number;
  text: string;
}
