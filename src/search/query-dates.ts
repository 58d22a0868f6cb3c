import type { Bound, Query } from "./query-tree.ts";
import type { RangeEnd } from "./query-tokens.ts";

/** A period of time, such as the month `2024-05`; `end` is exclusive. */
interface Span {
  start: Date;
  end: Date;
}

/** A range between two dates. Each may be a day, a time or `NOW`, with date math: `NOW-7DAYS/DAY`. */
export function dateRange(
  field: "created_at" | "updated_at",
  from: RangeEnd,
  to: RangeEnd,
  now: Date,
): Query {
  const [first, last] = [spanOf(from.value, now), spanOf(to.value, now)];
  if (first === undefined || last === undefined) return { kind: "nothing" };
  return {
    kind: "range",
    field,
    from: first === null ? null : atStart(from.isIncluded ? first.start : first.end),
    to: last === null ? null : beforeEnd(to.isIncluded ? last.end : last.start),
  };
}

const atStart = (date: Date): Bound => ({ value: timestamp(date), isIncluded: true });
const beforeEnd = (date: Date): Bound => ({ value: timestamp(date), isIncluded: false });

/** In the database's format. */
function timestamp(date: Date): string {
  return date.toISOString().replace("Z", "000Z");
}

const written =
  /^(?:NOW|(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?Z?)?)?)?)((?:\/[A-Z]+|[+-]\d{1,6}[A-Z]+)*)$/;

/** Null for no bound, undefined for an invalid date. */
function spanOf(text: string, now: Date): Span | null | undefined {
  if (text === "*") return null;
  const found = written.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, steps = ""] = found;
  const parts = [year, month, day, hour, minute, second, fraction].filter((part) => part !== undefined);
  const unit = year === undefined ? "MILLISECOND" : (precisions[parts.length - 1] ?? "MILLISECOND");
  const start = year === undefined ? now : dateOf(year, month, day, hour, minute, second, fraction);
  if (start === undefined) return undefined;
  let span: Span | undefined = { start, end: moved(start, 1, unit) };
  for (const [step] of steps.matchAll(/\/[A-Z]+|[+-]\d+[A-Z]+/g)) {
    if (span === undefined) return undefined;
    span = stepped(span, step);
  }
  return span === undefined || !isStorable(span.start) || !isStorable(span.end) ? undefined : span;
}

const precisions: readonly Unit[] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND"];

function dateOf(year: string, ...rest: (string | undefined)[]): Date | undefined {
  const [month = "01", day = "01", hour = "00", minute = "00", second = "00", fraction = "0"] = rest;
  const milliseconds = fraction.padEnd(3, "0").slice(0, 3);
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`;
  const date = new Date(text);
  // Rejects the 31st of June.
  return Number.isNaN(date.getTime()) || date.toISOString() !== text ? undefined : date;
}

type Unit = "YEAR" | "MONTH" | "DAY" | "HOUR" | "MINUTE" | "SECOND" | "MILLISECOND";

function unitOf(name: string): Unit | undefined {
  const singular = name.replace(/S$/, "");
  if (singular === "DATE") return "DAY";
  if (singular === "MILLI") return "MILLISECOND";
  return precisions.find((unit) => unit === singular);
}

function stepped({ start, end }: Span, step: string): Span | undefined {
  const [, sign = "", count = "", name = ""] = /^([/+-])(\d*)([A-Z]+)$/.exec(step) ?? [];
  const unit = unitOf(name);
  if (unit === undefined || !isStorable(start)) return undefined;
  if (sign === "/") {
    const rounded = roundedDown(start, unit);
    return { start: rounded, end: moved(rounded, 1, "MILLISECOND") };
  }
  const by = sign === "-" ? -Number(count) : Number(count);
  return { start: moved(start, by, unit), end: moved(end, by, unit) };
}

const milliseconds = { DAY: 86_400_000, HOUR: 3_600_000, MINUTE: 60_000, SECOND: 1000, MILLISECOND: 1 };

function moved(date: Date, by: number, unit: Unit): Date {
  if (unit !== "YEAR" && unit !== "MONTH") return new Date(date.getTime() + by * milliseconds[unit]);
  const shifted = new Date(date);
  const day = shifted.getUTCDate();
  shifted.setUTCDate(1);
  shifted.setUTCMonth(shifted.getUTCMonth() + by * (unit === "YEAR" ? 12 : 1));
  // One month after the 31st of January is the last day of February.
  const last = new Date(Date.UTC(shifted.getUTCFullYear(), shifted.getUTCMonth() + 1, 0)).getUTCDate();
  shifted.setUTCDate(Math.min(day, last));
  return shifted;
}

function roundedDown(date: Date, unit: Unit): Date {
  const digits = { YEAR: 4, MONTH: 7, DAY: 10, HOUR: 13, MINUTE: 16, SECOND: 19, MILLISECOND: 23 }[unit];
  const text = date.toISOString();
  return new Date(text.slice(0, digits) + "0000-01-01T00:00:00.000Z".slice(digits));
}

/** Only years of four digits, so that timestamps compare as text. */
function isStorable(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999;
}
