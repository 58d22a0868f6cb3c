import type { ContestResult } from "./contest.ts";

/** A row of the report: a comparison, or one figure by itself. */
export type Row = {
  what: string;
  /** For a comparison, the lowest ratio. For a figure, the lowest or the highest value, by its direction. */
  aim?: number;
} & ({ result: ContestResult } | { value: number; unit: string; moreIsBetter: boolean });

/** The table, as Markdown. */
export function report(rows: readonly Row[]): string {
  return table(["", "baseline /s", "Quire /s", "ratio or figure", "aim", ""], rows.map(cellsOf));
}

/** A row as one line, while the bench runs. */
export function summary(row: Row): string {
  return "result" in row ? `${row.what}: ${ratioOf(row.result)}` : `${row.what}: ${figureOf(row)}`;
}

function cellsOf(row: Row): string[] {
  if ("result" in row) {
    const { baseline, measured, ratio } = row.result;
    const aim = row.aim === undefined ? [] : [`≥ ${row.aim}`, ratio.median >= row.aim ? "met" : "**missed**"];
    return [row.what, whole(baseline), whole(measured), ratioOf(row.result), ...aim];
  }
  const { value, unit, moreIsBetter, aim } = row;
  const cells = [row.what, "", "", figureOf(row)];
  if (aim === undefined) return cells;
  const isMet = moreIsBetter ? value >= aim : value <= aim;
  return [...cells, `${moreIsBetter ? "≥" : "≤"} ${figure(aim)} ${unit}`, isMet ? "met" : "**missed**"];
}

/** The median, the minimum and the maximum of the pairs. */
function ratioOf({ ratio }: ContestResult): string {
  const [median, min, max] = [ratio.median, ratio.min, ratio.max].map((value) => value.toFixed(2));
  return `${median} (${min} to ${max})`;
}

const figureOf = ({ value, unit }: { value: number; unit: string }): string => `${figure(value)} ${unit}`;

function figure(value: number): string {
  return value >= 100 ? whole(value) : String(Number(value.toFixed(2)));
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) =>
    Math.max(3, ...[name, ...rows.map((row) => row[column] ?? "")].map((cell) => cell.length)),
  );
  const isNumber = head.map((_, column) => rows.every((row) => /^[\d,.]*$/.test(row[column] ?? "")));
  const padded = (cell: string, column: number): string =>
    pad(cell, widths[column] ?? 0, isNumber[column] ?? false);
  const line = (cells: readonly string[]): string =>
    `| ${head.map((_, column) => padded(cells[column] ?? "", column)).join(" | ")} |\n`;
  const rule = widths.map((width, column) =>
    isNumber[column] ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return line(head) + line(rule) + rows.map(line).join("");
}

function pad(cell: string, width: number, toTheRight: boolean): string {
  return toTheRight ? cell.padStart(width) : cell.padEnd(width);
}
