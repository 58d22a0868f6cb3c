/** Formats rows as lines for a terminal, with aligned columns. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, printable(cell).length);
    }
  }
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => printable(cell).padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

/** Replaces control characters, because a terminal would obey those in a value from the database. */
function printable(cell: string): string {
  return cell.replaceAll(/\p{Cc}/gu, " ");
}
