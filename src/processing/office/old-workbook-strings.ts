/* The strings of old workbooks: from Excel 97 on with a byte of flags, before in the workbook's code page. */

export interface StringForm {
  /** Whether strings have flags. */
  isWide: boolean;
  codePage: number;
}

const isSixteenBits = 1;
const hasPhonetics = 4;
const hasRuns = 8;

/** @param lengthBytes how many bytes the length of the string has */
export function readString(
  bytes: Buffer,
  at: number,
  { isWide, codePage }: StringForm,
  lengthBytes: 1 | 2,
): string {
  if (at + lengthBytes >= bytes.length) return "";
  const length = lengthBytes === 1 ? (bytes[at] ?? 0) : bytes.readUInt16LE(at);
  const start = at + lengthBytes;
  if (!isWide) return decoderOf(codePage).decode(bytes.subarray(start, start + length));
  const isLong = ((bytes[start] ?? 0) & isSixteenBits) !== 0;
  return bytes.toString(isLong ? "utf16le" : "latin1", start + 1, start + 1 + (isLong ? 2 * length : length));
}

function decoderOf(codePage: number): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(codePage === 10_000 ? "macintosh" : `windows-${codePage}`);
  } catch {
    return new TextDecoder("windows-1252");
  }
}

/**
 * The list of the texts of a workbook, which continues over records. Where the characters of a string are divided, the
 * next record begins with flags of its own.
 */
export function readStrings(parts: readonly Buffer[]): string[] {
  const reader = new PartsReader(parts);
  reader.skip(4);
  const count = reader.number(4);
  const texts: string[] = [];
  while (texts.length < count && !reader.isAtEnd) texts.push(reader.string());
  return texts;
}

class PartsReader {
  readonly #parts: readonly Buffer[];
  #part = 0;
  #at = 0;

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
    this.#settle();
  }

  get isAtEnd(): boolean {
    return this.#part >= this.#parts.length;
  }

  /** Goes on to the next record at the end of one. */
  #settle(): void {
    while (!this.isAtEnd && this.#left === 0) {
      this.#part += 1;
      this.#at = 0;
    }
  }

  get #left(): number {
    return (this.#parts[this.#part]?.length ?? 0) - this.#at;
  }

  #take(bytes: number): Buffer {
    const taken = this.#parts[this.#part]?.subarray(this.#at, this.#at + bytes) ?? Buffer.alloc(0);
    this.#at += taken.length;
    return taken;
  }

  skip(bytes: number): void {
    for (let left = bytes; left > 0 && !this.isAtEnd;) {
      left -= this.#take(left).length;
      this.#settle();
    }
  }

  number(bytes: 1 | 2 | 4): number {
    let value = 0;
    for (let index = 0; index < bytes; index++) {
      value += (this.#take(1)[0] ?? 0) * 256 ** index;
      this.#settle();
    }
    return value;
  }

  string(): string {
    const first = this.#part;
    const length = this.number(2);
    let flags = this.number(1);
    const runs = (flags & hasRuns) === 0 ? 0 : this.number(2);
    const phonetics = (flags & hasPhonetics) === 0 ? 0 : this.number(4);
    if (length > 0 && this.#part !== first) flags = this.number(1);
    let text = "";
    while (text.length < length && !this.isAtEnd) {
      const width = (flags & isSixteenBits) === 0 ? 1 : 2;
      const before = this.#part;
      const piece = this.#take(Math.min(this.#left, width * (length - text.length)));
      text += piece.toString(width === 1 ? "latin1" : "utf16le");
      this.#settle();
      if (piece.length < width) break;
      if (text.length < length && this.#part !== before) flags = this.number(1);
    }
    this.skip(4 * runs + phonetics);
    return text;
  }
}
