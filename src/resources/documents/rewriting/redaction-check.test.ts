import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Box, writeFlatPages } from "../../../processing/pdf/flat-page.ts";
import { type PdfDocument, type PdfReader, openPdfReader } from "../../../processing/pdf/pdf-pages.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { wordsUnder } from "./hidden-words.ts";
import type { ReadPage } from "../pages/page-store.ts";
import { checkRedactedFile } from "./redaction-check.ts";

const { signal } = new AbortController();
const everything: Box = { x1: 0.1, x2: 0.9, y1: 0.05, y2: 0.2 };
const plainPage = (line: string) => ({ width: 612, height: 792, lines: [line] });

describe("the check of a redacted file", () => {
  let folder: string;
  let reader: PdfReader;
  let before: PdfDocument;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-check-"));
    reader = openPdfReader({ timeLimitSeconds: 20, memoryLimitMb: 256 });
    await writeFile(
      path.join(folder, "before.pdf"),
      buildPdf({ pages: [plainPage("Secret Alexandrova"), plainPage("The second page")] }),
    );
    before = await reader.open(path.join(folder, "before.pdf"));
  });
  afterAll(async () => {
    await before.close();
    await reader.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The second page stays, unless it is given. */
  async function check(
    name: string,
    {
      painted = [everything],
      second,
      read = { text: "" },
    }: { painted?: Box[]; second?: string; read?: ReadPage },
  ): Promise<void> {
    const file = (kind: string): string => path.join(folder, `${name}-${kind}.pdf`);
    await writeFlatPages(before, [{ page: 0, boxes: painted }], file("flat"), signal);
    const other = file("other");
    await writeFile(other, buildPdf({ pages: [plainPage(second ?? "The second page")] }));
    const pages = [
      { source: 0, page: 0, quarterTurns: 0 },
      { source: 1, page: 0, quarterTurns: 0 },
    ];
    const sources = [file("flat"), other];
    await reader.assemble({ sources, pages, to: file("made"), strictly: true }, signal);
    await checkAgainst(file("made"), read);
  }

  async function checkAgainst(made: string, read: ReadPage): Promise<void> {
    const hidden = wordsUnder((await before.text(0)).words, [everything]);
    expect(hidden.map(({ text }) => text)).toEqual(["Secret", "Alexandrova"]);
    await using after = await reader.open(made);
    const redacted = [{ page: 0, boxes: [everything], hidden, read }];
    await checkRedactedFile(reader, { before, after, path: made }, redacted, signal);
  }

  it("passes one in which nothing is left", async () => {
    await expect(check("good", {})).resolves.toBeUndefined();
  });

  it("finds text that is still on the page", async () => {
    const made = path.join(folder, "before.pdf");
    await expect(checkAgainst(made, { text: "" })).rejects.toThrow(/page 1 can still be found in the text/);
  });

  it("finds pixels that are not black", async () => {
    const painted = [{ ...everything, x1: 0.3 }];
    await expect(check("pixels", { painted })).rejects.toThrow(/can still be found in its image/);
  });

  it("finds a page that lost what it had", async () => {
    await expect(check("lost", { second: "The page" })).rejects.toThrow(/Page 2.*would not stay as it is/);
  });

  it("finds words that were recognised where they were, and in the text alone", async () => {
    const word = { text: "Alexandrova", upright: true, direction: 1 } as const;
    const words = [{ ...word, x1: 0.2, x2: 0.3, y1: 0.1, y2: 0.11 }];
    const recognised = { engine: "tess4", confidence: 90, layer: "", words };
    await expect(check("place", { read: { text: "", recognised } })).rejects.toThrow(/found where it was/);
    const read = { text: "Alexandrova", recognised: { ...recognised, words: [] } };
    await expect(check("text", { read })).rejects.toThrow(/found in the text of the page/);
    const elsewhere = [{ ...word, x1: 0.2, x2: 0.3, y1: 0.5, y2: 0.51 }];
    const seen = { text: "Alexandrova", recognised: { ...recognised, words: elsewhere } };
    await expect(check("elsewhere", { read: seen })).resolves.toBeUndefined();
  });

  it("never says what it found", async () => {
    const made = path.join(folder, "before.pdf");
    await expect(checkAgainst(made, { text: "" })).rejects.toThrow(/^(?!.*(Secret|Alexandrova))/);
  });
});
