import { buildCompoundFile } from "./outlook.ts";

/* Files of Word and Excel as they were before 2007. */

/** A document of Word 97: its first text in 16 bits a character, its second in 8. */
export function buildOldWord(wide: string, narrow: string, { isLocked = false } = {}): Buffer {
  return buildCompoundFile(oldWordStreams(wide, narrow, isLocked));
}

/** The streams of such a document. */
export function oldWordStreams(wide: string, narrow: string, isLocked = false): Record<string, Uint8Array> {
  const start = 2048;
  const texts = [Buffer.from(wide, "utf16le"), Buffer.from(narrow, "latin1")];
  const document = Buffer.concat([Buffer.alloc(start), ...texts, Buffer.alloc(4096)]);
  document.writeUInt16LE(0xa5ec, 0);
  document.writeUInt16LE(0x00c1, 2);
  document.writeUInt16LE(0x0200 | (isLocked ? 0x0100 : 0), 10);
  const pieces = Buffer.alloc(5 + 12 + 16);
  pieces.writeUInt8(2, 0);
  pieces.writeUInt32LE(28, 1);
  for (const [index, position] of [0, wide.length, wide.length + narrow.length].entries())
    pieces.writeUInt32LE(position, 5 + 4 * index);
  pieces.writeUInt32LE(start, 17 + 2);
  pieces.writeUInt32LE(2 * (start + 2 * wide.length) + 0x4000_0000, 25 + 2);
  // Properties of paragraphs come before the pieces.
  const table = Buffer.concat([Buffer.from([1, 2, 0, 9, 9]), pieces]);
  document.writeUInt32LE(0, 0x01a2);
  document.writeUInt32LE(table.length, 0x01a6);
  return { WordDocument: document, "1Table": table };
}

const record = (type: number, ...parts: Buffer[]): Buffer => {
  const bytes = Buffer.concat(parts);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
};
const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
};
const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/**
 * A workbook of Excel 97 with two sheets. The texts of its cells are divided between two records in the middle of one,
 * after `firstLetters` letters of it.
 */
export function buildOldWorkbook(
  texts: readonly [string, string],
  { firstLetters = 3, isLocked = false }: { firstLetters?: number; isLocked?: boolean } = {},
): Buffer {
  const [one, other] = texts;
  const beginning = (kind: number): Buffer => record(0x0809, numbers(0x0600, kind, 0, 0, 0, 0, 0, 0));
  const sheet = (position: number, name: string): Buffer =>
    record(0x0085, long(position), Buffer.from([0, 0, name.length, 0]), Buffer.from(name, "latin1"));
  const listOfTexts = [
    record(
      0x00fc,
      long(2),
      long(2),
      numbers(one.length),
      Buffer.from([0]),
      Buffer.from(one, "latin1"),
      numbers(other.length),
      Buffer.from([1]),
      Buffer.from(other.slice(0, firstLetters), "utf16le"),
    ),
    // What follows may be written in another width.
    record(0x003c, Buffer.from([1]), Buffer.from(other.slice(firstLetters), "utf16le")),
  ];
  const styles = [record(0x00e0, numbers(0, 0)), record(0x00e0, numbers(0, 14))];
  const cells = [
    record(0x00fd, numbers(0, 0, 0), long(0)),
    record(0x00fd, numbers(0, 2, 0), long(1)),
    record(0x0203, numbers(1, 0, 1), double(45_000)),
    record(0x027e, numbers(1, 1, 0), long((1250 << 2) | 3)),
    record(0x00bd, numbers(2, 0, 0), long((7 << 2) | 2), numbers(0), long((8 << 2) | 2), numbers(1)),
    record(0x0006, numbers(3, 0, 0), Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]), Buffer.alloc(8)),
    record(0x0207, numbers(6), Buffer.from([0]), Buffer.from("result", "latin1")),
  ];
  const build = (first: number, second: number): [Buffer, Buffer, Buffer] => [
    Buffer.concat([
      beginning(5),
      ...(isLocked ? [record(0x002f, numbers(1))] : []),
      ...styles,
      sheet(first, "Budget"),
      sheet(second, "Rest"),
      ...listOfTexts,
      record(0x000a),
    ]),
    Buffer.concat([beginning(16), ...cells, record(0x000a)]),
    Buffer.concat([
      beginning(16),
      record(0x0204, numbers(0, 0, 0, 4), Buffer.from([0]), Buffer.from("last")),
      record(0x000a),
    ]),
  ];
  const [globals, firstSheet] = build(0, 0);
  const position = globals.length;
  return buildCompoundFile({
    Workbook: Buffer.concat([...build(position, position + firstSheet.length), Buffer.alloc(4096)]),
  });
}
