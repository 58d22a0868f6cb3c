import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PdfObject, writePdf } from "../../testing/pdf.ts";
import { findInPdf } from "./find-in-pdf.ts";
import { prunePdf } from "./prune-pdf.ts";

const stream = (content: string | Buffer, dictionary = ""): PdfObject => ({
  dictionary: `${dictionary} /Length ${content.length}`,
  stream: Buffer.from(content),
});

/** A document with one page, which has this content and these resources. */
const onePage = (content: PdfObject, resources: string, more: PdfObject[] = [], page = ""): Uint8Array =>
  writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R /Names << /Private (catalogue) >> >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources ${resources} ${page} >>`,
      content,
      ...more,
    ],
    "/Root 1 0 R",
  );

describe("a PDF rewritten from its pages", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-prune-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  let count = 0;
  async function pruned(pdf: Uint8Array, strictly = true): Promise<{ text: string; file: string }> {
    const from = path.join(folder, `${(count += 1)}.pdf`);
    await writeFile(from, pdf);
    prunePdf(from, `${from}.pruned`, { strictly });
    return { text: (await readFile(`${from}.pruned`)).toString("latin1"), file: `${from}.pruned` };
  }

  it("contains what its pages draw under any name, and nothing else", async () => {
    const form = (text: string, more = ""): PdfObject =>
      stream(`(${text}) Tj ${more}`, "/Type /XObject /Subtype /Form /BBox [0 0 1 1]");
    const { text } = await pruned(
      onePage(
        stream("/P Do /B Do /Thumb Do /A#20B Do"),
        "<< /XObject << /P 5 0 R /B 6 0 R /Thumb 7 0 R /A#20B 8 0 R /Inner 9 0 R /Unseen 10 0 R >> >>",
        [
          form("called P"),
          form("called B"),
          form("called Thumb"),
          form("called A B", "/Inner Do"),
          form("within"),
          form("unseen"),
        ],
        "/PieceInfo << /Private (program) >> /Metadata 10 0 R",
      ),
    );
    for (const name of ["P", "B", "Thumb", "A B"]) expect(text).toContain(`(called ${name})`);
    expect(text).toContain("(within)");
    expect(text).not.toMatch(/unseen|program|catalogue/i);
  });

  it("has no linked pages, forms, attached files or parents of annotations", async () => {
    const { text } = await pruned(
      onePage(
        stream("0 g"),
        "<< >>",
        [
          "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [6 0 R /Fit] /P 3 0 R /Popup 9 0 R >>",
          "<< /MediaBox [0 0 9 9] /Contents 7 0 R /Resources << >> >>",
          stream("(another page) Tj"),
          "<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /EF << /F 7 0 R >> >> >>",
          "<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] /Contents (popped up) >>",
          "<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /V (filled in) /Parent 9 0 R >>",
        ],
        "/Annots [5 0 R 8 0 R 9 0 R 10 0 R]",
      ),
    );
    expect(text).toContain("/Subtype /Link");
    expect(text).not.toMatch(/another page|popped up|filled in|FileAttachment/);
  });

  it("keeps the glyphs that are drawn and drops those that are not", async () => {
    const image = (text: string): PdfObject => stream(text, "/Type /XObject /Subtype /Image");
    const { text } = await pruned(
      onePage(stream("/F 9 Tf (a) Tj"), "<< /Font << /F 5 0 R >> >>", [
        "<< /Type /Font /Subtype /Type3 /CharProcs 6 0 R /Resources << /XObject << /I 8 0 R /J 9 0 R >> >> >>",
        "<< /P 7 0 R /B 7 0 R >>",
        stream("/I Do"),
        image("drawn"),
        image("hidden"),
      ]),
    );
    expect(text).toMatch(/\/P \d+ 0 R \/B \d+ 0 R/);
    expect(text).toContain("drawn");
    expect(text).not.toContain("hidden");
  });

  it.each([
    ["hexadecimal", Buffer.from(`${Buffer.from("/Seen Do").toString("hex")}>`), "/ASCIIHexDecode"],
    ["base 85", Buffer.from("02lFnDBM>c~>"), "/ASCII85Decode"],
  ])("decodes streams packed as %s", async (_name, content, filter) => {
    const unpacked = await pruned(
      onePage(stream(content, `/Filter ${filter}`), "<< /XObject << /Seen 5 0 R /Unseen 6 0 R >> >>", [
        stream("to be seen", "/Subtype /Image"),
        stream("not for you", "/Subtype /Image"),
      ]),
    );
    expect([unpacked.text.includes("to be seen"), unpacked.text.includes("not for you")]).toEqual([
      true,
      false,
    ]);
  });

  it("decodes LZW with codes of growing length", async () => {
    // The example in the specification of the format.
    const packed = Buffer.from("800b6050220c0c8501", "hex");
    const file = path.join(folder, "lzw.pdf");
    await writeFile(file, onePage(stream(""), "<< >>", [stream(packed, "/Filter /LZWDecode")]));
    expect(findInPdf(file, ["-----A---B", "-----B"])).toEqual(["-----A---B"]);
  });

  it("is refused in strict mode if it cannot tell what a page shows", async () => {
    const secret = onePage(stream("?", "/Filter /Crypt"), "<< /XObject << /Any 5 0 R >> >>", [
      stream("anything", "/Subtype /Image"),
    ]);
    await expect(pruned(secret)).rejects.toThrow(/page 1 is packed in a way/);
    expect((await pruned(secret, false)).text).toContain("anything");
  });
});

describe("searching the bytes of a PDF for words", () => {
  it("finds them in every encoding", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "quire-find-"));
    const file = path.join(folder, "any.pdf");
    const wide = Buffer.from("\ufeffwide", "utf16le").swap16().toString("hex");
    await writeFile(
      file,
      onePage(
        stream("[(ker) -20 (ned)] TJ <6865786564> Tj (esc\\141ped) Tj"),
        "<< >>",
        [stream("pixels", "/Subtype /Image")],
        `/A << /T <${wide}> /S /Nickname /U (plain) >>`,
      ),
    );
    const sought = ["kerned", "hexed", "escaped", "wide", "Nickname", "plain", "pixels", "missing"];
    expect(findInPdf(file, sought)).toEqual(sought.slice(0, 6));
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    { sought: "Mary", staying: "summary", note: "ask Mary", drawn: "A summary", isFound: true },
    { sought: "Smith", staying: "Smithson", note: "ask Smithson", drawn: "by) Tj (Smithson", isFound: false },
    { sought: "Smith", staying: "Smithson", note: "ask Smith", drawn: "Smithson", isFound: true },
    { sought: "Smith", staying: "Smithson", note: "Smithson, Smith", drawn: "", isFound: true },
    {
      sought: "Alexandrova",
      staying: "of",
      note: "",
      drawn: "Alexandrova \\(no\\) of (the) town",
      isFound: true,
    },
    { sought: "town", staying: "of", note: "", drawn: "Alexandrova (a (b) \\) c) of town", isFound: true },
    { sought: "太郎", staying: "次郎", note: "太郎", drawn: "", isFound: true },
  ])("finds $sought beside $staying, in '$note' and '$drawn': $isFound", async (one) => {
    const folder = await mkdtemp(path.join(tmpdir(), "quire-find-"));
    const file = path.join(folder, "any.pdf");
    const note = Buffer.from(`\ufeff${one.note}`, "utf16le").swap16().toString("hex");
    await writeFile(
      file,
      onePage(stream(`(${one.drawn}) Tj`), "<< >>", [], `/Annots [<< /Contents <${note}> >>]`),
    );
    expect(findInPdf(file, [one.sought], [one.staying])).toEqual(one.isFound ? [one.sought] : []);
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    { content: "/Span << /ActualText (by Xi) >> BDC EMC", isFound: true },
    { content: "/Span << /E <FEFF00580069> >> BDC EMC", isFound: true },
    { content: "(a, Xi, b) /Span pop", isFound: true },
    { content: "BT [(a) 3 (Xi)] pop ET", isFound: true },
    { content: "/Xi BMC EMC", isFound: true },
    { content: "/OC /X#69 BDC EMC", isFound: true },
    { content: "/Span << /Xi_of (x) >> DP", isFound: true },
    { content: "/Span << /Lang /Xi >> % a comment\nBDC EMC", isFound: true },
    { content: "BI /W 9 /H 1 /BPC 8 /CS /G ID (Xi) (ode EI /Xi BMC EMC", isFound: true },
    { content: "BI /W 9 /H 1 /BPC 8 /CS /G ID (Xi) (ode EI", isFound: false },
    { content: "/Span << /ActualText (Taxi) >> BDC EMC", isFound: false },
    { content: "/Taxi /MC0 BDC EMC /Xi gs", isFound: false },
    { content: "BT (a Xi) Tj [(Xi) -20 (Xi)] TJ (Xi) ' 1 2 (Xi) \" <5869> Tj ET", isFound: false },
  ])("finds a word of two letters in $content: $isFound", async ({ content, isFound }) => {
    const folder = await mkdtemp(path.join(tmpdir(), "quire-find-"));
    const file = path.join(folder, "any.pdf");
    await writeFile(file, onePage(stream(content), "<< /ExtGState << /Xi << >> >> >>"));
    expect(findInPdf(file, ["Xi", "EMC", "MC"])).toEqual(isFound ? ["Xi"] : []);
    expect(findInPdf(file, ["Xi"], ["xi"])).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  });

  it("finds the names of lists of properties, but not those that programs write", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "quire-find-"));
    const file = path.join(folder, "any.pdf");
    await writeFile(
      file,
      onePage(stream("0 g"), "<< /Properties << /Xi << >> /MC1 << >> >> /Font << /Ada << >> >> >>"),
    );
    expect(findInPdf(file, ["Xi", "MC1", "Ada"])).toEqual(["Xi"]);
    await rm(folder, { recursive: true, force: true });
  });

  it("ignores names that the format defines, and glyph names", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "quire-find-"));
    const file = path.join(folder, "any.pdf");
    await writeFile(
      file,
      onePage(
        stream("/Span <</ActualText (spoken)>> BDC BT /F1 1234 Tf (shown) Tj ET EMC"),
        "<< /Font << /F1 5 0 R >> /XObject << /Image12 7 0 R >> >>",
        [
          "<< /Type /Font /BaseFont /Georgia /ToUnicode 6 0 R /Widths [4321] >>",
          stream("/CIDInit /ProcSet findresource begin 1 begincodespacerange"),
          stream("pixels", "/Subtype /Image /Width 2000"),
          stream("an attachment of 5678 words", "/Type /EmbeddedFile"),
        ],
        "/AS /Female /V (5000)",
      ),
    );
    const said = ["spoken", "shown", "attachment", "5678", "Female", "5000"];
    const format = ["Page", "Type", "Span", "1234", "Image", "Georgia", "4321", "range", "Width", "2000"];
    expect(findInPdf(file, [...said, ...format])).toEqual(said);
    await rm(folder, { recursive: true, force: true });
  });
});
