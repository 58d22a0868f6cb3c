import { createReadStream } from "node:fs";
import type { AddText, Converted } from "./conversion.ts";
import { OpenDocumentText } from "./open-document-text.ts";
import { TextPages } from "./text-pages.ts";
import { endText } from "./text-to-pdf.ts";
import { readSlides, readWordDocument } from "./word-text.ts";
import { readWorkbook } from "./workbook-text.ts";
import { readXml } from "./xml-reading.ts";
import { ZipEntries } from "../unpack/zip-entries.ts";

/** Writes the text of an office file without its layout. */
export async function officeToPdf(from: string, extension: string, to: string): Promise<Converted> {
  const isTable = ["xlsx", "ods", "fods"].includes(extension);
  const pages = new TextPages(to, isTable ? "columns" : "prose");
  const add: AddText = (text) => pages.add(text);
  if (extension.startsWith("fod")) await readXml(createReadStream(from), new OpenDocumentText(add));
  else await readPacked(from, extension, add);
  return endText("office-text", pages);
}

async function readPacked(from: string, extension: string, add: AddText): Promise<void> {
  const zip = await ZipEntries.open(from);
  try {
    if (extension === "docx") await readWordDocument(zip, add);
    else if (extension === "pptx") await readSlides(zip, add);
    else if (extension === "xlsx") await readWorkbook(zip, add);
    else await readXml(zip.read("content.xml"), new OpenDocumentText(add));
  } finally {
    zip.close();
  }
}
