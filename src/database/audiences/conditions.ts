/** Whether a row of documents, of this name in a statement, is public and ready: written as in the list indexes. */
export const isPublic = (row: string): string =>
  `(${row}.access = 'public' and ${row}.status in ('success', 'readable'))`;

/** Whether it is not public, and some people may see it. */
export const isShared = (row: string): string =>
  `(not ${isPublic(row)} and ${row}.access <> 'invisible' and ${row}.status <> 'deleted')`;
