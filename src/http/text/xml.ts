import type { Html } from "./html.ts";

/** Characters that no XML document may contain, escaped or not. */
// oxlint-disable-next-line no-control-regex -- these are the ones
const invalid = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The first line of an XML document. */
export const xmlDeclaration = `<?xml version="1.0" encoding="utf-8"?>\n`;

/**
 * Converts markup of the `html` template to XML; the template's escapes are valid in XML too. Characters that XML does
 * not allow become U+FFFD.
 */
export function xmlText(markup: Html): string {
  return markup.toString().toWellFormed().replaceAll(invalid, "\ufffd");
}
