import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PdfObject, writePdf } from "../../testing/pdf.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { type PdfReader, openPdfReader } from "../pdf/pdf-pages.ts";

const { signal } = new AbortController();

const stream = (text: string, dictionary = ""): PdfObject => ({ dictionary, stream: Buffer.from(text) });

const square = (x: number): string => `0 0 0 rg ${x} 40 40 40 re f`;

/** Two pages with the same four layers: content, a form, an image's place, and a layer that depends on the first. */
function layeredPdf(settings: string, usage: string): Uint8Array {
  const content = `/OC /A BDC ${square(10)} EMC /OC /B BDC ${square(60)} EMC /Form Do /OC /M BDC ${square(160)} EMC`;
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 220 120] /Contents 5 0 R /Resources 6 0 R >>";
  return writePdf(
    [
      `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [7 0 R 8 0 R 9 0 R] ${settings} >> >>`,
      "<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >>",
      page,
      page,
      stream(content),
      "<< /Properties << /A 7 0 R /B 8 0 R /M << /Type /OCMD /OCGs [7 0 R] /P /AllOff >> >> /XObject << /Form 10 0 R >> >>",
      `<< /Type /OCG /Name (Alexandrova) ${usage} >>`,
      "<< /Type /OCG /Name (B) >>",
      "<< /Type /OCG /Name (C) >>",
      stream(square(110), "/Type /XObject /Subtype /Form /BBox [0 0 220 120] /OC 9 0 R"),
    ],
    "/Root 1 0 R",
  );
}

const viewState = (state: string): string => `/Usage << /View << /ViewState /${state} >> >>`;

describe("the layers of a rewritten PDF", () => {
  const folder = useFolder("layers");
  let reader: PdfReader;
  beforeAll(async () => {
    reader = openPdfReader({ timeLimitSeconds: 20, memoryLimitMb: 256 });
  });
  afterAll(() => reader.close());

  it.each([
    ["all on", "/D << >>", ""],
    ["one off", "/D << /OFF [7 0 R] >>", ""],
    ["two off, one within a form", "/D << /OFF [8 0 R 9 0 R] >>", ""],
    ["all but one off", "/D << /BaseState /OFF /ON [8 0 R] >>", ""],
    ["one off by its own account", "/D << >>", viewState("OFF")],
    [
      "one on by its own account",
      "/D << /OFF [7 0 R] /AS [<< /Event /View /OCGs [7 0 R] >>] >>",
      viewState("ON"),
    ],
    ["one off that is not for viewing", "/D << /OFF [7 0 R] >>", "/Intent /Design"],
  ])("show and hide the same content as before: %s", async (name, settings, usage) => {
    const from = path.join(folder, `${name}.pdf`);
    const to = path.join(folder, `${name}-new.pdf`);
    await writeFile(from, layeredPdf(settings, usage));
    const pages = [0, 1, 0].map((page, index) => ({ source: index % 2, page, quarterTurns: 0 }));
    await reader.assemble({ sources: [from, from], pages, to, strictly: true }, signal);
    await using before = await reader.open(from);
    await using after = await reader.open(to);
    const image = await before.image(0, 220);
    for (let page = 0; page < pages.length; page++) {
      expect(Buffer.from(await after.image(page, 220)).equals(Buffer.from(image))).toBe(true);
    }
    expect((await readFile(to)).toString("latin1")).not.toMatch(/Alexandrova|QuireHidden|Usage/);
  });
});
