import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { type Signature, fileKinds } from "../../file-kinds.ts";
import { ZipEntries } from "../unpack/zip-entries.ts";
import type { AddText } from "./add-text.ts";
import { readBook } from "./book-text.ts";
import { readOldWordDocument } from "./old-word-text.ts";
import { readOldWorkbook } from "./old-workbook-text.ts";
import { OleFile, damaged } from "./ole-file.ts";
import { OpenDocumentText, checkNotLocked } from "./open-document-text.ts";
import { readRichText } from "./rich-text.ts";
import { readSlides, readWordDocument } from "./word-text.ts";
import { readWorkbook } from "./workbook-text.ts";
import { readXml } from "./xml-reading.ts";

/* Reads the text of office files without their looks, where LibreOffice is missing or fails. */

type ReadOle = (file: OleFile, add: AddText) => void;

const readersOfOle: Readonly<Record<string, ReadOle>> = {
  doc: readOldWordDocument,
  dot: readOldWordDocument,
  xls: readOldWorkbook,
  xlt: readOldWorkbook,
  xlw: readOldWorkbook,
};

const tables = new Set(["ods", "fods", "xls", "xlt", "xlw"]);

/** Which of the formats of Office since 2007 it has, if any. Templates and files with macros have the same ones. */
const formatOf = (extension: string): Signature | undefined => fileKinds.get(extension)?.bytes?.[0];

/** Whether files of this kind are tables. */
export const isTable = (extension: string): boolean =>
  tables.has(extension) || formatOf(extension) === "xlsx";

/** @throws {UnreadableFileError} */
export async function readOfficeText(from: string, extension: string, add: AddText): Promise<void> {
  if (extension.startsWith("fod")) return readXml(createReadStream(from), new OpenDocumentText(add));
  if (extension === "rtf") return readRichText(await readFile(from), add);
  const readOle = readersOfOle[extension];
  if (readOle !== undefined) return readWhole(new OleFile(await readFile(from)), readOle, add);
  const zip = await ZipEntries.open(from);
  try {
    const format = formatOf(extension);
    if (format === "docx") await readWordDocument(zip, add);
    else if (format === "pptx") await readSlides(zip, add);
    else if (format === "xlsx") await readWorkbook(zip, add);
    else if (extension === "epub") await readBook(zip, add);
    else {
      await checkNotLocked(zip);
      await readXml(zip.read("content.xml"), new OpenDocumentText(add));
    }
  } finally {
    zip.close();
  }
}

/** A number that is read beyond the end of its bytes means that the file is damaged. */
function readWhole(file: OleFile, read: ReadOle, add: AddText): void {
  try {
    read(file, add);
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error;
  }
}
