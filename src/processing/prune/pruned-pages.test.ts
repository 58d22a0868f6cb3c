import { describe, expect, it } from "vitest";
import { image, onePage, packed, pruned, saidIn, streamOf } from "../../testing/pruned-pdf.ts";
import { type PdfObject, writePdf } from "../../testing/pdf.ts";
import type { PdfDictionary } from "./pdf-values.ts";

/** A file with this page tree: object 2 and those after it. */
const withTree = (...objects: PdfObject[]): Uint8Array =>
  writePdf(["<< /Type /Catalog /Pages 2 0 R >>", ...objects], "/Root 1 0 R");

const pageNamed = (name: string): string =>
  `<< /Type /Page /MediaBox [0 0 9 9] /Resources << /Note (${name}) >> >>`;

describe("the pages of a rewritten PDF", () => {
  it("are those of all branches of the tree, in order", () => {
    const nested = withTree(
      "<< /Kids [3 0 R (no page) 4 0 R 99 0 R null] >>",
      "<< /Kids [5 0 R 6 0 R] >>",
      pageNamed("third"),
      "<< /Kids [7 0 R] >>",
      pageNamed("second"),
      pageNamed("first"),
    );
    const { pages } = pruned(nested);
    const notes = pages.map((page) => (page.get("Resources") as PdfDictionary | undefined)?.get("Note"));
    expect(notes).toEqual(["(first)", "(second)", "(third)", undefined]);
  });

  it("do not exist if the tree has no leaves or is nested too deeply", () => {
    expect(pruned(withTree("<< /Type /Pages >>")).pages).toEqual([]);
    expect(pruned(withTree("<< /Kids [2 0 R] >>")).pages).toEqual([]);
    expect(pruned(writePdf(["<< /Type /Catalog >>"], "/Root 1 0 R")).pages).toEqual([]);
    expect(pruned(writePdf([], "/Root 1 0 R")).pages).toEqual([]);
    const chain = (length: number): Uint8Array =>
      withTree(...Array.from({ length }, (_, index) => `<< /Kids [${index + 3} 0 R] >>`), pageNamed("deep"));
    expect(pruned(chain(31)).pages).toHaveLength(1);
    expect(pruned(chain(32)).pages).toHaveLength(0);
  });

  it("have only the members that are drawn", () => {
    const boxes =
      "/MediaBox [0 0 9 9] /CropBox [0 0 8 8] /BleedBox [0 0 7 7] /TrimBox [0 0 6 6] /ArtBox [0 0 5 5]";
    const kept = `${boxes} /Rotate 90 /UserUnit 2 /Resources << >> /Contents 4 0 R /Group << /S /Transparency >>`;
    const more = "/AA << >> /B [] /Dur 3 /Trans << >> /Tabs /R /VP [] /Metadata 5 0 R /Annots []";
    const [page] = pruned(
      withTree("<< /Kids [3 0 R] >>", `<< /Type /Page ${kept} ${more} >>`, streamOf("0 g"), streamOf("<x>")),
    ).pages;
    const names = [...kept.matchAll(/\/(\w+) (?=[[<\d])/g)].map(([, name]) => name);
    expect(new Set(page!.keys())).toEqual(new Set(["Type", "Parent", ...names]));
  });

  it.each([
    ["no content", ""],
    ["no content that is there", "/Contents 99 0 R"],
    ["content that is no stream", "/Contents 4 0 R"],
    ["parts that are no streams", "/Contents [(one) 99 0 R null 4 0 R]"],
  ])("show nothing if they have %s", (_name, contents) => {
    const drawing = withTree(
      "<< /Kids [3 0 R] >>",
      `<< /Type /Page ${contents} /Resources << /XObject << /Unseen 5 0 R >> /ProcSet [/PDF] >> >>`,
      "<< /Of (this) /Unseen true >>",
      image("unseen"),
    );
    const { pages, text } = pruned(drawing);
    expect(pages).toHaveLength(1);
    expect(text).toContain("/ProcSet [/PDF]");
    expect(text).not.toContain("(unseen)");
  });

  it("need no resources, and may have their content in parts", () => {
    const { text } = pruned(
      withTree(
        "<< /Kids [3 0 R 4 0 R] >>",
        "<< /Type /Page /Contents [5 0 R] >>",
        "<< /Type /Page /Contents 7 0 R /Resources << /XObject << /One 8 0 R /Two 9 0 R /Three 10 0 R >> >> >>",
        streamOf("/One Do"),
        streamOf("/Two Do"),
        "[5 0 R 6 0 R]",
        image("one"),
        image("two"),
        image("three"),
      ),
    );
    expect(saidIn({ text })).toEqual(["one", "two"]);
  });

  it("are refused in strict mode if it cannot be told what one of them shows", () => {
    const secret = withTree(
      "<< /Kids [3 0 R 4 0 R] >>",
      "<< /Type /Page /Resources << >> >>",
      "<< /Type /Page /Contents 5 0 R /Resources << /XObject << /Any 6 0 R >> >> >>",
      packed(),
      image("anything"),
    );
    const reason = "broken: page 2 is packed in a way that does not tell what it shows";
    expect(() => pruned(secret)).toThrow(expect.objectContaining({ kind: "broken", message: reason }));
    expect(saidIn(pruned(secret, false))).toEqual(["anything"]);
    // The same within a form that uses the resources of the page.
    const inner = onePage(streamOf("/Form Do"), "<< /XObject << /Form 5 0 R /Any 6 0 R >> >>", [
      packed("/Subtype /Form"),
      image("anything"),
    ]);
    expect(() => pruned(inner)).toThrow(/page 1 is packed/);
    expect(saidIn(pruned(inner, false))).toEqual(["anything"]);
  });
});
