import { describe, expect, it } from "vitest";
import {
  type Pruned,
  form,
  image,
  onePage,
  packed,
  pruned,
  saidIn,
  streamOf,
} from "../../testing/pruned-pdf.ts";
import type { PdfObject } from "../../testing/pdf.ts";

/** One page that draws `/Drawn`, which is object 5. */
const drawing = (...objects: PdfObject[]): Pruned =>
  pruned(onePage(streamOf("/Drawn Do /Drawn Do"), "<< /XObject << /Drawn 5 0 R >> >>", objects));

/** One page with a font that draws its glyphs, of which one cannot be decoded. */
const withGlyphs = (resources: string): Uint8Array =>
  onePage(streamOf("/F 9 Tf"), "<< /Font << /F 5 0 R >> >>", [
    `<< /Type /Font /Subtype /Type3 /CharProcs << /P 6 0 R /B 7 0 R >> ${resources} >>`,
    packed(),
    form("glyph"),
    image("drawn"),
  ]);

describe("a PDF rewritten from its pages", () => {
  it("contains what its pages draw under any name, and nothing else", () => {
    const { text } = pruned(
      onePage(
        streamOf("/P Do /B Do /Thumb Do /A#20B Do"),
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

  it("has no linked pages, forms, attached files or parents of annotations", () => {
    const { text, pages } = pruned(
      onePage(
        streamOf("0 g"),
        "<< >>",
        [
          "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [6 0 R /Fit] /P 3 0 R /Popup 9 0 R >>",
          "<< /MediaBox [0 0 9 9] /Contents 7 0 R /Resources << >> >>",
          streamOf("(another page) Tj"),
          "<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /EF << /F 7 0 R >> >> >>",
          "<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] /Contents (popped up) >>",
          "<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /V (filled in) /Parent 9 0 R >>",
        ],
        "/Annots [5 0 R 8 0 R 9 0 R 10 0 R (no annotation) 99 0 R << /Rect [0 0 9 9] >>]",
      ),
    );
    expect(pages.map((page) => page.get("Annots"))).toEqual([[{ object: expect.any(Number) }]]);
    expect(text).toContain("/Subtype /Link");
    expect(text).not.toMatch(/another page|popped up|filled in|FileAttachment|no annotation/);
  });

  it("keeps the glyphs that are drawn and drops those that are not", () => {
    const found = pruned(
      onePage(streamOf("/F 9 Tf (a) Tj"), "<< /Font << /F 5 0 R >> >>", [
        "<< /Type /Font /Subtype /Type3 /CharProcs 6 0 R /Resources << /XObject << /I 8 0 R /J 9 0 R >> >> >>",
        "<< /P 7 0 R /B 7 0 R >>",
        streamOf("/I Do"),
        image("drawn"),
        image("hidden"),
      ]),
    );
    expect(found.text).toMatch(/\/P \d+ 0 R \/B \d+ 0 R/);
    expect(saidIn(found)).toEqual(["a", "drawn"]);
  });

  it("keeps what any glyph may draw if one of them cannot be decoded", () => {
    expect(saidIn(pruned(withGlyphs("/Resources << /XObject << /I 8 0 R >> >>")))).toEqual([
      "drawn",
      "glyph",
    ]);
    expect(saidIn(pruned(withGlyphs("")))).toEqual(["glyph"]);
  });

  it.each([
    ["hexadecimal", Buffer.from(`${Buffer.from("/Seen Do").toString("hex")}>`), "/ASCIIHexDecode"],
    ["base 85", Buffer.from("02lFnDBM>c~>"), "/ASCII85Decode"],
  ])("decodes streams packed as %s", (_name, content, filter) => {
    const packedPage = onePage(
      streamOf(content, `/Filter ${filter}`),
      "<< /XObject << /Seen 5 0 R /Unseen 6 0 R >> >>",
      [image("to be seen"), image("not for you")],
    );
    expect(saidIn(pruned(packedPage))).toEqual(["to be seen"]);
  });

  it("draws each layer where it was drawn, and names none", () => {
    const { text } = pruned(
      onePage(streamOf("/OC /A BDC EMC /OC /B BDC EMC"), "<< /Properties << /A 5 0 R /B 6 0 R >> >>", [
        "<< /Type /OCG /Name (shown) /Usage << >> >>",
        "<< /Type /OCG /Name (not shown) /QuireHidden true >>",
      ]),
    );
    expect(text.match(/\/Type \/OCG \/Name \(Layer\)/g)).toHaveLength(2);
    const [, a, b] = /\/A (\d+) 0 R \/B (\d+) 0 R/.exec(text) ?? [];
    const [, all, off] = /\/OCGs \[([^\]]*)\] \/D << \/BaseState \/ON \/OFF \[([^\]]*)\]/.exec(text) ?? [];
    expect(new Set(all?.match(/\d+(?= 0 R)/g))).toEqual(new Set([a, b]));
    expect(off).toBe(`${b} 0 R`);
    expect(pruned(onePage(streamOf("0 g"), "<< >>")).text).not.toContain("OCProperties");
  });
});

describe("the objects of a rewritten PDF", () => {
  it("are copied once, whatever refers to them, and only if something does", () => {
    const found = drawing(
      form("form", "", "/One 6 0 R /Two 6 0 R /Three [6 0 R 7 0 R] /Four 99 0 R /Five 9 0 R"),
      "[(array) 6 0 R 8 0 R]",
      "<< /In (dictionary) >>",
      "(text)",
      "12",
      "<< /Nobody (refers to this) >>",
    );
    expect(saidIn(found)).toEqual(["array", "dictionary", "form", "text"]);
    expect(found.text).toMatch(/\d+ 0 obj\nnull\nendobj/);
    expect(found.text).toMatch(/\d+ 0 obj\n12\nendobj/);
    expect(found.text.match(/<< \/Length \d+ [^>]*Length/)).toBeNull();
  });

  it.each([
    ["the catalog", "<< /Type /Catalog /Lang (secret) >>"],
    ["a page", "<< /Type /Page /Lang (secret) >>"],
    ["a tree of pages", "<< /Type /Pages /Lang (secret) >>"],
    ["a page without a type", "<< /MediaBox [0 0 9 9] /Lang (secret) >>"],
    ["a tree without a type", "<< /Kids [] /Lang (secret) >>"],
    ["what has content", "<< /Contents (secret) >>"],
  ])("do not include %s that a link leads to", (_name, linked) => {
    const found = drawing(form("form", "", "/Dest [6 0 R]"), linked);
    expect(saidIn(found)).toEqual(["form"]);
    expect(found.text).toMatch(/\d+ 0 obj\nnull\nendobj/);
  });

  it.each([
    ["an annotation with a text", "<< /Subtype /Text /Contents (kept) >>"],
    ["a dictionary of its own kind", "<< /Type /Other /Any (kept) >>"],
    ["a dictionary without a kind", "<< /Any (kept) >>"],
    ["a member with the name that an annotation has for its page", "<< /Rect [0 0 9 9] /P (kept) >>"],
    ["such a member of what has only a kind", "<< /Subtype /Other /P (kept) >>"],
  ])("include %s", (_name, linked) => {
    expect(saidIn(drawing(form("form", "", "/Dest [6 0 R]"), linked))).toEqual(["form", "kept"]);
  });

  it("do not have members that refer to other objects, unless the file chose the names", () => {
    const names =
      "StructParent StructParents Metadata PieceInfo LastModified Thumb Alternates OPI EF RF".split(" ");
    const members = names.map((name) => `/${name} (${name})`).join(" ");
    expect(saidIn(drawing(form("form", "", members)))).toEqual(["form"]);
    for (const kind of "Font XObject ExtGState ColorSpace Pattern Shading Properties CharProcs N D R".split(
      " ",
    ))
      expect(saidIn(drawing(form("form", "", `/${kind} << ${members} >>`)))).toEqual(
        ["form", ...names].toSorted(),
      );
    expect(saidIn(drawing(form("form", "", `/Other << ${members} >>`)))).toEqual(["form"]);
  });

  it("use the resources of their own that they draw", () => {
    const own = "/Resources << /XObject << /Inner 6 0 R /Other 7 0 R >> /Font 8 0 R >>";
    const shown = drawing(form("form", "/Inner Do", own), image("inner"), image("other"), "<< /F (font) >>");
    expect(saidIn(shown)).toEqual(["form", "inner"]);
    const unknown = drawing(
      packed(`/Subtype /Form ${own}`),
      image("inner"),
      image("other"),
      "<< /F (font) >>",
    );
    expect(saidIn(unknown)).toEqual(["font", "inner", "other"]);
  });

  it("that draw one another are followed once, and those with own resources not at all", () => {
    const found = pruned(
      onePage(
        streamOf("/A Do /I Do"),
        "<< /XObject << /A 5 0 R /B 6 0 R /C 7 0 R /D 8 0 R /E 9 0 R /I 10 0 R >> >>",
        [
          form("a", "/B Do"),
          form("b", "/A Do /C Do"),
          form("c", "/D Do", "/Resources << /XObject << /D 8 0 R >> >>"),
          streamOf("(d)", "/Subtype /Image /MediaBox [0 0 9 9]"),
          image("e"),
          streamOf("(image) /E Do", "/Subtype /Image"),
        ],
      ),
    );
    expect(saidIn(found)).toEqual(["a", "b", "c", "d", "image"]);
    // As a name of the page itself, D is not drawn: only the form C has it.
    expect(found.text.match(/\/D \d+ 0 R/g)).toHaveLength(1);
  });
});
