import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { type PdfObject, buildPdf, writePdf } from "../../../testing/pdf.ts";
import { sendAs } from "../../../testing/requests.ts";
import { useApp } from "../../../testing/test-app.ts";

/** Three pages, and these objects from number 10 on, of which the first is the outline. */
function withOutline(objects: readonly string[]): Uint8Array {
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>";
  const all: PdfObject[] = [
    "<< /Type /Catalog /Pages 2 0 R /Outlines 10 0 R /Dests << /there [5 0 R /Fit] >> >>",
    "<< /Type /Pages /Count 3 /Kids [3 0 R 4 0 R 5 0 R] >>",
    page,
    page,
    page,
    "null",
    "null",
    "null",
    "null",
    ...objects,
  ];
  return writePdf(all, "/Root 1 0 R");
}

const utf16 = (text: string): string => `<feff${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;

describe("the outline of a document", () => {
  const app = useApp("sqlite");
  const owner = app.person("owner", { organizations: [1] });

  async function documentOf(pdf: Uint8Array | null, row: { access?: string } = {}): Promise<string> {
    const shown = { page_count: 3, slug: "a", user_id: owner.id, file_hash: "abc", ...row };
    const [id = 0] = await addDocuments(app.context, [shown]);
    if (pdf !== null) await app.context.files.put(`documents/${id}/a.pdf`, Readable.from([pdf]));
    return `/api/documents/${id}/outline/`;
  }
  const outlineOf = async (pdf: Uint8Array | null): Promise<unknown[]> => {
    const { status, body } = await sendAs(app, null, "GET", await documentOf(pdf));
    expect(status).toBe(200);
    return body.results.map(({ title, page_number, level }: Record<string, unknown>) => [
      level,
      title,
      page_number,
    ]);
  };

  it("has the entries of the PDF with their pages and levels, in the order of reading", async () => {
    const pdf = withOutline([
      "<< /Type /Outlines /First 11 0 R /Last 14 0 R >>",
      "<< /Title (Part\\n one) /Parent 10 0 R /Next 14 0 R /First 12 0 R /Last 13 0 R /Dest [3 0 R /Fit] >>",
      `<< /Title ${utf16("Größe 🐚")} /Parent 11 0 R /Next 13 0 R /A << /S /GoTo /D [4 0 R /XYZ 0 700 0] >> >>`,
      "<< /Title (Elsewhere) /Parent 11 0 R /A << /S /URI /URI (https://example.org/) >> >>",
      "<< /Title (Part two) /Parent 10 0 R /Dest /there >>",
    ]);
    expect(await outlineOf(pdf)).toEqual([
      [0, "Part one", 0],
      [1, "Größe 🐚", 1],
      [1, "Elsewhere", null],
      [0, "Part two", 2],
    ]);
  });

  it("is finite and limited, whatever the file claims", async () => {
    const circle = withOutline([
      "<< /Type /Outlines /First 11 0 R >>",
      "<< /Title (a) /Next 12 0 R /First 11 0 R /Dest [3 0 R /Fit] >>",
      "<< /Title (b) /Next 11 0 R /First 10 0 R >>",
    ]);
    expect((await outlineOf(circle)).slice(0, 2)).toEqual([
      [0, "a", 0],
      [0, "b", null],
    ]);
    const deep = withOutline([
      "<< /Type /Outlines /First 11 0 R >>",
      ...Array.from({ length: 100 }, (_, index) => `<< /Title (${index}) /First ${12 + index} 0 R >>`),
      "null",
    ]);
    expect(await outlineOf(deep)).toHaveLength(32);
    const wide = withOutline([
      "<< /Type /Outlines /First 11 0 R >>",
      ...Array.from({ length: 6000 }, (_, index) => `<< /Title (${index}) /Next ${12 + index} 0 R >>`),
      "null",
    ]);
    expect(await outlineOf(wide)).toHaveLength(5000);
    const long = withOutline(["<< /First 11 0 R >>", `<< /Title (${"a".repeat(5000)}) >>`]);
    expect(await outlineOf(long)).toEqual([[0, "a".repeat(500), null]]);
  });

  it("is empty for a PDF without one, a file that cannot be read, and no file", async () => {
    expect(await outlineOf(buildPdf({ pages: [{ width: 600, height: 800 }] }))).toEqual([]);
    expect(await outlineOf(Buffer.from("not a PDF"))).toEqual([]);
    expect(await outlineOf(null)).toEqual([]);
  });

  it("is visible to those who may see the document, and returns the same 404 to all others", async () => {
    const hidden = await documentOf(withOutline(["<< /First 11 0 R >>", "<< /Title (Secret) >>"]), {
      access: "private",
    });
    const missing = await sendAs(app, null, "GET", "/api/documents/999999/outline/");
    const refused = await sendAs(app, null, "GET", hidden);
    expect([refused.status, refused.body]).toEqual([404, missing.body]);
    const { status, body } = await sendAs(app, owner, "GET", hidden);
    expect([status, body.results]).toEqual([200, [{ title: "Secret", page_number: null, level: 0 }]]);
    expect((await sendAs(app, owner, "POST", hidden, {})).status).toBe(405);
  });
});
