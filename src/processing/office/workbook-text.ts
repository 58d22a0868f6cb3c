import type { AddText } from "./add-text.ts";
import { type CellFormat, cellFormat, plainNumber } from "./number-format.ts";
import { relationshipsOf } from "./relationships.ts";
import { commentLines } from "./workbook-comments.ts";
import { localName, readXml } from "./xml-reading.ts";
import type { ZipEntries } from "../unpack/zip-entries.ts";

/**
 * Adds each sheet's name, its rows that are not empty and the comments on its cells: a line for each row, with tabs
 * between the cells, and one for each comment.
 */
export async function readWorkbook(zip: ZipEntries, add: AddText): Promise<void> {
  const workbook = await openWorkbook(zip);
  for (const [index, { name, path }] of workbook.sheets.entries()) {
    add(index === 0 ? `${name}\n` : `\n${name}\n`);
    await readSheet(zip, path, workbook, (cells) => {
      add(cells.join("\t"));
      return true;
    });
    for (const [position, line] of (await commentLines(zip, path)).entries())
      add(position === 0 ? `\n${line}` : line);
  }
}

/** The sheets that the file has, with the paths of their rows in it, and what the rows refer to. */
export async function openWorkbook(zip: ZipEntries): Promise<Workbook> {
  const listed: { name: string; id: string }[] = [];
  await readXml(zip.read("xl/workbook.xml"), {
    open(tag, attributes) {
      if (localName(tag) === "sheet")
        listed.push({ name: attributes["name"] ?? "", id: attributes["r:id"] ?? "" });
    },
  });
  const parts = await relationshipsOf(zip, "xl/workbook.xml");
  const paths = new Map(parts.map(({ id, path }) => [id, path]));
  const sheets = listed
    .map(({ name, id }, index) => ({ name, path: paths.get(id) ?? `xl/worksheets/sheet${index + 1}.xml` }))
    .filter(({ path }) => zip.has(path));
  return { sheets, strings: await sharedStrings(zip), formats: await cellFormats(zip) };
}

export interface Workbook {
  sheets: readonly { name: string; path: string }[];
  strings: readonly string[];
  /** The format of each cell style, by its number. */
  formats: readonly CellFormat[];
}

const maxColumns = 16_384;

/** Adds the cells of each row that is not empty, until `add` returns false. */
export async function readSheet(
  zip: ZipEntries,
  path: string,
  workbook: Workbook,
  add: (cells: string[]) => boolean,
): Promise<void> {
  let wantsMore = true;
  let cells: string[] = [];
  let column = 0;
  let type = "";
  let format: CellFormat = plainNumber;
  let value = "";
  let isValue = false;
  await readXml(zip.read(path), {
    isDone: () => !wantsMore,
    open(tag, { r = "", t = "n", s = "" }) {
      const name = localName(tag);
      if (name === "c") {
        column = columnOf(r) ?? cells.length;
        [type, value] = [t, ""];
        format = workbook.formats[Number(s)] ?? plainNumber;
      } else if (name === "v" || name === "t") isValue = true;
    },
    text(text) {
      if (isValue) value += text;
    },
    close(tag) {
      const name = localName(tag);
      if (name === "v" || name === "t") isValue = false;
      else if (name === "c" && value !== "" && column < maxColumns) {
        while (cells.length < column) cells.push("");
        cells[column] = displayedValue(value, type, format, workbook.strings);
      } else if (name === "row") {
        if (cells.length > 0 && wantsMore) wantsMore = add(cells);
        cells = [];
      }
    },
  });
}

function displayedValue(value: string, type: string, format: CellFormat, strings: readonly string[]): string {
  if (type === "s") return (strings[Number(value)] ?? "").replaceAll(/\s+/g, " ");
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type === "n" && Number.isFinite(Number(value))) return format(Number(value));
  return value.replaceAll(/\s+/g, " ");
}

async function sharedStrings(zip: ZipEntries): Promise<string[]> {
  const strings: string[] = [];
  if (!zip.has("xl/sharedStrings.xml")) return strings;
  let text = "";
  let isText = false;
  let phonetic = 0;
  await readXml(zip.read("xl/sharedStrings.xml"), {
    open(tag) {
      const name = localName(tag);
      if (name === "si") text = "";
      else if (name === "rPh") phonetic += 1;
      else if (name === "t") isText = phonetic === 0;
    },
    text(part) {
      if (isText) text += part;
    },
    close(tag) {
      const name = localName(tag);
      if (name === "t") isText = false;
      else if (name === "rPh") phonetic -= 1;
      else if (name === "si") strings.push(text);
    },
  });
  return strings;
}

async function cellFormats(zip: ZipEntries): Promise<CellFormat[]> {
  if (!zip.has("xl/styles.xml")) return [];
  const own = new Map<number, string>();
  const styles: number[] = [];
  let isInCellStyles = false;
  await readXml(zip.read("xl/styles.xml"), {
    open(tag, { numFmtId = "", formatCode = "" }) {
      const name = localName(tag);
      if (name === "numFmt") own.set(Number(numFmtId), formatCode);
      else if (name === "cellXfs") isInCellStyles = true;
      else if (name === "xf" && isInCellStyles) styles.push(Number(numFmtId));
    },
    close(tag) {
      if (localName(tag) === "cellXfs") isInCellStyles = false;
    },
  });
  return styles.map((id) => cellFormat(id, own));
}

/** The column of a cell reference, counted from 0: `C7` is in column 2. */
function columnOf(reference: string): number | null {
  const [letters = ""] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  if (letters === "") return null;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
