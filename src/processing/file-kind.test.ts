import { writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { buildDocx, buildOpenDocument, buildPptx, buildXlsx, docxParagraph } from "../testing/office.ts";
import { buildCompoundFile } from "../testing/outlook.ts";
import { buildPdf } from "../testing/pdf.ts";
import { buildZip } from "../testing/zip.ts";
import { useFolder } from "../testing/use-folder.ts";
import { checkKind, kindOf } from "./file-kind.ts";

const folder = useFolder("kinds");

let fileCount = 0;
async function fileOf(bytes: string | Uint8Array): Promise<string> {
  const file = path.join(folder, String((fileCount += 1)));
  await writeFile(file, bytes);
  return file;
}

const image = (): Sharp => sharp({ create: { width: 3, height: 2, channels: 3, background: "red" } });
const ole = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(504)]);

const good: Record<string, () => string | Uint8Array | Promise<Uint8Array>> = {
  pdf: () => buildPdf({ pages: [{ width: 100, height: 100 }] }),
  png: () => image().png().toBuffer(),
  jpg: () => image().jpeg().toBuffer(),
  jpeg: () => image().jpeg().toBuffer(),
  gif: () => image().gif().toBuffer(),
  tif: () => image().tiff().toBuffer(),
  docx: () => buildDocx(docxParagraph("Words")),
  xlsx: () => buildXlsx("Sheet", "", []),
  pptx: () => buildPptx(["Words"]),
  docm: () => buildDocx(docxParagraph("Words")),
  dotx: () => buildDocx(docxParagraph("Words")),
  dotm: () => buildDocx(docxParagraph("Words")),
  xlsm: () => buildXlsx("Sheet", "", []),
  xltx: () => buildXlsx("Sheet", "", []),
  xltm: () => buildXlsx("Sheet", "", []),
  pptm: () => buildPptx(["Words"]),
  potx: () => buildPptx(["Words"]),
  potm: () => buildPptx(["Words"]),
  ppsx: () => buildPptx(["Words"]),
  ppsm: () => buildPptx(["Words"]),
  odt: () => buildOpenDocument("text", ""),
  ods: () => buildOpenDocument("spreadsheet", ""),
  odp: () => buildOpenDocument("presentation", ""),
  doc: () => ole,
  xls: () => ole,
  ppt: () => ole,
  rtf: () => "{\\rtf1 Words}",
  txt: () => "Grüße",
  csv: () => Buffer.from("a;b\nÄ;ß\n", "latin1"),
  html: () => "<!doctype html><p>Words",
  xml: () => Buffer.from("\ufeff<?xml version='1.0'?><a/>", "utf16le"),
  svg: () => `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`,
  ics: () => "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
  mbox: () => "From ada@example.org Mon Jan  1 10:00:00 2024\nSubject: Words\n\nText\n",
  msg: () => ole,
  pst: () => Buffer.concat([Buffer.from("!BDN"), Buffer.alloc(600)]),
  ost: () => Buffer.concat([Buffer.from("!BDN"), Buffer.alloc(600)]),
  tar: () => Buffer.concat([Buffer.alloc(257), Buffer.from("ustar"), Buffer.alloc(700)]),
  gz: () => gzipSync("words"),
  tgz: () => gzipSync("words"),
  zip: () => buildZip({ "a.txt": "words" }),
  "7z": () => Buffer.from("377abcaf271c0004", "hex"),
  rar: () => Buffer.from("Rar!\x1a\x07\x01\0", "latin1"),
  bz2: () => "BZh91AY&SY",
  tbz: () => "BZh91AY&SY",
  tbz2: () => "BZh91AY&SY",
  xz: () => Buffer.from("fd377a585a00", "hex"),
  txz: () => Buffer.from("fd377a585a00", "hex"),
  cab: () => "MSCF\0\0\0\0",
  iso: () => Buffer.concat([Buffer.alloc(32_769), Buffer.from("CD001\x01")]),
  dat: () => Buffer.from("789f3e220100", "hex"),
  eml: () => "Received: from a\r\n by b\r\nSubject: Words\r\n\r\nText",
};

describe("a file whose bytes match its extension", () => {
  it.each(Object.entries(good))("is accepted: %s", async (extension, make) => {
    await expect(checkKind(await fileOf(await make()), extension)).resolves.toBeUndefined();
  });

  it("is accepted if an OpenDocument file states its type in the middle, and packed", async () => {
    const files = {
      "styles.xml": "<a/>",
      typemime: "application/vnd.oasis.opendocument.text",
      "content.xml": "<b/>",
    };
    const zip = Buffer.from(buildZip(files).toString("latin1").replaceAll("typemime", "mimetype"), "latin1");
    await expect(checkKind(await fileOf(zip), "odt")).resolves.toBeUndefined();
  });

  it("is accepted if the extension has no signature", async () => {
    await expect(checkKind(await fileOf(Buffer.alloc(600)), "tga")).resolves.toBeUndefined();
  });
});

describe("a file whose bytes do not match its extension", () => {
  it.each([
    ["docx", "png", "This is not a DOCX file: it looks like a PNG image"],
    ["docx", "xlsx", "This is not a DOCX file: it looks like an XLSX workbook"],
    [
      "docx",
      "doc",
      "This is not a DOCX file: it looks like an older office file, or one that is locked with a password",
    ],
    ["xlsm", "docm", "This is not an XLSM file: it looks like a DOCX document"],
    ["odt", "ods", "This is not an ODT file: it looks like an OpenDocument spreadsheet"],
    ["pdf", "jpg", "This is not a PDF file: it looks like a JPEG image"],
    ["pdf", "html", "This is not a PDF file: it looks like an HTML page"],
    ["png", "gif", "This is not a PNG file: it looks like a GIF image"],
    ["txt", "pdf", "This is not a TXT file: it looks like a PDF"],
    ["svg", "xml", "This is not an SVG file: it looks like XML"],
    ["xml", "txt", "This is not an XML file: it looks like plain text"],
    ["eml", "txt", "This is not an EML file: it looks like plain text"],
    ["xls", "rtf", "This is not an XLS file: it looks like an RTF document"],
  ])("is refused as %s when it is %s", async (claimed, real, message) => {
    const file = await fileOf((await good[real]?.()) ?? "");
    await expect(checkKind(file, claimed)).rejects.toMatchObject({
      name: "UnreadableFileError",
      kind: "wrong-kind",
      message,
    });
  });

  it("is locked if it is an office file since 2007 that needs a password", async () => {
    const file = await fileOf(
      buildCompoundFile({ EncryptionInfo: Buffer.alloc(9), EncryptedPackage: Buffer.alloc(9000) }),
    );
    for (const extension of ["docx", "xlsx", "pptx"])
      await expect(checkKind(file, extension)).rejects.toMatchObject({
        kind: "encrypted",
        message: "encrypted: it is locked with a password",
      });
  });

  it("does not count as text if it contains a NUL, however short it is", async () => {
    await expect(checkKind(await fileOf("a\tb\0c"), "csv")).rejects.toThrow("This is not a CSV file");
  });

  it("does not count as text if it contains control characters", async () => {
    const file = await fileOf(Buffer.from("some words\0and a zero"));
    await expect(checkKind(file, "txt")).rejects.toThrow("This is not a TXT file");
    expect(await kindOf(file)).toEqual({ kind: "unknown", name: null });
  });

  it.each([
    ["without a list", Buffer.from("PK\u0003\u0004 and nothing more")],
    [
      "with a list that is nowhere",
      Buffer.concat([Buffer.from("PK\u0003\u0004PK\u0005\u0006"), Buffer.alloc(18, 0xff)]),
    ],
    ["of something else", buildZip({ "a.txt": "words" })],
  ])("counts as a plain ZIP archive: one %s", async (_what, bytes) => {
    await expect(checkKind(await fileOf(bytes), "docx")).rejects.toThrow("it looks like a ZIP archive");
  });
});
