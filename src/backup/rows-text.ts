import { createHash } from "node:crypto";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { createGunzip, gzip } from "node:zlib";
import { WrongContentError } from "./hashes.ts";

/*
 * Rows of a table as text: one line with the names of the columns, and one line of values for each row.
 *
 * A backup may come from a stranger, so a text is checked while it is uncompressed, and refused before it takes more
 * memory than a text of Quire's own can take.
 */

export type StoredRow = Record<string, number | string | null>;

/** More rows than a chunk of Quire's own ever has. */
const maxRows = 10_000;
const maxColumns = 1000;
const maxHeaderBytes = 64 * 1024;
/** The text of one page may have 256 million characters. */
const maxTextBytes = 320 * 1024 * 1024;

const compress = promisify(gzip);

export function compressRows(text: string): Promise<Buffer> {
  return compress(text, { level: 4 });
}

/** @throws {WrongContentError} if the text is not the expected one. */
export async function readRows(
  compressed: AsyncIterable<Uint8Array>,
  {
    sha256,
    rows,
    name,
    maxBytes = maxTextBytes,
  }: { sha256: string; rows: number; name: string; maxBytes?: number },
): Promise<StoredRow[]> {
  if (rows > maxRows) throw new WrongContentError(`${name} has too many rows`);
  const hasher = createHash("sha256");
  const lines = new LineReader();
  let columns: string[] | null = null;
  const read: StoredRow[] = [];
  for await (const chunk of uncompressed(compressed, name, maxBytes)) {
    hasher.update(chunk);
    for (const values of lines.valuesIn(chunk)) {
      if (values === null || (columns !== null && values.length !== columns.length))
        throw new WrongContentError(`${name}: a line cannot be read`);
      if (columns === null) columns = values.map(String);
      else if (read.length === rows) throw new WrongContentError(`${name} has more than ${rows} rows`);
      else read.push(Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null])));
    }
  }
  if (hasher.digest("hex") !== sha256) throw new WrongContentError(`${name}: its content has changed`);
  if (read.length !== rows) throw new WrongContentError(`${name} has ${read.length} rows, not ${rows}`);
  return read;
}

/** The SHA-256 of the text of compressed rows. @throws {WrongContentError} if they cannot be uncompressed. */
export async function hashOfRows(compressed: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const hasher = createHash("sha256");
  for await (const chunk of uncompressed(compressed, name)) hasher.update(chunk);
  return hasher.digest("hex");
}

/** A failure to read is passed on as it is. */
async function* uncompressed(
  compressed: AsyncIterable<Uint8Array>,
  name: string,
  maxBytes = maxTextBytes,
): AsyncGenerator<Uint8Array> {
  const failures: unknown[] = [];
  const watched = async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* compressed;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  let length = 0;
  try {
    const stream = pipeline(watched(), createGunzip(), () => undefined);
    for await (const chunk of stream) {
      if ((length += (chunk as Buffer).length) > maxBytes) break;
      yield chunk as Buffer;
    }
  } catch (error) {
    if (failures.length > 0) throw failures[0];
    throw new WrongContentError(`${name} cannot be uncompressed`, { cause: error });
  }
  if (length > maxBytes) throw new WrongContentError(`${name} is too long`);
}

type Values = (number | string | null)[];

const [quote, backslash, comma, open, brace, lineEnd] = Buffer.from('"\\,[{\n');

/** Reads lines, each of which is a list of texts, numbers and nulls. */
class LineReader {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #isInText = false;
  /** Whether the last byte was a backslash in a text. */
  #isEscaped = false;
  /** The number of values in the line so far; 0 at its start. */
  #values = 0;
  #isHeader = true;

  /** The values of the lines that end in this part of the text; null for one that is no such list. */
  *valuesIn(chunk: Uint8Array): Generator<Values | null> {
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      if (this.#isInText) {
        index = this.#endOfText(chunk, index);
        continue;
      }
      const byte = chunk[index];
      if (!this.#accepts(byte)) {
        yield null;
        return;
      }
      if (byte !== lineEnd) continue;
      this.#hold(chunk.subarray(start, index));
      yield this.#take();
      start = index + 1;
    }
    this.#hold(chunk.subarray(start));
    if (this.#isHeader && this.#pendingBytes > maxHeaderBytes) yield null;
  }

  /** The index of the quote that ends a text, or of the last byte if the text goes on in the next part. */
  #endOfText(chunk: Uint8Array, from: number): number {
    let index = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (;;) {
      const end = chunk.indexOf(quote as number, index);
      const limit = end < 0 ? chunk.length : end;
      const escape = chunk.subarray(index, limit).indexOf(backslash as number);
      if (escape < 0) {
        this.#isInText = end < 0;
        return end < 0 ? chunk.length - 1 : end;
      }
      index += escape + 2;
      this.#isEscaped = index > chunk.length;
    }
  }

  /** Nested values would take many times as much memory as their text, and so would a great many values. */
  #accepts(byte: number | undefined): boolean {
    if (this.#values === 0) {
      this.#values = 1;
      return byte === open;
    }
    if (byte === quote) this.#isInText = true;
    if (byte === comma) this.#values += 1;
    if (byte === lineEnd) this.#values = 0;
    return byte !== open && byte !== brace && this.#values <= maxColumns;
  }

  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  #take(): Values | null {
    if (this.#isHeader && this.#pendingBytes > maxHeaderBytes) return null;
    const text = Buffer.concat(this.#pending).toString();
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#isHeader = false;
    try {
      const values = JSON.parse(text) as (boolean | Values[number])[];
      return values.some((value) => typeof value === "boolean") ? null : (values as Values);
    } catch {
      return null;
    }
  }
}
