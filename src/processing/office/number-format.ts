/*
 * Shows numbers as the formats of a workbook say (ECMA-376, part 1, 18.8.31): decimals, groups, percent, powers of ten,
 * texts such as currencies, and sections for negative numbers and zero. Dates have one form, that of ISO 8601. Any
 * other format, such as a fraction, shows the plain number.
 */

/** Shows a number in a cell. */
export type CellFormat = (value: number) => string;

/** The formats that workbooks use by number alone. */
const builtIn: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  37: "#,##0;-#,##0",
  38: "#,##0;-#,##0",
  39: "#,##0.00;-#,##0.00",
  40: "#,##0.00;-#,##0.00",
  48: "##0.0E+0",
};

/** The format with a number, among those of the workbook and those that every workbook has. */
export function cellFormat(id: number, own: ReadonlyMap<number, string>): CellFormat {
  const code = own.get(id) ?? builtIn[id] ?? "General";
  if (isDateFormat(id, own)) return (value) => dateOf(value) ?? plainNumber(value);
  const sections = sectionsOf(code);
  return (value) => formatted(value, sections);
}

/** Without the digits that are there only because the computer counts in twos. */
export const plainNumber = (value: number): string => String(Number(value.toPrecision(15)));

/** Whether a format shows a number of days as a date. */
export function isDateFormat(id: number, own: ReadonlyMap<number, string>): boolean {
  const code = own.get(id);
  if (code === undefined) return (id >= 14 && id <= 22) || (id >= 45 && id <= 47);
  // Colors, conditions and quoted text are ignored. Only date formats contain `h`, `y` or `d`.
  return /[dyh]/i.test(code.replaceAll(/\[[^\]]*\]|"[^"]*"|\\./g, ""));
}

/** @param days days since the end of 1899; the fraction is the time of day */
function dateOf(days: number): string | null {
  if (!(days >= 0 && days < 2_958_466)) return null;
  const iso = new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString();
  if (days < 1) return iso.slice(11, 19);
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 19).replace("T", " ");
}

/** A section of a format: the texts around the number, and its pattern. */
interface Section {
  before: string;
  /** Empty if the section shows no number; null if this module does not understand the pattern. */
  pattern: string | null;
  after: string;
}

/** A piece of a format: a text in quotes, after a backslash or of a currency; a space or filling; anything else. */
const pieces = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|(\[[^\]]*\]|_.|\*.)|(.)/gsu;

function sectionsOf(code: string): Section[] {
  const sections: Section[] = [];
  let section = { before: "", pattern: "", after: "" };
  let isSound = true;
  const end = (): void => {
    const pattern = isSound && /^[#0?,.E+\-%]*$/.test(section.pattern) ? section.pattern : null;
    sections.push({ ...section, pattern });
    section = { before: "", pattern: "", after: "" };
    isSound = true;
  };
  const say = (text: string): void => {
    if (section.pattern === "") section.before += text;
    else section.after += text;
  };
  for (const [, quoted, escaped, currency, aside, plain] of code.matchAll(pieces)) {
    if (aside !== undefined) isSound &&= !/^\[[<>=]/.test(aside);
    else if (plain === undefined) say(quoted ?? escaped ?? currency ?? "");
    else if (plain === ";") end();
    else if (/[#0?,.E%]/.test(plain) || (/[+-]/.test(plain) && section.pattern.endsWith("E"))) {
      // A number that goes on after a text, as in `000-0000`, is not understood here.
      if (section.after.trim() !== "" && plain !== "%") isSound = false;
      if (plain === "%" && section.after !== "") section.after += plain;
      section.pattern += plain;
    } else if (/[\s$€£¥()+\-:/]/u.test(plain)) say(plain);
    else isSound = false;
  }
  end();
  return sections;
}

function formatted(value: number, sections: readonly Section[]): string {
  const [positive, negative, zero] = sections;
  const isNegative = value < 0;
  const section = (isNegative ? negative : value === 0 ? zero : undefined) ?? positive;
  if (section === undefined || section.pattern === null) return plainNumber(value);
  const { before, pattern, after } = section;
  if (pattern === "") return sections.length > 1 ? `${before}${after}`.trim() : plainNumber(value);
  const digits = withPattern(Math.abs(value), pattern);
  const sign = isNegative && section === positive && /[1-9]/.test(digits) ? "-" : "";
  return `${sign}${before}${digits}${after}`.trim();
}

function withPattern(value: number, pattern: string): string {
  const [mantissa = "", power] = pattern.split("E");
  const all = mantissa.replaceAll("%", "");
  const percents = mantissa.length - all.length;
  // A comma after the last digit divides by a thousand.
  const number = all.replace(/,+$/, "");
  const thousands = all.length - number.length;
  const [whole = "", decimals = ""] = number.split(".");
  const scaled = Number((value * 100 ** percents).toPrecision(15)) / 1000 ** thousands;
  if (power !== undefined) return withPower(scaled, decimals, power.replace(/[+-]/, "").length);
  const max = Math.min(decimals.length, 20);
  const min = Math.min(decimals.replace(/[#?]+$/, "").length, max);
  const minDigits = whole.replaceAll(/[^0]/g, "").length;
  const shown = scaled.toLocaleString("en", {
    useGrouping: whole.includes(","),
    minimumFractionDigits: min,
    maximumFractionDigits: max,
    minimumIntegerDigits: Math.min(21, Math.max(1, minDigits)),
  });
  return `${shown}${"%".repeat(percents)}`;
}

function withPower(value: number, decimals: string, digits: number): string {
  const [mantissa = "", power = "+0"] = value.toExponential(Math.min(decimals.length, 20)).split("e");
  return `${mantissa}E${power.slice(0, 1)}${power.slice(1).padStart(digits, "0")}`;
}
