import { PdfObjects, type PdfObject } from "./pdf-objects.ts";
import { type PdfValue, plainName } from "./pdf-values.ts";
import { bracketed, hexadecimalAt, plainString } from "./pdf-strings.ts";
import { isKnownFont, isStandardMark, isStandardName } from "./standard-names.ts";
import { undrawnOperandsIn } from "./undrawn-operands.ts";

/** The types and subtypes of streams that never hold text, whatever bytes are in them. */
const notText = new Set(["/Image", "/Type1C", "/CIDFontType0C", "/OpenType"]);
/** The members that hold the name of a font. */
const fontNames = new Set(["BaseFont", "FontName", "FontFamily"]);
/** Drawn text and the names of objects do not show where a word ends, so they contain shorter words by chance. */
const minWithinOthers = 4;

/**
 * The words that occur anywhere in a PDF that {@link PdfObjects} reads: in the text of pages, in names, titles, notes
 * and comments, and in the names of fonts; in 8-bit or 16-bit strings, in any case, compressed or not.
 *
 * The format's own names do not count, because every file has a `/Page` and a `/Width`. A word within one of the words
 * that may stay does not count either. In drawings such a word is not searched for at all, because they do not always
 * show where a word ends. A word of fewer than four letters is found only if it stands alone, and never in text that is
 * drawn, nor in tables of colours, nor in names other than those of marked content and its properties. Text in a font's
 * own encoding is not searched: pdfium has to extract that.
 */
export function findInPdf(path: string, words: readonly string[], staying: readonly string[] = []): string[] {
  const objects = new PdfObjects(path);
  try {
    const left = new Set(words.map(folded));
    const tokens = new Set(staying.map(folded));
    const all = [...tokens].join(" ");
    const isLong = (word: string): boolean => word.length >= minWithinOthers;
    const drawable = new Set([...left].filter((word) => isLong(word) && !all.includes(word)));
    const streams = streamsIn(objects);
    const look = (texts: Iterable<string>, has: (text: string, word: string) => boolean): void => {
      for (const written of texts) {
        const text = folded(written);
        for (const word of left) if (has(text, word)) left.delete(word);
      }
    };
    for (const number of objects.numbers) {
      const found = left.size === 0 ? null : objects.find(number);
      if (found === null) continue;
      const use = streams.get(number);
      look(textsIn(objects, found, use), (text, word) => standsIn(text, word, tokens));
      look(namesIn(objects, found, use), (text, word) => isLong(word) && standsIn(text, word, tokens));
      look(undrawnIn(objects, found, use), (text, word) => standsIn(text, word, tokens));
      look(drawnIn(objects, found, use), (text, word) => drawable.has(word) && text.includes(word));
    }
    return words.filter((word) => !left.has(folded(word)));
  } finally {
    objects.close();
  }
}

/** Folds case, accents and widths, so that spellings that differ only in them compare as equal. */
function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

const inWord = /[\p{L}\p{M}\p{N}]/u;

/** Whether a text contains a word, except within the words of `staying`. A short word must stand alone. */
function standsIn(text: string, word: string, staying: ReadonlySet<string>): boolean {
  const isShort = word.length < minWithinOthers;
  let end = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, end)) {
    let start = at;
    end = at + word.length;
    while (start > 0 && inWord.test(text[start - 1] ?? "")) start -= 1;
    while (end < text.length && inWord.test(text[end] ?? "")) end += 1;
    const whole = text.slice(start, end);
    if (!staying.has(whole) && (!isShort || whole === word)) return true;
  }
  return false;
}

/** The maximum nesting of arrays and dictionaries, which may contain themselves. */
const deepest = 4;

/** What a stream is for, according to the objects that refer to it: part of a font, drawing instructions, colours. */
type StreamUse = "font" | "drawing" | "palette";

/** The array of an indexed colour space, whose last member is its table of colours. */
const isIndexed = (value: PdfValue): boolean => Array.isArray(value) && value[0] === "/Indexed";

function streamsIn(objects: PdfObjects): Map<number, StreamUse> {
  const uses = new Map<number, StreamUse>();
  const note = (value: PdfValue | undefined, use: StreamUse, depth = 0): void => {
    if (value === undefined || typeof value === "string" || depth > deepest) return;
    if (Array.isArray(value)) for (const one of value) note(one, use, depth + 1);
    else if (value instanceof Map) for (const one of value.values()) note(one, use, depth + 1);
    else if (Array.isArray(objects.find(value.object)?.value)) note(objects.resolve(value), use, depth + 1);
    else uses.set(value.object, use);
  };
  const notePalettes = (value: PdfValue, depth = 0): void => {
    if (depth > deepest || typeof value === "string") return;
    if (Array.isArray(value)) {
      if (isIndexed(value)) note(value[3], "palette", deepest);
      for (const item of value) notePalettes(item, depth + 1);
    } else if (value instanceof Map) for (const item of value.values()) notePalettes(item, depth + 1);
  };
  for (const number of objects.numbers) {
    const value = objects.find(number)?.value;
    if (value !== undefined) notePalettes(value);
    if (!(value instanceof Map)) continue;
    for (const name of ["FontFile", "FontFile2", "FontFile3", "ToUnicode"]) note(value.get(name), "font");
    note(value.get("Contents"), "drawing");
    note(objects.resolve(value.get("CharProcs")), "drawing");
    if (value.get("Subtype") === "/Form" || value.has("PatternType")) uses.set(number, "drawing");
    if (value.get("Type") === "/CMap") uses.set(number, "font");
  }
  return uses;
}

function* textsIn(objects: PdfObjects, object: PdfObject, use: StreamUse | undefined): Generator<string> {
  for (const { key, written } of scalarsIn(object.value)) {
    if (isString(written) && key !== paletteKey) yield* readings(plainString(written));
  }
  if (use === "font" || use === "palette") return;
  const bytes = bytesOf(objects, object);
  if (bytes === null) return;
  const content = bytes.toString("latin1");
  for (const { kind, text } of asidesIn(content)) if (kind === "comment") yield* readings(text);
  if (use === "drawing") return;
  yield content;
  yield bytes.toString("utf8");
}

/**
 * The decoded names of objects and fonts, without those that the format defines and those of common fonts, and tables
 * of colours.
 */
function* namesIn(objects: PdfObjects, object: PdfObject, use: StreamUse | undefined): Generator<string> {
  for (const { key, written } of scalarsIn(object.value)) {
    if (isString(written) && key === paletteKey) yield* readings(plainString(written));
    if (!written.startsWith("/")) continue;
    const name = plainName(written);
    if (fontNames.has(key) ? !isKnownFont(name) : !isStandardName(name)) yield* readings(name);
  }
  if (use !== "drawing" && use !== "palette") return;
  const bytes = bytesOf(objects, object);
  if (bytes === null) return;
  if (use === "palette") return yield* readings(bytes.toString("latin1"));
  for (const { kind, text } of asidesIn(bytes.toString("latin1"))) {
    if (kind === "name" && !isStandardName(text)) yield* readings(text);
  }
}

/**
 * The strings that drawing instructions do not draw, and the names of marked content, of its properties and of lists of
 * properties, without those that the format defines.
 */
function* undrawnIn(objects: PdfObjects, object: PdfObject, use: StreamUse | undefined): Generator<string> {
  const names = new Set(propertyNamesIn(object.value));
  const bytes = use === "drawing" ? bytesOf(objects, object) : null;
  const operands = bytes === null ? [] : undrawnOperandsIn(bytes.toString("latin1"));
  for (const { kind, text } of operands) {
    if (kind === "name") names.add(text);
    else yield* readings(text);
  }
  for (const name of names) if (!isStandardName(name) && !isStandardMark(name)) yield* readings(name);
}

/** The names of the lists of properties in a dictionary of resources, wherever it is. */
function* propertyNamesIn(value: PdfValue): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* propertyNamesIn(item);
  if (!(value instanceof Map)) return;
  for (const [key, item] of value) {
    if (key === "Properties" && item instanceof Map) yield* item.keys();
    yield* propertyNamesIn(item);
  }
}

/** The comments and names in drawing instructions. Neither draws anything. */
function* asidesIn(content: string): Generator<{ kind: "comment" | "name"; text: string }> {
  for (let at = 0; at < content.length; at++) {
    const first = content[at];
    if (first === "(") at += bracketed(content, at).length - 1;
    else if (first === "%" || first === "/") {
      aside.lastIndex = at;
      const [text = first] = aside.exec(content) ?? [];
      if (first === "%") yield { kind: "comment", text: text.slice(1) };
      else yield { kind: "name", text: plainName(text) };
      at += text.length - 1;
    }
  }
}

const aside = /%[^\r\n]*|\/[^\0\t\n\f\r ()<>[\]{}/%]*/y;

/** The text that a stream may draw. A stream of unknown use counts as a drawing. */
function* drawnIn(objects: PdfObjects, object: PdfObject, use: StreamUse | undefined): Generator<string> {
  const bytes = use === "font" ? null : bytesOf(objects, object);
  if (bytes !== null) yield* readings(shownText(bytes.toString("latin1")));
}

function bytesOf(objects: PdfObjects, object: PdfObject): Buffer | null {
  const subtype = object.value instanceof Map ? object.value.get("Subtype") : undefined;
  const isText = object.stream !== null && !(typeof subtype === "string" && notText.has(subtype));
  return isText ? objects.decoded(object) : null;
}

/** The key under which {@link scalarsIn} gives the table of colours of an indexed colour space. */
const paletteKey = "Indexed";

const isString = (written: string): boolean => /^[(<]/.test(written);

/** Every value that is not an array or a dictionary, with its key. Each key is itself a value too. */
function* scalarsIn(value: PdfValue, key = ""): Generator<{ key: string; written: string }> {
  if (typeof value === "string") yield { key, written: value };
  else if (Array.isArray(value)) {
    for (const item of value) yield* scalarsIn(item, isIndexed(value) ? paletteKey : key);
  } else if (value instanceof Map) {
    for (const [name, item] of value) {
      yield { key: "", written: `/${name}` };
      yield* scalarsIn(item, name);
    }
  }
}

/** The bytes of a text read in 8-bit and in 16-bit encodings. */
function* readings(text: string): Generator<string> {
  yield text;
  const bytes = Buffer.from(text, "latin1");
  yield bytes.toString("utf8");
  for (const start of [0, 1]) {
    // If the last character is incomplete, its second byte is taken to be zero.
    const half = bytes.subarray(start);
    const even = Buffer.concat([half], (half.length + 1) & ~1);
    yield even.toString("utf16le");
    yield even.swap16().toString("utf16le");
  }
}

/** The strings that a page's content draws, joined, because kerning splits words into several strings. */
function shownText(content: string): string {
  const parts: string[] = [];
  for (let at = 0; at < content.length; at++) {
    const first = content[at];
    if (first !== "(" && first !== "<") continue;
    const string = first === "(" ? bracketed(content, at) : hexadecimalAt(content, at);
    if (string === "") continue;
    parts.push(plainString(string));
    at += string.length - 1;
  }
  return parts.join("");
}
