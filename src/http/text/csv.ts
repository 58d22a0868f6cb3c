/** Without a byte order mark, spreadsheets do not read a file as UTF-8. */
export const byteOrderMark = "\uFEFF";

/** A line of a CSV file: RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A spreadsheet runs a text that begins like a formula; an apostrophe before it prevents that. */
export function withoutFormula(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The text that {@link withoutFormula} was given. */
export function withFormula(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
