import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { constants, inflateSync } from "node:zlib";
import { type PdfDictionary, type PdfValue, PdfValues, UnfinishedValueError } from "./pdf-values.ts";

export interface PdfObject {
  value: PdfValue;
  /** The position and length of its bytes, if it is a stream. */
  stream: { offset: number; length: number } | null;
}

const chunkBytes = 1024 * 1024;
/** In bytes. The contents of a page are read as a whole; images and similar streams never are. */
const maxDecoded = 256 * 1024 * 1024;

/**
 * Reads the objects of a PDF with a classic cross-reference table, as pdfium and Quire write it. Objects are read one
 * by one, so a file of any size takes no more memory than its largest dictionary. Untrusted files are never read here,
 * only by pdfium.
 */
export class PdfObjects {
  readonly #file: number;
  /** The size of the file in bytes. */
  readonly size: number;
  readonly #offsets = new Map<number, number>();
  readonly trailer: PdfDictionary;
  /** The position of the cross-reference table. */
  tableOffset = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    try {
      this.size = fstatSync(this.#file).size;
      this.trailer = this.#readTable();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  get numbers(): Iterable<number> {
    return this.#offsets.keys();
  }

  /** Null if there is no object of this number. */
  find(number: number): PdfObject | null {
    const offset = this.#offsets.get(number);
    if (offset === undefined) return null;
    for (let length = 4096; ; length *= 8) {
      const text = this.#read(offset, length).toString("latin1");
      try {
        return objectIn(text, offset);
      } catch (error) {
        if (!(error instanceof UnfinishedValueError) || offset + length >= this.size) throw error;
      }
    }
  }

  /** Resolves a reference. Any other value stands for itself. */
  resolve(value: PdfValue | undefined): PdfValue | undefined {
    for (let depth = 0; depth < 32; depth++) {
      if (value === undefined || typeof value === "string" || !("object" in value)) return value;
      value = this.find(value.object)?.value;
    }
    return undefined;
  }

  dictionary(value: PdfValue | undefined): PdfDictionary | null {
    const found = this.resolve(value);
    return found instanceof Map ? found : null;
  }

  *chunks({ offset, length }: { offset: number; length: number }): Generator<Uint8Array> {
    for (let done = 0; done < length; done += chunkBytes) {
      yield this.#read(offset + done, Math.min(chunkBytes, length - done));
    }
  }

  /** The decoded bytes of a stream. Null if it has an unknown filter. */
  decoded({ value, stream }: PdfObject): Buffer | null {
    if (stream === null || !(value instanceof Map) || stream.length > maxDecoded) return null;
    const given = this.resolve(value.get("Filter")) ?? [];
    const filters = (Array.isArray(given) ? given : [given]).map((filter) => this.resolve(filter));
    let bytes: Buffer | null = this.#read(stream.offset, stream.length);
    for (const [index, filter] of filters.entries()) {
      const decode = decoders.get(typeof filter === "string" ? filter : "");
      if (decode === undefined || this.#isPackedOtherwise(value, index)) return null;
      try {
        bytes = decode(bytes);
      } catch {
        return null;
      }
    }
    return bytes;
  }

  #isPackedOtherwise(members: PdfDictionary, index: number): boolean {
    const given = this.resolve(members.get("DecodeParms"));
    const parameters = this.dictionary(Array.isArray(given) ? given[index] : given);
    const valueOf = (name: string): number => Number(this.resolve(parameters?.get(name)) ?? 1);
    return valueOf("Predictor") > 1 || valueOf("EarlyChange") !== 1;
  }

  #readTable(): PdfDictionary {
    const end = this.#read(Math.max(0, this.size - 1024), 1024).toString("latin1");
    const [, start] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(end) ?? [];
    this.tableOffset = Number(start ?? this.size);
    const text = this.#read(this.tableOffset, this.size).toString("latin1");
    const values = new PdfValues(text);
    if (!values.skip("xref")) throw new Error("there is no table of objects");
    while (!values.skip("trailer")) {
      const [first, count] = [Number(values.next()), Number(values.next())];
      for (let number = first; number < first + count; number++) {
        const offset = Number(values.next());
        values.next();
        if (values.next() === "n") this.#offsets.set(number, offset);
      }
    }
    const trailer = values.next();
    if (!(trailer instanceof Map)) throw new Error("there is no trailer");
    return trailer;
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.size - offset)));
    for (let done = 0; done < bytes.length;) {
      const count = readSync(this.#file, bytes, done, bytes.length - done, offset + done);
      if (count === 0) throw new Error("the file ended while it was read");
      done += count;
    }
    return bytes;
  }
}

function objectIn(text: string, offset: number): PdfObject {
  const values = new PdfValues(text);
  for (let word = 0; word < 3; word++) values.next();
  const value = values.next();
  if (values.skip("endobj")) return { value, stream: null };
  if (!values.skip("stream")) throw new UnfinishedValueError();
  if (values.at + 2 > text.length) throw new UnfinishedValueError();
  if (text[values.at] === "\r") values.at += 1;
  const length = value instanceof Map ? Number(value.get("Length")) : NaN;
  if (!Number.isSafeInteger(length)) throw new Error("a stream does not say how long it is");
  return { value, stream: { offset: offset + values.at + 1, length } };
}

const decoders = new Map<string, (bytes: Buffer) => Buffer>([
  ["/FlateDecode", inflated],
  ["/Fl", inflated],
  ["/ASCIIHexDecode", (bytes) => Buffer.from(bytes.toString("latin1").replaceAll(/[^\da-f]/gi, ""), "hex")],
  ["/ASCII85Decode", fromAscii85],
  ["/LZWDecode", fromLzw],
]);

/** Inflates a truncated stream as far as possible. */
function inflated(bytes: Buffer): Buffer {
  return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxDecoded });
}

function fromAscii85(bytes: Buffer): Buffer {
  const out: number[] = [];
  let group: number[] = [];
  const flush = (): void => {
    const count = group.length;
    if (count < 2) return;
    while (group.length < 5) group.push(84);
    const value = group.reduce((sum, digit) => sum * 85 + digit, 0);
    for (let index = 0; index < count - 1; index++) out.push(Math.floor(value / 256 ** (3 - index)) & 255);
    group = [];
  };
  for (const code of bytes) {
    if (code === 0x7e) break;
    if (code === 0x7a && group.length === 0) out.push(0, 0, 0, 0);
    else if (code >= 0x21 && code <= 0x75 && group.push(code - 0x21) === 5) flush();
  }
  flush();
  return Buffer.from(out);
}

/** LZW codes have 9 to 12 bits and stand for an earlier run and a byte. 256 clears the table, and 257 ends the data. */
function fromLzw(bytes: Buffer): Buffer {
  const out: Buffer[] = [];
  let table: Buffer[] = [];
  let before = null as Buffer | null;
  let width = 9;
  let bits = 0;
  let held = 0;
  const begin = (): void => {
    table = Array.from({ length: 258 }, (_, code) => Buffer.from(code < 256 ? [code] : []));
    width = 9;
    before = null;
  };
  begin();
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xff_ff_ff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >>> bits) & ((1 << width) - 1);
    if (code === 257) break;
    if (code === 256) {
      begin();
      continue;
    }
    const known: Buffer | undefined = table[code];
    const last = before;
    const run: Buffer | null = known ?? (last && Buffer.concat([last, last.subarray(0, 1)]));
    if (run === null) throw new Error("broken");
    out.push(run);
    if (last !== null && table.length < 4096) table.push(Buffer.concat([last, run.subarray(0, 1)]));
    if (table.length >= (1 << width) - 1 && width < 12) width += 1;
    before = run;
  }
  return Buffer.concat(out);
}
