const escapedInCopy = /[\\\t\n\r]/;
const allEscapedInCopy = new RegExp(escapedInCopy, "g");
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A row in the text format of COPY. */
export function copyLine<Row extends object>(columns: readonly (keyof Row)[], row: Row): string {
  return `${columns.map((column) => copied(row[column])).join("\t")}\n`;
}

/** A value in the text format of COPY. A list is an array of texts. */
function copied(value: unknown): string {
  if (value === null || value === undefined) return "\\N";
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "t" : "f";
  const text = Array.isArray(value) ? arrayOf(value) : (value as string);
  // Most texts need no escapes, and a test costs a fraction of a replacement.
  if (!escapedInCopy.test(text)) return text;
  return text.replaceAll(allEscapedInCopy, (character) => escapes[character] as string);
}

function arrayOf(texts: readonly unknown[]): string {
  return `{${texts.map((text) => `"${String(text).replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}
