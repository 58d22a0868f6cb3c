import { writeFile } from "node:fs/promises";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildOpenDocument, buildDocx, buildPptx, buildXlsx, docxParagraph } from "../../testing/office.ts";
import { buildOldWord, oldWordStreams, buildOldWorkbook } from "../../testing/old-office.ts";
import { buildCompoundFile } from "../../testing/outlook.ts";
import { runs } from "../../testing/runs.ts";
import { buildZip } from "../../testing/zip.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { UnreadableFileError } from "../unreadable-file.ts";
import { readOfficeText } from "./office-text.ts";

const folder = useFolder("office");
async function linesOf(extension: string, bytes: string | Uint8Array): Promise<string[]> {
  const file = path.join(folder, `file.${extension}`);
  await writeFile(file, typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  const lines: string[] = [];
  await readOfficeText(file, extension, (line) => lines.push(line));
  return lines;
}

const locked = { kind: "encrypted", message: "encrypted: it is locked with a password" };

const rtf = (body: string): Promise<string[]> => linesOf("rtf", `{\\rtf1\\ansi\\ansicpg1252\\uc1 ${body}}`);

const book = (more: Record<string, string> = {}): Buffer =>
  buildZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    "OEBPS/book.opf":
      '<package><manifest><item id="b" href="two%20b.xhtml"/><item id="a" href="one.xhtml#x"/>' +
      '<item id="i" href="cover.jpg"/></manifest><spine><itemref idref="i"/><itemref idref="a"/>' +
      '<itemref idref="b"/><itemref idref="missing"/></spine></package>',
    "OEBPS/one.xhtml":
      "<!DOCTYPE html><html><head><title>Book</title></head><body><h1>First</h1><p>caf\u00e9 &amp; tea</p></body></html>",
    "OEBPS/two b.xhtml": "<html><body><p>Second</p></body></html>",
    "OEBPS/cover.jpg": "no text",
    ...more,
  });

describe("the text of an RTF file", () => {
  it("is what it shows, and nothing of what it describes", async () => {
    const fonts =
      "{\\fonttbl{\\f0\\fswiss Arial;}}{\\colortbl;\\red0\\green0\\blue0;}{\\*\\generator Writer;}";
    const picture = "{\\pict\\wmetafile8 0102030405}";
    expect(
      await rtf(`${fonts}{\\info{\\title Hidden}}\\pard One{\\b  bold} word\\par ${picture}Two\\line three`),
    ).toEqual(["One bold word", "Two\nthree"]);
    expect(
      await rtf("shown {\\v not shown} again {\\field{\\*\\fldinst HYPERLINK x}{\\fldrslt link}}"),
    ).toEqual(["shown  again link"]);
  });

  it("has the letters of its code pages and of Unicode", async () => {
    expect(await rtf("caf\\'e9 \\u1044?\\u8217 'x \\emdash  \\{\\}\\\\")).toEqual(["café Д’x — {}\\"]);
    const cyrillic = "{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}}{\\f1 \\'e4\\'e0}\\f0  \\'e4";
    expect(await rtf(cyrillic)).toEqual(["да ä"]);
    expect(await rtf("{\\uc2\\u26085\\'93\\'fa}{\\uc0\\u26412}")).toEqual(["日本"]);
  });

  it("has a line for each row of a table, and headers apart", async () => {
    const table =
      "\\trowd\\cellx100\\cellx200 a1\\intbl\\cell b1\\cell\\row\\trowd a2\\cell\\cell\\row\\pard after\\par";
    expect(await rtf(`{\\header Top}${table}`)).toEqual(["Top", "a1\tb1", "a2", "after"]);
  });

  it("never fails, whatever the bytes are", async () => {
    const part = fc.constantFrom(
      "{",
      "}",
      "\\",
      "\\'",
      "\\u",
      "\\bin3 ",
      "\\par ",
      "\\*",
      "\\f9 ",
      "-1",
      "x",
      "\\'e9",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part), async (parts) => {
        expect(await rtf(parts.join(""))).toBeInstanceOf(Array);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("the text of a document of Word before 2007", () => {
  it("is in its pieces, in lines", async () => {
    const wide = "Grüße\r\u0013 HYPERLINK x\u0014a link\u0015 Д\u001eЖ\rleft\u0007right\u0007\u0007";
    const narrow = "caf\u00e9 \u0093quoted\u0094\r";
    expect(await linesOf("doc", buildOldWord(wide, narrow))).toEqual([
      "Grüße",
      "a link Д\u2011Ж",
      "left\tright",
      "café “quoted”",
    ]);
  });

  it("is that of the document, not of another one that was inserted, and in streams named in any case", async () => {
    const { WordDocument: document, "1Table": table } = oldWordStreams("outer", "");
    const { WordDocument: inserted } = oldWordStreams("inner", "");
    const streams = { "ObjectPool/_1/WordDocument": inserted, WORDDOCUMENT: document, "1table": table };
    expect(await linesOf("doc", buildCompoundFile(streams as Record<string, Uint8Array>))).toEqual(["outer"]);
  });

  it("is refused with a reason where it is locked, too old or no document", async () => {
    await expect(linesOf("doc", buildOldWord("a", "b", { isLocked: true }))).rejects.toMatchObject(locked);
    const encrypted = buildCompoundFile({ EncryptedPackage: Buffer.alloc(5000) });
    for (const extension of ["doc", "xls"]) {
      await expect(linesOf(extension, encrypted)).rejects.toMatchObject(locked);
      await expect(linesOf(extension, Buffer.from("\xdb\xa5 old", "latin1"))).rejects.toMatchObject({
        kind: "no-converter",
        message: expect.stringContaining("only LibreOffice reads: install it"),
      });
      await expect(linesOf(extension, buildCompoundFile({ Other: Buffer.from("x") }))).rejects.toMatchObject({
        kind: "broken",
      });
    }
  });
});

describe("the text of a workbook of Excel before 2007", () => {
  it.each([0, 1, 4])("is in its sheets, divided after %i letters", async (firstLetters) => {
    expect(await linesOf("xls", buildOldWorkbook(["Name", "Менü"], { firstLetters }))).toEqual([
      "Budget\n",
      "Name\t\tМенü",
      "2023-03-15\t12.5",
      "7\t8",
      "result",
      "\nRest\n",
      "last",
    ]);
  });

  it("is refused where it is locked", async () => {
    await expect(linesOf("xls", buildOldWorkbook(["a", "b"], { isLocked: true }))).rejects.toMatchObject(
      locked,
    );
  });
});

describe("damaged files from before 2007", () => {
  it("end with a reason, and never run on", async () => {
    const files = [buildOldWord("Some words\r", "more\r"), buildOldWorkbook(["Name", "Amount"])];
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.nat(1), damage, fc.nat(), async (which, bytes, cut) => {
        const file = Buffer.from(files[which] ?? "");
        for (const [at, byte] of bytes) file[at % file.length] = byte;
        const damaged = file.subarray(0, 600 + (cut % file.length));
        const ends = await linesOf(which === 0 ? "doc" : "xls", damaged).then(
          () => true,
          (error: unknown) => error instanceof UnreadableFileError,
        );
        expect(ends).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("the text of a book", () => {
  it("is that of its chapters, in the order of reading", async () => {
    const [first = "", blank, second] = await linesOf("epub", book());
    expect(first.split(/\n+/)).toEqual(["First", "café & tea"]);
    expect([blank, second]).toEqual(["", "Second"]);
  });

  it("is refused where a chapter is protected", async () => {
    const protection = '<encryption><CipherReference URI="OEBPS/one.xhtml"/></encryption>';
    await expect(linesOf("epub", book({ "META-INF/encryption.xml": protection }))).rejects.toMatchObject({
      kind: "encrypted",
    });
  });
});

describe("the text of a document", () => {
  it("of Word has its headers and footers once", async () => {
    const header = `<w:hdr xmlns:w="w">${docxParagraph("Ministry")}</w:hdr>`;
    const docx = buildDocx(docxParagraph("Body"), {
      "word/header1.xml": header,
      "word/header2.xml": header,
      "word/footer1.xml": `<w:ftr xmlns:w="w">${docxParagraph("Page of secrets")}</w:ftr>`,
    });
    expect(await linesOf("docx", docx)).toEqual(["Ministry", "Body", "Page of secrets"]);
  });

  it("of OpenDocument is refused with the reason where it is locked", async () => {
    const manifest =
      '<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="content.xml">' +
      "<manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    const odt = buildOpenDocument("text", "<text:p>Words</text:p>", { "META-INF/manifest.xml": manifest });
    await expect(linesOf("odt", odt)).rejects.toMatchObject(locked);
    expect(await linesOf("odt", buildOpenDocument("text", "<text:p>Words</text:p>"))).toEqual(["Words"]);
  });
});

describe("a file with macros, and a template", () => {
  it("is read as others of its format", async () => {
    const row = '<row r="1"><c r="A1"><v>7</v></c></row>';
    for (const extension of ["docm", "dotx", "dotm"])
      expect(await linesOf(extension, buildDocx(docxParagraph("Letter")))).toEqual(["Letter"]);
    for (const extension of ["xlsm", "xltx", "xltm"])
      expect(await linesOf(extension, buildXlsx("Sums", row, []))).toEqual(["Sums\n", "7"]);
    for (const extension of ["pptm", "potx", "potm", "ppsx", "ppsm"])
      expect((await linesOf(extension, buildPptx(["Slide"]))).join(" ")).toContain("Slide");
  });
});

const commentedWorkbook = (parts: Record<string, string>): Buffer =>
  buildZip({
    "xl/workbook.xml": '<workbook><sheets><sheet name="Sums"/><sheet name="Rest"/></sheets></workbook>',
    "xl/worksheets/sheet1.xml": '<worksheet><row><c r="A1"><v>7</v></c></row></worksheet>',
    "xl/worksheets/sheet2.xml": "<worksheet/>",
    "xl/worksheets/_rels/sheet1.xml.rels":
      '<Relationships><Relationship Type="a/comments" Target="../comments1.xml"/>' +
      '<Relationship Type="a/threadedComment" Target="/xl/threadedComments/one.xml"/></Relationships>',
    ...parts,
  });
const cellComments =
  "<comments><authors><author>Ada</author><author>tc={1}</author><author/></authors><commentList>" +
  '<comment ref="A1" authorId="0"><text><r><t>Ada:</t></r><r><t>\ntoo</t></r><r><t> high</t></r></text></comment>' +
  '<comment ref="B2" authorId="1"><text><t>[Threaded comment] Why?</t></text></comment>' +
  '<comment ref="C3" authorId="2"><text><t>nobody</t></text></comment></commentList></comments>';

describe("the comments on the cells of a workbook", () => {
  it("follow the rows of their sheet, with the cell and the author", async () => {
    expect(await linesOf("xlsx", commentedWorkbook({ "xl/comments1.xml": cellComments }))).toEqual([
      "Sums\n",
      "7",
      "\nA1, Ada: too high",
      "B2, tc={1}: [Threaded comment] Why?",
      "C3: nobody",
      "\nRest\n",
    ]);
  });

  it("are there once if they are in a thread", async () => {
    const threads =
      '<ThreadedComments><threadedComment ref="B2" personId="{p}"><text>Why?</text></threadedComment>' +
      '<threadedComment ref="B2" personId="{q}"><text>It rained</text></threadedComment></ThreadedComments>';
    const parts = {
      "xl/comments1.xml": cellComments,
      "xl/threadedComments/one.xml": threads,
      "xl/persons/person.xml": '<personList><person displayName="Zoe" id="{p}"/></personList>',
    };
    expect((await linesOf("xlsx", commentedWorkbook(parts))).slice(2, -1)).toEqual([
      "\nA1, Ada: too high",
      "C3: nobody",
      "B2, Zoe: Why?",
      "B2: It rained",
    ]);
  });
});
