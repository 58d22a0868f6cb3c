import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { onePage, streamOf } from "../../testing/pruned-pdf.ts";
import { findInPdf } from "./find-in-pdf.ts";

describe("searching the bytes of a PDF for words", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "quire-find-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "any.pdf");
  const write = (pdf: Uint8Array): void => writeFileSync(file, pdf);

  it("finds them in every encoding", () => {
    const wide = Buffer.from("\ufeffwide", "utf16le").swap16().toString("hex");
    write(
      onePage(
        streamOf("[(ker) -20 (ned)] TJ <6865786564> Tj (esc\\141ped) Tj"),
        "<< >>",
        [streamOf("pixels", "/Subtype /Image")],
        `/A << /T <${wide}> /S /Nickname /U (plain) >>`,
      ),
    );
    const sought = ["kerned", "hexed", "escaped", "wide", "Nickname", "plain", "pixels", "missing"];
    expect(findInPdf(file, sought)).toEqual(sought.slice(0, 6));
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
  ])("finds $sought beside $staying, in '$note' and '$drawn': $isFound", (one) => {
    const note = Buffer.from(`\ufeff${one.note}`, "utf16le").swap16().toString("hex");
    write(onePage(streamOf(`(${one.drawn}) Tj`), "<< >>", [], `/Annots [<< /Contents <${note}> >>]`));
    expect(findInPdf(file, [one.sought], [one.staying])).toEqual(one.isFound ? [one.sought] : []);
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
  ])("finds a word of two letters in $content: $isFound", ({ content, isFound }) => {
    write(onePage(streamOf(content), "<< /ExtGState << /Xi << >> >> >>"));
    expect(findInPdf(file, ["Xi", "EMC", "MC"])).toEqual(isFound ? ["Xi"] : []);
    expect(findInPdf(file, ["Xi"], ["xi"])).toEqual([]);
  });

  it("finds the names of lists of properties, but not those that programs write", () => {
    write(onePage(streamOf("0 g"), "<< /Properties << /Xi << >> /MC1 << >> >> /Font << /Ada << >> >> >>"));
    expect(findInPdf(file, ["Xi", "MC1", "Ada"])).toEqual(["Xi"]);
  });

  it("ignores names that the format defines, and glyph names", () => {
    write(
      onePage(
        streamOf("/Span <</ActualText (spoken)>> BDC BT /F1 1234 Tf (shown) Tj ET EMC"),
        "<< /Font << /F1 5 0 R >> /XObject << /Image12 7 0 R >> >>",
        [
          "<< /Type /Font /BaseFont /Georgia /ToUnicode 6 0 R /Widths [4321] >>",
          streamOf("/CIDInit /ProcSet findresource begin 1 begincodespacerange"),
          streamOf("pixels", "/Subtype /Image /Width 2000"),
          streamOf("an attachment of 5678 words", "/Type /EmbeddedFile"),
        ],
        "/AS /Female /V (5000)",
      ),
    );
    const said = ["spoken", "shown", "attachment", "5678", "Female", "5000"];
    const format = ["Page", "Type", "Span", "1234", "Image", "Georgia", "4321", "range", "Width", "2000"];
    expect(findInPdf(file, [...said, ...format])).toEqual(said);
  });

  it("decodes LZW with codes of growing length", () => {
    // The example in the specification of the format.
    const packed = Buffer.from("800b6050220c0c8501", "hex");
    write(onePage(streamOf(""), "<< >>", [streamOf(packed, "/Filter /LZWDecode")]));
    expect(findInPdf(file, ["-----A---B", "-----B"])).toEqual(["-----A---B"]);
  });
});
