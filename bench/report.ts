import type { ContestResult } from "./contest.ts";

export interface Aim {
  is: "at least" | "at most" | "below";
  value: number;
}

/** Two sides that were asked the same. */
export interface Comparison {
  letter: string;
  what: string;
  result: ContestResult;
  /** "rate": measured over baseline, more is better; "time": the same upside down, less is better. */
  ratioOf: "rate" | "time";
  aim: Aim | null;
}

/** One figure by itself. */
export interface Fact {
  letter: string;
  what: string;
  value: number;
  unit: string;
  aim: Aim | null;
}

/** Both tables, as Markdown. */
export function report(comparisons: readonly Comparison[], facts: readonly Fact[]): string {
  const tables = [];
  if (comparisons.length > 0) {
    const head = ["", "", "baseline /s", "Quire /s", "baseline µs", "Quire µs", "by µs", "ratio", "aim", ""];
    tables.push(table(head, comparisons.map(comparisonCells)));
  }
  if (facts.length > 0) tables.push(table(["", "", "figure", "aim", ""], facts.map(factCells)));
  return tables.join("\n");
}

function comparisonCells({ letter, what, result, ratioOf, aim }: Comparison): string[] {
  const { baseline, measured, rateRatio } = result;
  const ratio = ratioOf === "rate" ? rateRatio : 1 / rateRatio;
  const processorRatio = baseline.cpuMicroseconds / measured.cpuMicroseconds;
  return [
    letter,
    what,
    whole(baseline.perSecond),
    whole(measured.perSecond),
    whole(baseline.cpuMicroseconds),
    whole(measured.cpuMicroseconds),
    (ratioOf === "rate" ? processorRatio : 1 / processorRatio).toFixed(2),
    ratio.toFixed(2),
    ...aimCells(aim, ratio, ""),
  ];
}

function factCells({ letter, what, value, unit, aim }: Fact): string[] {
  return [letter, what, `${figure(value)} ${unit}`, ...aimCells(aim, value, ` ${unit}`)];
}

const signs = { "at least": "≥", "at most": "≤", below: "<" };

function aimCells(aim: Aim | null, value: number, unit: string): [string, string] {
  if (aim === null) return ["", ""];
  return [`${signs[aim.is]} ${figure(aim.value)}${unit}`, isMet(aim, value) ? "met" : "**missed**"];
}

function isMet(aim: Aim, value: number): boolean {
  if (aim.is === "at least") return value >= aim.value;
  return aim.is === "at most" ? value <= aim.value : value < aim.value;
}

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
  const isNumber = head.map((_, column) => rows.every((row) => /^\d|^$/.test(row[column] ?? "")));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, isNumber[column] ?? false)).join(" | ")} |\n`;
  const rule = widths.map((width, column) =>
    isNumber[column] ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return line(head) + line(rule) + rows.map(line).join("");
}

function pad(cell: string, width: number, toTheRight: boolean): string {
  return toTheRight ? cell.padStart(width) : cell.padEnd(width);
}
