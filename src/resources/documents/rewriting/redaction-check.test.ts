import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Box, type CodedBox, writeFlatPages } from "../../../processing/pdf/flat-page.ts";
import { type PdfDocument, type PdfReader, openPdfReader } from "../../../processing/pdf/pdf-pages.ts";
import { buildPdf, writePdf } from "../../../testing/pdf.ts";
import { useFolder } from "../../../testing/use-folder.ts";
import { wordsUnder } from "./hidden-words.ts";
import type { ReadPage } from "../pages/page-store.ts";
import { boxesAlone } from "./redacted-file.ts";
import { type StandingPage, checkRedactedFile, checkRedactedPage } from "./redaction-check.ts";

const { signal } = new AbortController();
const everything: Box = { x1: 0.1, x2: 0.9, y1: 0.05, y2: 0.35 };
/** No larger than the texts need: every redacted page is drawn at 300 dots per inch. */
const pageSize = { width: 300, height: 320 };
const plainPage = (line: string) => ({ ...pageSize, lines: [line] });

/** A page that shows "The second page", with additional content. */
function telling(
  drawing: string,
  { font = "", page = "" }: { font?: string; page?: string } = {},
): Uint8Array {
  const content = `BT /F1 14 Tf 72 280 Td (The second page) Tj ET ${drawing}`;
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageSize.width} ${pageSize.height}] /Contents 5 0 R ${page}
        /Resources << /Font << /F1 4 0 R >> /Properties << /Al#65xandrova 6 0 R >> >> >>`,
      `<< /Type /Font /Subtype /Type1 /BaseFont /${font === "" ? "Helvetica" : font} /Encoding /WinAnsiEncoding >>`,
      { dictionary: "", stream: Buffer.from(content) },
      "<< >>",
    ],
    "/Root 1 0 R",
  );
}
const drawn = (word: string, how = "", at = "72 200"): string =>
  `q BT ${how} /F1 14 Tf ${at} Td (${word}) Tj ET Q`;

/** The drawn words have a replacement text. */
const replaced = (text: string, word: string, how = ""): string =>
  `/Span << /ActualText (${text}) >> BDC ${drawn(word, how)} EMC`;

describe("a word under boxes", () => {
  const word = {
    text: "Alexandrova",
    upright: true,
    direction: 1,
    x1: 0.2,
    x2: 0.4,
    y1: 0.5,
    y2: 0.52,
  } as const;
  const [width, height] = [word.x2 - word.x1, word.y2 - word.y1];
  /** Boxes that cover this share of the word: from each of its sides, and around its middle. */
  const covering = (share: number): Box[] => {
    const { x1, x2, y1, y2 } = word;
    const [beside, above] = [((1 - share) * width) / 2, ((1 - share) * height) / 2];
    const far = { x1: 0, x2: 1, y1: 0, y2: 1 };
    return [
      { ...far, x2: x1 + share * width },
      { ...far, x1: x2 - share * width },
      { ...far, y2: y1 + share * height },
      { ...far, y1: y2 - share * height },
      { ...far, x1: x1 + beside, x2: x2 - beside },
      { ...far, y1: y1 + above, y2: y2 - above },
    ];
  };
  const isUnder = (...boxes: Box[]): boolean => wordsUnder([word], boxes).length > 0;

  it("is one of which at least nine tenths are covered, from whichever side", () => {
    for (const share of [0.905, 0.92, 0.97, 1]) {
      expect(covering(share).map((box) => isUnder(box))).toEqual(Array(6).fill(true));
    }
    for (const share of [0.895, 0.88, 0.5, 0.01]) {
      expect(covering(share).map((box) => isUnder(box))).toEqual(Array(6).fill(false));
    }
  });

  it("is not one that lies beside all of them, nor one without an area", () => {
    const far = [
      { x1: 0.5, x2: 0.9, y1: 0.1, y2: 0.3 },
      { x1: 0.2, x2: 0.4, y1: 0.6, y2: 0.9 },
      { x1: 0.6, x2: 0.9, y1: 0.5, y2: 0.52 },
    ];
    expect(isUnder(...far)).toBe(false);
    expect(isUnder(...far, everything, { x1: 0, x2: 1, y1: 0.4, y2: 0.6 })).toBe(true);
    expect(wordsUnder([{ ...word, x2: word.x1 }], [{ x1: 0, x2: 1, y1: 0, y2: 1 }])).toEqual([]);
  });
});

describe("the check of a redacted file", () => {
  const folder = useFolder("check");
  let reader: PdfReader;
  let before: PdfDocument;
  beforeAll(async () => {
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
  });

  /** The second page is unchanged unless the test gives another. */
  async function check(
    name: string,
    {
      painted = [everything],
      second,
      read = { text: "" },
      code = "",
    }: { painted?: CodedBox[]; second?: string | Uint8Array; read?: ReadPage; code?: string },
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
    return checkAgainst(file("made"), read, code);
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

  /** Checks a file in which the box has to show a code, unless that is empty. */
  async function checkAgainst(made: string, read: ReadPage, code = ""): Promise<StandingPage[]> {
    const hidden = wordsUnder((await before.text(0)).words, [everything]);
    expect(hidden.length).toBeGreaterThan(1);
    await using after = await reader.open(made);
    const redacted = { page: 0, boxes: [{ ...everything, code }], hidden, read };
    const alone = boxesAlone({ pdfs: reader }, { file: () => `${made}.boxes` });
    await checkRedactedPage(after, redacted, (like) => alone(redacted, like));
    const { pageCount } = after.facts;
    return await checkRedactedFile(reader, { before, after, path: made, pageCount }, [redacted], signal);
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

  it("passes the codes that boxes have to show, and nothing else that is drawn on them", async () => {
    const painted = [{ ...everything, code: "(b)(6)" }];
    await expect(check("coded", { painted, code: "(b)(6)" })).resolves.toEqual([]);
    const inImage = /can still be found in its image/;
    await expect(check("another code", { painted, code: "(b)(5)" })).rejects.toThrow(inImage);
    await expect(check("no code wanted", { painted })).rejects.toThrow(inImage);
    await expect(check("code missing", { code: "(b)(6)" })).rejects.toThrow(inImage);
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
    ["under black", telling(`${drawn("Alexandrova")} 60 180 200 40 re f`), unseen],
    ["in a replacement text, over other ink", telling(replaced("Alexandrova", "Something else")), unseen],
    ["in white under a replacement text", telling(replaced("Anything", "Alexandrova", "1 g")), inFile],
    ["beside the page", telling(drawn("Alexandrova", "", "72 -400")), /can still be found in/],
  ])("finds a hidden word %s", async (name, second, message) => {
    await expect(check(name, { second })).rejects.toThrow(message);
  });

  it.each([
    ["drawn", telling(drawn("ALEXANDROVA")), { seen: 1, unseen: 0 }],
    [
      "drawn, and hidden too",
      telling(`${drawn("Alexandrova")} ${drawn("Secret")} ${drawn("secret", "3 Tr", "72 100")}`),
      { seen: 2, unseen: 0 },
    ],
    [
      "drawn, with itself as replacement text",
      telling(replaced("Alexandrova", "Alexandrova")),
      { seen: 1, unseen: 0 },
    ],
    [
      "drawn, and a replacement text elsewhere",
      telling(`${drawn("Alexandrova")} ${replaced("Alexandrova", "Something", "1 0 0 1 0 90 cm")}`),
      { seen: 1, unseen: 0 },
    ],
    [
      "a scan's, whose text is not painted",
      telling(`${drawn("Alexandrova", "3 Tr")} 74 200 3 9 re f 90 200 3 9 re f 110 202 9 3 re f`),
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
      ["replacement", telling("/Span << /ActualText (Ode) >> BDC EMC"), inFile],
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
    const seen = `${drawn("Taxi Modem Xi", "", "72 150")} /Xi << /ActualText (Xi) >> BDC EMC`;
    await expect(checkOf(short, "within", telling(seen))).resolves.toEqual([]);
  });

  it("never names the words that it found", async () => {
    const made = path.join(folder, "before.pdf");
    await expect(checkAgainst(made, { text: "" })).rejects.toThrow(/^(?!.*(Secret|Alexandrova))/);
  });
});
