import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPdf } from "../../testing/pdf.ts";
import { type PdfReader, openPdfReader } from "./pdf-pages.ts";
import { useFolder } from "../../testing/use-folder.ts";

const folder = useFolder("stamps");
let reader: PdfReader;
beforeAll(() => {
  reader = openPdfReader({ timeLimitSeconds: 60, memoryLimitMb: 256 });
});
afterAll(() => reader.close());

const image = (width: number, height: number): string =>
  `q ${width} 0 0 ${height} 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x7f EI Q`;
const text = (words: string, mode = 0): string => `BT /F1 9 Tf ${mode} Tr 20 780 Td (${words}) Tj ET`;

const stamp = text("Case 4:08-cv-02214   Document 27   Page 1 of 2");
const scan = image(600, 800);

describe("a page of an image with a text", () => {
  it.each([
    ["a stamp on a scan", [scan, stamp], "stamp"],
    [
      "a stamp on a scan in two strips",
      [image(600, 400), "1 0 0 1 0 400 cm", image(600, 400), stamp],
      "stamp",
    ],
    ["a text on a scan", [scan, text("Every word of this page stands here. ".repeat(20))], "good"],
    ["a scan with invisible recognised words", [scan, text("Title page", 3)], "good"],
    ["a scan over its recognised words", [text("Title page"), scan], "good"],
    ["a scan with recognised words and a stamp", [scan, text("Title page", 3), stamp], "good"],
    ["a text beside a picture", [image(600, 500), stamp], "good"],
  ])("has the quality of %s", async (name, drawing, quality) => {
    const file = path.join(folder, `${name}.pdf`);
    await writeFile(file, buildPdf({ pages: [{ width: 600, height: 800, drawing: drawing.join("\n") }] }));
    await using pdf = await reader.open(file);
    expect((await pdf.plainText(0)).quality).toBe(quality);
    expect((await pdf.text(0)).quality).toBe(quality);
  });
});
