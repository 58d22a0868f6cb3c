/** A length for a style: Preact adds no unit to a number. */
export function px(length: number): string {
  return `${length}px`;
}
