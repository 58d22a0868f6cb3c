/** A Bates number as it is written: `ABC000123`. */
export function written({ prefix, digits }: { prefix: string; digits: number }, number: number): string {
  return `${prefix}${String(number).padStart(digits, "0")}`;
}

/** A prefix that ended in a digit could make the same text of another number: A1 and 0002, A and 10002. */
export const isPrefix = (text: string): boolean => /^[a-z](?:[a-z0-9_.-]*[a-z_.-])?$/i.test(text);

/** The last number that a document's files have: a sheet in place of its pages has the first one. */
export function lastNumber({
  state,
  first_number: first,
  pages,
}: {
  state: string;
  first_number: number;
  pages: number;
}): number {
  return state === "slip" || state === "withheld" ? first : first + pages - 1;
}
