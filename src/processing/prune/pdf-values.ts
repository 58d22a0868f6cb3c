/*
 * The values of a PDF's objects, parsed as far as copying them requires. A value other than an array, a dictionary or a
 * reference keeps its text from the file, one character for each byte.
 */

export type PdfDictionary = Map<string, PdfValue>;
export interface PdfReference {
  readonly object: number;
}
export type PdfValue = string | PdfValue[] | PdfDictionary | PdfReference;

/** The text ended before the value did. */
export class UnfinishedValueError extends Error {
  override readonly name = "UnfinishedValueError";
}

const space = /(?:[\0\t\n\f\r ]|%[^\r\n]*)*/y;
const name = /\/[^\0\t\n\f\r ()<>[\]{}/%]*/y;
const reference = /(\d+)[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y;
const plain = /[^\0\t\n\f\r ()<>[\]{}/%]+/y;
const hexadecimal = /<[^>]*>/y;
/** Values nested deeper than this are not read. */
const deepest = 500;

/** Reads values out of a text, one after the other. */
export class PdfValues {
  readonly #text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.at = at;
  }

  next(depth = 0): PdfValue {
    if (depth > deepest) throw new Error("the values are too deep");
    this.#skipSpace();
    const first = this.#text[this.at];
    if (first === undefined) throw new UnfinishedValueError();
    if (first === "[") return this.#array(depth);
    if (this.#text.startsWith("<<", this.at)) return this.#dictionary(depth);
    if (first === "<") return this.#match(hexadecimal);
    if (first === "(") return this.#string();
    if (first === "/") return this.#match(name);
    reference.lastIndex = this.at;
    const [whole, object] = reference.exec(this.#text) ?? [];
    if (whole === undefined) return this.#match(plain);
    this.at += whole.length;
    return { object: Number(object) };
  }

  /** Skips this word if it follows, and returns whether it did. */
  skip(word: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  #array(depth: number): PdfValue[] {
    this.at += 1;
    const values: PdfValue[] = [];
    while (!this.skip("]")) values.push(this.next(depth + 1));
    return values;
  }

  #dictionary(depth: number): PdfDictionary {
    this.at += 2;
    const members: PdfDictionary = new Map();
    while (!this.skip(">>")) {
      const key = this.next(depth + 1);
      if (typeof key !== "string" || !key.startsWith("/")) throw new Error("a dictionary's key is no name");
      members.set(plainName(key), this.next(depth + 1));
    }
    return members;
  }

  #string(): string {
    const start = this.at;
    for (let open = 0; this.at < this.#text.length; this.at++) {
      const character = this.#text[this.at];
      if (character === "\\") this.at += 1;
      else if (character === "(") open += 1;
      else if (character === ")" && --open === 0) {
        this.at += 1;
        return this.#text.slice(start, this.at);
      }
    }
    throw new UnfinishedValueError();
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new UnfinishedValueError();
    this.at += found.length;
    return found;
  }

  #skipSpace(): void {
    space.lastIndex = this.at;
    this.at += space.exec(this.#text)?.[0].length ?? 0;
  }
}

/** A decoded name: without the slash, and with its escaped characters. */
export function plainName(written: string): string {
  return written
    .slice(1)
    .replaceAll(/#([\da-f]{2})/gi, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** The value as it is written in a file. */
export function writtenValue(value: PdfValue): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map(writtenValue).join(" ")}]`;
  if (value instanceof Map) return `<< ${writtenMembers(value)} >>`;
  return `${value.object} 0 R`;
}

export function writtenMembers(members: PdfDictionary): string {
  return [...members].map(([key, value]) => `${writtenName(key)} ${writtenValue(value)}`).join(" ");
}

function writtenName(key: string): string {
  return `/${key.replaceAll(/[^!-~]|[()<>[\]{}/%#]/g, (one) => `#${one.charCodeAt(0).toString(16).padStart(2, "0")}`)}`;
}
