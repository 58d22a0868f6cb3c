import { open, writeFile } from "node:fs/promises";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hangingPdf } from "../../testing/hostile-pdfs.ts";
import { buildBrokenPdf, buildPdf, type PdfObject, writePdf } from "../../testing/pdf.ts";
import { useFolder } from "../../testing/use-folder.ts";

import { formatPageSpec, maxPages } from "../page-spec.ts";
import { type PdfLimits, openPdfInspector, type PdfInspector } from "./pdf.ts";

const letter = { width: 612, height: 792 };
const limits = { timeLimitSeconds: 30, memoryLimitMb: 128 };

const folder = useFolder("pdf");
let inspector: PdfInspector;

beforeAll(async () => {
  inspector = openPdfInspector(limits);
});

afterAll(() => inspector.close());

async function fileOf(bytes: Uint8Array | string): Promise<string> {
  const file = path.join(folder, "a file.pdf");
  await writeFile(file, bytes);
  return file;
}

async function inspectedWithin(given: Partial<PdfLimits>, file: string): Promise<unknown> {
  const own = openPdfInspector({ ...limits, ...given });
  try {
    return await own.inspect(file);
  } finally {
    await own.close();
  }
}

/** A file whose page tree is these objects: they are numbered from 2, and the first is the root of the tree. */
function withPageTree(...objects: PdfObject[]): Promise<string> {
  return fileOf(writePdf(["<< /Type /Catalog /Pages 2 0 R >>", ...objects], "/Root 1 0 R"));
}

const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>";

/** A stream that makes a file as large as one with this many pages can be. */
const weightFor = (pages: number): PdfObject => ({ dictionary: "", stream: Buffer.alloc(pages, " ") });

/** A file that takes seconds: its pages are the same one, many times over. */
const slowFile = (): Promise<string> => fileOf(hangingPdf());

describe("the facts of a PDF", () => {
  it("are its pages and their sizes in points", async () => {
    const file = await fileOf(buildPdf({ pages: [letter, { width: 595.28, height: 841.89 }, letter] }));
    expect(await inspector.inspect(file)).toEqual({
      pageCount: 3,
      pageSizes: [
        { width: "612.00", height: "792.00" },
        { width: "595.28", height: "841.89" },
        { width: "612.00", height: "792.00" },
      ],
    });
  });

  it("have each page as it is shown: rotated and clipped to its crop box", async () => {
    const cropped =
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /CropBox [10 20 110 220] /Rotate 270 >>";
    const file = await withPageTree(
      "<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /Rotate 90 >>",
      page,
      cropped,
    );
    const { pageSizes } = await inspector.inspect(file);
    expect(pageSizes).toEqual([
      { width: "792.00", height: "612.00" },
      { width: "200.00", height: "100.00" },
    ]);
  });

  it("are found in a file much larger than the memory limit", async () => {
    const pdf = Buffer.from(buildPdf({ pages: [letter] }));
    const end = pdf.subarray(pdf.lastIndexOf("startxref"));
    const file = await fileOf(pdf);
    const handle = await open(file, "r+");
    await handle.write(end, 0, end.length, 400_000_000);
    await handle.close();
    expect(await inspector.inspect(file)).toMatchObject({ pageCount: 1 });
  });

  it("are found despite extra bytes before the header and after the end", async () => {
    const pdf = buildPdf({ pages: [letter], title: "Grüße" });
    const file = await fileOf(Buffer.concat([Buffer.alloc(500, "x"), pdf, Buffer.alloc(20_000)]));
    expect(await inspector.inspect(file)).toMatchObject({ pageCount: 1 });
  });
});

describe("the samples", () => {
  it.each([
    ["Annual report of the harbour office 2024.pdf", "595.28x841.89:0-7"],
    ["Letter from the lighthouse keeper, 3 February 1931.pdf", "595.28x841.89:0"],
    ["Notice of winter opening hours.pdf", "595.28x841.89:0"],
    ["Proposal for the market square, with a plan.pdf", "612.00x792.00:0-1;792.00x612.00:2"],
    ["Protokoll der Ratssitzung vom 12. März 2024.pdf", "595.28x841.89:0-1"],
  ])("have the expected pages: %s", async (name, pageSpec) => {
    const samples = path.join(import.meta.dirname, "..", "..", "..", "samples");
    const { pageSizes } = await inspector.inspect(path.join(samples, name));
    expect(formatPageSpec(pageSizes)).toBe(pageSpec);
  });
});

describe("a file that cannot be read", () => {
  it.each([
    ["text", "Only text.", "not-a-pdf", "not a PDF"],
    ["a header alone", "%PDF-1.7\n", "broken", "broken: its structure cannot be made out"],
    ["rubble after the header", buildBrokenPdf(), "broken", "broken: its structure cannot be made out"],
    [
      "a locked PDF",
      buildPdf({ pages: [letter], title: "Secret", encrypted: true }),
      "encrypted",
      "encrypted: it opens with a password only",
    ],
    ["a PDF without pages", buildPdf({ pages: [] }), "empty", "empty: it has no pages"],
    [
      "an encrypted PDF whose pages are not found",
      buildPdf({ pages: [], encrypted: { kind: "rc4-40", userPassword: "" } }),
      "broken",
      "broken: its encryption cannot be made out",
    ],
    ["nothing", "", "empty", "empty: it has no bytes"],
  ])("is refused with a reason: %s", async (_what, bytes, kind, message) => {
    await expect(inspector.inspect(await fileOf(bytes))).rejects.toMatchObject({ kind, message });
  });

  it("is refused with a reason if it is not a regular file", async () => {
    await expect(inspector.inspect(path.join(folder, "absent.pdf"))).rejects.toMatchObject({
      kind: "unreachable",
      message: "cannot be opened: there is no such file",
    });
    await expect(inspector.inspect("/dev/zero")).rejects.toMatchObject({
      kind: "unreachable",
      message: "not a file",
    });
  });

  it("is refused with a reason if it is too large", async () => {
    const file = await fileOf(Buffer.alloc(1024 * 1024 + 1));
    await expect(inspectedWithin({ fileLimitMb: 1 }, file)).rejects.toMatchObject({
      kind: "too-large",
      message: "larger than 1 MB",
    });
  });
});

describe("a hostile file", () => {
  it("may claim pages that it does not have", async () => {
    const file = await withPageTree(
      `<< /Type /Pages /Count ${maxPages} /Kids [3 0 R] >>`,
      page,
      weightFor(maxPages),
    );
    await expect(inspector.inspect(file)).rejects.toMatchObject({
      message: `broken: page 2 of ${maxPages} cannot be read`,
    });
  });

  it("may claim more pages than a document may have", async () => {
    const tree = `<< /Type /Pages /Count ${maxPages + 1} /Kids [3 0 R] >>`;
    const file = await withPageTree(tree, page, weightFor(maxPages + 1));
    await expect(inspector.inspect(file)).rejects.toMatchObject({
      kind: "too-large",
      message: `too long: it has more than ${maxPages} pages`,
    });
  });

  it("may claim more pages than it has bytes", async () => {
    await expect(
      inspector.inspect(await withPageTree("<< /Type /Pages /Count 1000 /Kids [3 0 R] >>", page)),
    ).rejects.toMatchObject({
      kind: "broken",
      message: "broken: it claims more pages than a file of its size can have",
    });
  });

  it("may claim more pages than any file can have", async () => {
    const file = await withPageTree("<< /Type /Pages /Count 10000000 /Kids [3 0 R] >>", page);
    expect(await inspector.inspect(file)).toMatchObject({ pageCount: 1 });
  });

  it.each([
    ["itself", ["<< /Type /Pages /Kids [2 0 R] >>"], "empty: it has no pages"],
    [
      "its parent",
      ["<< /Type /Pages /Kids [3 0 R] >>", "<< /Type /Pages /Kids [2 0 R] >>"],
      "empty: it has no pages",
    ],
    [
      "itself, too",
      ["<< /Type /Pages /Count 2 /Kids [2 0 R 3 0 R] >>", page],
      "broken: page 2 of 2 cannot be read",
    ],
  ])("may have a page tree that contains %s", async (_what, objects, message) => {
    await expect(inspector.inspect(await withPageTree(...objects))).rejects.toMatchObject({ message });
  });

  it("may have a page tree a hundred thousand levels deep", async () => {
    const levels = Array.from(
      { length: 100_000 },
      (_, index) => `<< /Type /Pages /Count 1 /Kids [${index + 3} 0 R] >>`,
    );
    const file = await withPageTree(...levels, page);
    await expect(inspector.inspect(file)).rejects.toMatchObject({
      message: "broken: page 1 of 1 cannot be read",
    });
  });

  it("may have a page without a size", async () => {
    const file = await withPageTree(
      "<< /Type /Pages /Count 1 /Kids [3 0 R] /CropBox [0 0 .001 .001] >>",
      page,
    );
    await expect(inspector.inspect(file)).rejects.toMatchObject({
      message: "broken: page 1 of 1 has no size",
    });
  });

  it("is abandoned at the memory limit", async () => {
    const bomb = deflateSync(deflateSync(Buffer.alloc(150_000_000)));
    const table = "/Type /XRef /Root 2 0 R /W [1 4 1] /Size 5 /Filter [/FlateDecode /FlateDecode]";
    const pdf = writePdf(
      [{ dictionary: table, stream: bomb }, "<< /Type /Catalog /Pages 3 0 R >>"],
      "/Root 2 0 R",
    );
    // The first object comes right after the header, which takes 15 bytes.
    const file = await fileOf(Buffer.concat([pdf, Buffer.from("startxref\n15\n%%EOF\n")]));
    await expect(inspector.inspect(file)).rejects.toMatchObject({
      kind: "too-much-memory",
      message: "needs more memory than 128 MB",
    });
  });

  it("is abandoned at the time limit", async () => {
    const file = await slowFile();
    await expect(inspectedWithin({ timeLimitSeconds: 0.25 }, file)).rejects.toMatchObject({
      kind: "too-slow",
      message: "took longer than 0.25 s",
    });
  });
});

describe("an inspector", () => {
  it("reads the next file after one that was abandoned, and never mixes up files", async () => {
    const short = openPdfInspector({ ...limits, timeLimitSeconds: 0.25 });
    const slow = await slowFile();
    const quick = path.join(folder, "quick.pdf");
    await writeFile(quick, buildPdf({ pages: [letter, letter] }));
    const found = await Promise.allSettled([slow, quick, folder, quick].map((file) => short.inspect(file)));
    await short.close();
    expect(found).toMatchObject([
      { reason: { kind: "too-slow" } },
      { value: { pageCount: 2 } },
      { reason: { kind: "unreachable" } },
      { value: { pageCount: 2 } },
    ]);
  });

  it("reads nothing after it is closed", async () => {
    const closing = openPdfInspector(limits);
    const file = await slowFile();
    const underWay = closing.inspect(file);
    const waiting = closing.inspect(file);
    await closing.close();
    const found = await Promise.allSettled([underWay, waiting, closing.inspect(file)]);
    expect(found.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });
});
