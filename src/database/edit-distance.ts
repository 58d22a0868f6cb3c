/**
 * Whether one word becomes the other by at most this many insertions, deletions, substitutions or transpositions of
 * neighbouring letters. SQLite calls this function in statements; PostgreSQL has an equivalent function in SQL
 * (migrations/baseline/word-functions.ts).
 */
export function isWithinEdits(word: string, other: string, edits: number): boolean {
  const [a, b] = [Array.from(word), Array.from(other)];
  if (Math.abs(a.length - b.length) > edits) return false;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.entries()) {
    const row = [i + 1];
    for (const [j, expected] of b.entries()) {
      const isSame = letter === expected;
      const ways = [
        (last[j] as number) + (isSame ? 0 : 1),
        (last[j + 1] as number) + 1,
        (row[j] as number) + 1,
      ];
      const isSwapped = i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === expected;
      if (isSwapped) ways.push((beforeLast[j - 1] as number) + 1);
      row.push(Math.min(...ways));
    }
    if (Math.min(...row) > edits) return false;
    [beforeLast, last] = [last, row];
  }
  return (last.at(-1) as number) <= edits;
}
