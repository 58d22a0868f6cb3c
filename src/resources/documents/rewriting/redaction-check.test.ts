import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Box, writeFlatPages } from "../../../processing/pdf/flat-page.ts";
import { type PdfDocument, type PdfReader, openPdfReader } from "../../../processing/pdf/pdf-pages.ts";
import { buildPdf, writePdf } from "../../../testing/pdf.ts";
import { wordsUnder } from "./hidden-words.ts";
import type { ReadPage } from "../pages/page-store.ts";
import { type StandingPage, checkRedactedFile } from "./redaction-check.ts";

const { signal } = new AbortController();
const everything: Box = { x1: 0.1, x2: 0.9, y1: 0.05, y2: 0.2 };
const plainPage = (line: string) => ({ width: 612, height: 792, lines: [line] });

/** A page that shows "The second page", with additional content. */
function telling(
  drawing: string,
  { font = "", page = "" }: { font?: string; page?: string } = {},
): Uint8Array {
  const content = `BT /F1 14 Tf 72 700 Td (The second page) Tj ET ${drawing}`;
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R ${page}
        /Resources << /Font << /F1 4 0 R >> /Properties << /Al#65xandrova 6 0 R >> >> >>`,
      `<< /Type /Font /Subtype /Type1 /BaseFont /${font === "" ? "Helvetica" : font} /Encoding /WinAnsiEncoding >>`,
      { dictionary: "", stream: Buffer.from(content) },
      "<< >>",
    ],
    "/Root 1 0 R",
  );
}
const drawn = (word: string, how = "", at = "72 500"): string =>
  `q BT ${how} /F1 14 Tf ${at} Td (${word}) Tj ET Q`;

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

  /** The second page is unchanged unless the test gives another. */
  async function check(
    name: string,
    {
      painted = [everything],
      second,
      read = { text: "" },
    }: { painted?: Box[]; second?: string | Uint8Array; read?: ReadPage },
  ): Promise<StandingPage[]> {
    const file = (kind: string): string => path.join(folder, `${name}-${kind}.pdf`);
    await writeFlatPages(before, [{ page: 0, boxes: painted }], file("flat"), signal);
    const other = file("other");
    const file2 = second ?? "The second page";
    await writeFile(other, typeof file2 === "string" ? buildPdf({ pages: [plainPage(file2)] }) : file2);
    const pages = [
      { source: 0, page: 0, quarterTurns: 0 },
      { source: 1, page: 0, quarterTurns: 0 },
    ];
    const sources = [file("flat"), other];
    await reader.assemble({ sources, pages, to: file("made"), strictly: true }, signal);
    return checkAgainst(file("made"), read);
  }

  /** Checks another document, with its own second page. */
  async function checkOf(from: string, name: string, second: Uint8Array): Promise<StandingPage[]> {
    const whole = before;
    before = await reader.open(from);
    try {
      return await check(`short-${name}`, { second });
    } finally {
      await before.close();
      before = whole;
    }
  }

  async function checkAgainst(made: string, read: ReadPage): Promise<StandingPage[]> {
    const hidden = wordsUnder((await before.text(0)).words, [everything]);
    expect(hidden.length).toBeGreaterThan(1);
    await using after = await reader.open(made);
    const redacted = [{ page: 0, boxes: [everything], hidden, read }];
    return await checkRedactedFile(reader, { before, after, path: made }, redacted, signal);
  }

  it("passes a file that contains nothing hidden", async () => {
    await expect(check("good", {})).resolves.toEqual([]);
  });

  it("finds text that is still on the page", async () => {
    const made = path.join(folder, "before.pdf");
    await expect(checkAgainst(made, { text: "" })).rejects.toThrow(/page 1 can still be found in the text/);
  });

  it("finds pixels that are not black", async () => {
    const painted = [{ ...everything, x1: 0.3 }];
    await expect(check("pixels", { painted })).rejects.toThrow(/can still be found in its image/);
  });

  it("finds a page that lost content", async () => {
    await expect(check("lost", { second: "The page" })).rejects.toThrow(/Page 2.*would not stay as it is/);
  });

  it("finds hidden words at their recognised positions, and in the text only", async () => {
    const word = { text: "Alexandrova", upright: true, direction: 1 } as const;
    const words = [{ ...word, x1: 0.2, x2: 0.3, y1: 0.1, y2: 0.11 }];
    const recognised = { engine: "tess4", confidence: 90, layer: "", words };
    await expect(check("place", { read: { text: "", recognised } })).rejects.toThrow(/found where it was/);
    const read = { text: "Alexandrova", recognised: { ...recognised, words: [] } };
    await expect(check("text", { read })).rejects.toThrow(/found in the text of the page/);
    const elsewhere = [{ ...word, x1: 0.2, x2: 0.3, y1: 0.5, y2: 0.51 }];
    const seen = { text: "Alexandrova", recognised: { ...recognised, words: elsewhere } };
    await expect(check("elsewhere", { read: seen })).resolves.toEqual([{ page: 1, seen: 1, unseen: 0 }]);
  });

  const inFile = /can still be found in the file/;
  const unseen = /can still be found in text that cannot be seen, on page 2/;

  it.each([
    ["in a comment", telling("\n% by ALEXANDROVA\n"), inFile],
    [
      "in an annotation in another case",
      telling("", {
        page: "/Annots [<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (for alexandrova) >>]",
      }),
      inFile,
    ],
    [
      "in a name with escapes",
      telling("/Span << /ActualText (x) >> BDC EMC /Al#65xandrov#61 BMC EMC"),
      inFile,
    ],
    ["as the name of a list of properties", telling("/OC /Alexandrova BDC EMC"), inFile],
    ["in the name of a font", telling("", { font: "ABCDEF+AlexandrovaBold" }), inFile],
    ["in text that is not painted", telling(drawn("alexandrova", "3 Tr")), unseen],
    [
      "in text that is not painted, over other text",
      telling(`${drawn("Something else")} ${drawn("Alexandrova", "3 Tr")}`),
      unseen,
    ],
    ["in white", telling(drawn("ALEXANDROVA", "1 g")), unseen],
    ["cut off", telling(`q 0 0 10 10 re W n ${drawn("Alexandrova")} Q`), unseen],
    ["under black", telling(`${drawn("Alexandrova")} 60 480 200 40 re f`), unseen],
    ["beside the page", telling(drawn("Alexandrova", "", "72 -400")), /can still be found in/],
  ])("finds a hidden word %s", async (name, second, message) => {
    await expect(check(name, { second })).rejects.toThrow(message);
  });

  it.each([
    ["drawn", telling(drawn("ALEXANDROVA")), { seen: 1, unseen: 0 }],
    [
      "drawn, and hidden too",
      telling(`${drawn("Alexandrova")} ${drawn("Secret")} ${drawn("secret", "3 Tr", "72 300")}`),
      { seen: 2, unseen: 0 },
    ],
    [
      "a scan's, whose text is not painted",
      telling(`${drawn("Alexandrova", "3 Tr")} 74 500 3 9 re f 90 500 3 9 re f 110 502 9 3 re f`),
      { seen: 1, unseen: 0 },
    ],
  ])("lists pages where a hidden word is visible: %s", async (name, second, counts) => {
    await expect(check(name, { second })).resolves.toEqual([{ page: 2, ...counts }]);
  });

  it("lists invisible text whose word is visible elsewhere", async () => {
    const word = { text: "Alexandrova", upright: true, direction: 1 } as const;
    const words = [{ ...word, x1: 0.2, x2: 0.3, y1: 0.5, y2: 0.51 }];
    const read = { text: "Alexandrova", recognised: { engine: "tess4", confidence: 90, layer: "", words } };
    const second = telling(drawn("Alexandrova", "1 g"));
    await expect(check("both", { read, second })).resolves.toEqual([
      { page: 1, seen: 1, unseen: 0 },
      { page: 2, seen: 0, unseen: 1 },
    ]);
  });

  it("finds words of two and three letters that stand alone", async () => {
    const short = path.join(folder, "short.pdf");
    await writeFile(short, buildPdf({ pages: [plainPage("Mr Xi Ode"), plainPage("The second page")] }));
    for (const [name, second, message] of [
      ["white", telling(drawn("xi", "1 g")), unseen],
      ["comment", telling("\n% for XI\n"), inFile],
      [
        "note",
        telling("", {
          page: "/Annots [<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (an ODE) >>]",
        }),
        inFile,
      ],
    ] as const) {
      await expect(checkOf(short, name, second)).rejects.toThrow(message);
    }
    await expect(checkOf(short, "within", telling(drawn("Taxi Modem", "", "72 400")))).resolves.toEqual([]);
  });

  it("never names the words that it found", async () => {
    const made = path.join(folder, "before.pdf");
    await expect(checkAgainst(made, { text: "" })).rejects.toThrow(/^(?!.*(Secret|Alexandrova))/);
  });
});
