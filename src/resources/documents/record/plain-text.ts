/**
 * The text of a description, which may contain HTML, on one line. The library for HTML takes almost a tenth of a second
 * to load, so it is loaded for the first description that needs it.
 */
export async function plainText(description: string): Promise<string> {
  const text = /[<&]/.test(description)
    ? (await import("../../../processing/office/html-text.ts")).textOfHtml(description)
    : description;
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The text, or its beginning up to a space and an ellipsis, of at most this many UTF-16 code units. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength - 1);
  const space = start.lastIndexOf(" ");
  return `${(space > maxLength / 2 ? start.slice(0, space) : start).toWellFormed()}…`;
}
