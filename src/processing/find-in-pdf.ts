import { PdfObjects, type PdfObject } from "./pdf-objects.ts";
import { type PdfValue, plainName } from "./pdf-values.ts";

/** What is no text, whatever bytes are in it. */
const notText = new Set(["/Image", "/Type1C", "/CIDFontType0C", "/OpenType"]);

/**
 * Which of these words are anywhere in a PDF that {@link PdfObjects} reads: in the text that pages show, in names, titles
 * and notes, written plainly or in sixteen bits, packed or not. In what is drawn in letters of a font's own numbering it
 * finds nothing: there pdfium has to be asked for the text.
 */
export function findInPdf(path: string, words: readonly string[]): string[] {
  const objects = new PdfObjects(path);
  try {
    const left = new Set(words);
    const fonts = fontFilesIn(objects);
    for (const number of objects.numbers) {
      const found = left.size === 0 ? null : objects.find(number);
      if (found === null) continue;
      for (const text of textsIn(objects, found, fonts.has(number))) {
        for (const word of left) if (text.includes(word)) left.delete(word);
      }
    }
    return words.filter((word) => !left.has(word));
  } finally {
    objects.close();
  }
}

function fontFilesIn(objects: PdfObjects): Set<number> {
  const numbers = new Set<number>();
  for (const number of objects.numbers) {
    const value = objects.find(number)?.value;
    if (!(value instanceof Map)) continue;
    for (const name of ["FontFile", "FontFile2", "FontFile3"]) {
      const file = value.get(name);
      if (file !== undefined && typeof file !== "string" && "object" in file) numbers.add(file.object);
    }
  }
  return numbers;
}

function* textsIn(objects: PdfObjects, object: PdfObject, isFont: boolean): Generator<string> {
  for (const text of stringsIn(object.value)) yield* readings(text);
  const subtype = object.value instanceof Map ? object.value.get("Subtype") : undefined;
  if (object.stream === null || isFont || (typeof subtype === "string" && notText.has(subtype))) return;
  const bytes = objects.decoded(object);
  if (bytes === null) return;
  const content = bytes.toString("latin1");
  yield content;
  yield bytes.toString("utf8");
  yield* readings(shownText(content));
}

function* stringsIn(value: PdfValue): Generator<string> {
  if (typeof value === "string") yield plainString(value);
  else if (Array.isArray(value)) for (const one of value) yield* stringsIn(one);
  else if (value instanceof Map) {
    for (const [key, one] of value) {
      yield key;
      yield* stringsIn(one);
    }
  }
}

/** Bytes as characters, and as halves of characters. */
function* readings(text: string): Generator<string> {
  yield text;
  const bytes = Buffer.from(text, "latin1");
  yield bytes.toString("utf8");
  for (const start of [0, 1]) {
    const even = bytes.subarray(start, start + ((bytes.length - start) & ~1));
    yield even.toString("utf16le");
    yield Buffer.from(even).swap16().toString("utf16le");
  }
}

/** The strings of what draws a page, one after the other, as kerning takes words apart. */
function shownText(content: string): string {
  const parts = content.match(/\((?:[^()\\]|\\[^])*\)|<[\da-fA-F\s]*>/g) ?? [];
  return parts.map(plainString).join("");
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function plainString(written: string): string {
  if (written.startsWith("/")) return plainName(written);
  if (written.startsWith("<")) {
    return Buffer.from(written.replaceAll(/[^\da-f]/gi, ""), "hex").toString("latin1");
  }
  if (!written.startsWith("(")) return written;
  return written
    .slice(1, -1)
    .replaceAll(/\\(?:([0-7]{1,3})|\r\n?|([^]))/g, (_whole, octal?: string, one = "") => {
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 255);
      return one === "\n" ? "" : (escapes[one as string] ?? (one as string));
    });
}
