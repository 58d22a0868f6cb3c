/** Rows as lines for a terminal, their cells below one another. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, shown(cell).length);
    }
  }
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => shown(cell).padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

/** What stands in a database may hold what a terminal takes for a command. */
function shown(cell: string): string {
  return cell.replaceAll(/\p{Cc}/gu, " ");
}
