import { UnreadableFileError } from "../unreadable-file.ts";
import type { AddText } from "./add-text.ts";
import { type OleFile, locked } from "./ole-file.ts";
import { type StringForm, readString, readStrings } from "./old-workbook-strings.ts";
import { type CellFormat, cellFormat, isDateFormat, plainNumber } from "./number-format.ts";

/*
 * A workbook of Excel 5 to 2003, by [MS-XLS]: a stream of records, each with a number for its type and a length. The
 * records of the workbook come first, with the texts of its cells; then those of each sheet.
 */

const records = {
  beginning: 0x0809,
  sheet: 0x0085,
  encryption: 0x002f,
  texts: 0x00fc,
  more: 0x003c,
  codePage: 0x0042,
  format: 0x041e,
  style: 0x00e0,
  startsIn1904: 0x0022,
  text: 0x00fd,
  label: 0x0204,
  richLabel: 0x00d6,
  number: 0x0203,
  shortNumber: 0x027e,
  shortNumbers: 0x00bd,
  formula: 0x0006,
  result: 0x0207,
  truth: 0x0205,
  end: 0x000a,
} as const;

const excel97 = 0x0600;
/** The days between the two first days that a workbook may count from. */
const from1900To1904 = 1462;

interface OldWorkbook {
  form: StringForm;
  sheets: { name: string; position: number }[];
  texts: string[];
  /** The format of each cell style, by its number, and whether it shows dates. */
  formats: { show: CellFormat; isDate: boolean }[];
  firstDay: number;
}

/** Adds each sheet's name and its rows that are not empty: a line for each row, with tabs between the cells. */
export function readOldWorkbook(file: OleFile, add: AddText): void {
  const stream = file.find("Workbook") ?? file.find("Book");
  if (stream === null) {
    if (file.find("EncryptedPackage") !== null) throw locked();
    throw new UnreadableFileError("broken", "broken: it has no sheets");
  }
  const workbook = readGlobals(stream);
  for (const [index, { name, position }] of workbook.sheets.entries()) {
    add(index === 0 ? `${name}\n` : `\n${name}\n`);
    for (const cells of rowsOf(stream, position, workbook))
      add(Array.from(cells, (cell) => cell ?? "").join("\t"));
  }
}

interface OldRecord {
  type: number;
  bytes: Buffer;
}

function* recordsFrom(stream: Buffer, position: number): Generator<OldRecord> {
  for (let at = position; at + 4 <= stream.length;) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    if (end > stream.length) return;
    yield { type: stream.readUInt16LE(at), bytes: stream.subarray(at + 4, end) };
    at = end;
  }
}

function readGlobals(stream: Buffer): OldWorkbook {
  const workbook: OldWorkbook = {
    form: { isWide: true, codePage: 1252 },
    sheets: [],
    texts: [],
    formats: [],
    firstDay: 0,
  };
  const formats = new Map<number, string>();
  const styles: number[] = [];
  let texts: Buffer[] = [];
  let isOfTexts = false;
  for (const { type, bytes } of recordsFrom(stream, 0)) {
    if (type === records.end) break;
    if (type === records.more) {
      if (isOfTexts) texts.push(bytes);
      continue;
    }
    isOfTexts = type === records.texts;
    if (isOfTexts) texts = [bytes];
    else if (type === records.encryption) throw locked();
    else if (type === records.beginning && bytes.length >= 2)
      workbook.form.isWide = bytes.readUInt16LE(0) >= excel97;
    else if (type === records.codePage && bytes.length >= 2) workbook.form.codePage = bytes.readUInt16LE(0);
    else if (type === records.startsIn1904 && bytes[0] === 1) workbook.firstDay = from1900To1904;
    else if (type === records.format && bytes.length > 3)
      formats.set(bytes.readUInt16LE(0), readString(bytes, 2, workbook.form, workbook.form.isWide ? 2 : 1));
    else if (type === records.style && bytes.length >= 4) styles.push(bytes.readUInt16LE(2));
    else if (type === records.sheet && bytes.length > 7 && bytes[5] === 0)
      workbook.sheets.push({ name: readString(bytes, 6, workbook.form, 1), position: bytes.readUInt32LE(0) });
  }
  workbook.texts = readStrings(texts);
  workbook.formats = styles.map((id) => {
    return { show: cellFormat(id, formats), isDate: isDateFormat(id, formats) };
  });
  return workbook;
}

type Row = (string | undefined)[];

/** The rows of a sheet that are not empty, in their order. */
function rowsOf(stream: Buffer, position: number, workbook: OldWorkbook): Row[] {
  const rows = new Map<number, Row>();
  const put = (row: number, column: number, value: string): void => {
    if (value === "") return;
    const cells = rows.get(row) ?? [];
    cells[column] = value;
    rows.set(row, cells);
  };
  /** The cell of a formula whose result is a text, which follows. */
  let awaiting: [row: number, column: number] | null = null;
  for (const { type, bytes } of recordsFrom(stream, position)) {
    if (type === records.end) break;
    if (type === records.result && awaiting !== null) {
      put(...awaiting, oneLine(readString(bytes, 0, workbook.form, 2)));
      awaiting = null;
    }
    if (bytes.length < 6) continue;
    const [row, column, style] = [bytes.readUInt16LE(0), bytes.readUInt16LE(2), bytes.readUInt16LE(4)];
    if (type === records.shortNumbers) {
      for (let at = 4, index = column; at + 8 <= bytes.length; at += 6, index++)
        put(row, index, numberIn(shortNumber(bytes.readUInt32LE(at + 2)), bytes.readUInt16LE(at), workbook));
      continue;
    }
    const value = valueOf(type, bytes, workbook);
    if (typeof value === "number") put(row, column, numberIn(value, style, workbook));
    else if (value === awaited) awaiting = [row, column];
    else if (value !== null) put(row, column, value);
  }
  return [...rows].toSorted(([one], [other]) => one - other).map(([, cells]) => cells);
}

const awaited = Symbol("in the next record");

/** The value of a cell. Null if the record is no cell, or has no value. */
function valueOf(
  type: number,
  bytes: Buffer,
  { form, texts }: OldWorkbook,
): string | number | typeof awaited | null {
  switch (type) {
    case records.text:
      return bytes.length < 10 ? null : oneLine(texts[bytes.readUInt32LE(6)] ?? "");
    case records.label:
    case records.richLabel:
      return bytes.length < 8 ? null : oneLine(readString(bytes, 6, form, 2));
    case records.number:
      return bytes.length < 14 ? null : bytes.readDoubleLE(6);
    case records.shortNumber:
      return bytes.length < 10 ? null : shortNumber(bytes.readUInt32LE(6));
    case records.truth:
      return bytes.length < 8 || bytes[7] !== 0 ? null : truth(bytes[6]);
    case records.formula:
      if (bytes.length < 14) return null;
      if (bytes.readUInt16LE(12) !== 0xffff) return bytes.readDoubleLE(6);
      return bytes[6] === 0 ? awaited : bytes[6] === 1 ? truth(bytes[8]) : null;
    default:
      return null;
  }
}

const truth = (byte: number | undefined): string => (byte === 1 ? "TRUE" : "FALSE");
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** 30 bits of a number, and two that say whether it is whole, and whether it is multiplied by 100. */
function shortNumber(bits: number): number {
  const buffer = Buffer.alloc(8);
  buffer.writeUInt32LE((bits & ~3) >>> 0, 4);
  const value = (bits & 2) === 0 ? buffer.readDoubleLE(0) : bits >> 2;
  return (bits & 1) === 0 ? value : value / 100;
}

function numberIn(value: number, style: number, { formats, firstDay }: OldWorkbook): string {
  const { show = plainNumber, isDate = false } = formats[style] ?? {};
  return show(isDate ? value + firstDay : value);
}
