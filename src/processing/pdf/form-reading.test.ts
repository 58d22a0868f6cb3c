import { writeFile } from "node:fs/promises";
import path from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnnotationPlan, type FormPlan, buildFormPdf } from "../../testing/form-pdf.ts";
import { type PdfDocument, type PdfReader, openPdfReader } from "./pdf-pages.ts";
import { runs } from "../../testing/runs.ts";
import { useFolder } from "../../testing/use-folder.ts";

const folder = useFolder("forms");
let reader: PdfReader;
let files = 0;
beforeAll(async () => {
  reader = openPdfReader({ timeLimitSeconds: 60, memoryLimitMb: 256 });
});
afterAll(() => reader.close());

async function opened(plan: FormPlan): Promise<PdfDocument> {
  const file = path.join(folder, `${files++}.pdf`);
  await writeFile(file, buildFormPdf(plan));
  return reader.open(file);
}

async function textOf(plan: FormPlan): Promise<string> {
  await using pdf = await opened(plan);
  const { text } = await pdf.text(0);
  // A second reading, without words, gives the same text.
  expect((await pdf.plainText(0)).text).toBe(text);
  return text;
}

const field = (
  left: number,
  bottom: number,
  value: string,
  more: Partial<AnnotationPlan> = {},
): AnnotationPlan => ({
  subtype: "Widget",
  rectangle: [left, bottom, left + 150, bottom + 18],
  value,
  appearance: value,
  ...more,
});

const note = (appearance: string, more: Partial<AnnotationPlan> = {}): AnnotationPlan => ({
  subtype: "Stamp",
  rectangle: [50, 300, 250, 330],
  appearance,
  ...more,
});

/** The coordinates of a cell in a grid with three columns. */
const at = (cell: number): { left: number; bottom: number } => ({
  left: 20 + 190 * (cell % 3),
  bottom: 30 + 37 * Math.floor(cell / 3),
});

const labels = [
  { text: "Application for a permit", left: 50, bottom: 700 },
  { text: "Name:", left: 50, bottom: 605 },
  { text: "Born on:", left: 300, bottom: 605 },
  { text: "Reason:", left: 50, bottom: 505 },
  { text: "Signature", left: 50, bottom: 405 },
];

describe("a filled-in form", () => {
  const fields = [
    field(360, 600, "1 May 1950"),
    field(100, 400, "signed by Vera"),
    field(100, 600, "Vera Alexandrova"),
    field(50, 470, "To keep bees on the roof"),
  ];

  it("has each value after its label, at its position", async () => {
    expect(await textOf({ lines: labels, annotations: fields })).toBe(
      "Application for a permit\nName: Vera Alexandrova Born on: 1 May 1950\nReason:\nTo keep bees on the roof\nSignature signed by Vera",
    );
    await using pdf = await opened({ lines: labels, annotations: fields });
    const word = (await pdf.text(0)).words.find(({ text }) => text === "Alexandrova");
    expect(word?.x1).toBeGreaterThan(100 / 600);
    expect(word?.x2).toBeLessThan(250 / 600);
    expect(word?.y1).toBeGreaterThan(1 - 620 / 800);
    expect(word?.y2).toBeLessThan(1 - 598 / 800);
  });

  it.each([90, 180, 270] as const)(
    "keeps its values whole on a page turned by %i degrees",
    async (rotate) => {
      const text = await textOf({ lines: labels, annotations: fields, rotate });
      for (const { value = "" } of fields) expect(text.split(value)).toHaveLength(2);
    },
  );

  it("is read as it is drawn if its fields have no appearance streams", async () => {
    for (const needAppearances of [true, false]) {
      const annotations = [field(100, 600, "Vera", { appearance: undefined as never })];
      delete annotations[0]?.appearance;
      expect(await textOf({ lines: labels.slice(0, 2), annotations, needAppearances })).toBe(
        "Application for a permit\nName: Vera",
      );
    }
  });

  it("is drawn the same after its text was read", async () => {
    await using pdf = await opened({ lines: labels, annotations: fields });
    await using unread = await opened({ lines: labels, annotations: fields });
    await pdf.text(0);
    expect(Buffer.from(await pdf.image(0, 700))).toEqual(Buffer.from(await unread.image(0, 700)));
  });

  it("counts as the text of a page with nothing but frames, and not of one that may show letters", async () => {
    const frames = Array.from({ length: 12 }, (_, index) => `50 ${50 * index} 400 40 re S`).join("\n");
    const letter =
      "0 0 m " + Array.from({ length: 70 }, (_, index) => `${index} ${index % 7} l`).join(" ") + " S";
    const image = "q 500 0 0 700 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x7f EI Q";
    for (const [drawn, quality] of [
      ["", "good"],
      [frames, "good"],
      [letter, "none"],
      [image, "none"],
    ] as const) {
      await using pdf = await opened({
        lines: [],
        drawn,
        annotations: [field(100, 600, "Vera Alexandrova")],
      });
      expect(await pdf.plainText(0)).toEqual({ text: "Vera Alexandrova", quality });
    }
  });

  it("has the choices that its lists show", async () => {
    const list = field(100, 500, "Item2", {
      rectangle: [100, 500, 250, 600],
      type: "Ch",
      more: "/Ff 0 /Opt [(Item1) (Item2) (Item3)] /MK << /BG [1] >>",
    });
    delete list.appearance;
    expect((await textOf({ lines: labels.slice(0, 1), annotations: [list] })).split("\n")).toEqual([
      "Application for a permit",
      "Item1",
      "Item2",
      "Item3",
    ]);
  });

  it("keeps each line and each value whole, wherever they are", async () => {
    const cells = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 2, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(cells, fc.nat(13), async (all, count) => {
        const annotations = all.slice(0, count).map((cell) => {
          const { left, bottom } = at(cell);
          return field(left, bottom, `typed${cell} value${cell}`);
        });
        const lines = all
          .slice(count)
          .map((cell) => Object.assign(at(cell), { text: `own${cell} line${cell}` }));
        const text = ` ${(await textOf({ lines, annotations })).replaceAll("\n", " ")} `;
        for (const [index, cell] of all.entries()) {
          const whole = index < count ? `typed${cell} value${cell}` : `own${cell} line${cell}`;
          expect(text.split(` ${whole} `)).toHaveLength(2);
        }
        expect(text.trim().split(/\s+/)).toHaveLength(2 * all.length);
      }),
      { numRuns: runs(25) },
    );
  });
});

describe("annotations on a page", () => {
  const [line] = [{ text: "A letter", left: 50, bottom: 700 }];
  it("are read: stamps and free text", async () => {
    const annotations = [
      note("RECEIVED 1 May"),
      note("see page two", { subtype: "FreeText", rectangle: [300, 695, 500, 725] }),
    ];
    expect(await textOf({ lines: [line], annotations })).toBe("A letter see page two\nRECEIVED 1 May");
  });

  it("are read and drawn if they are free text that does not say how it looks", async () => {
    const written = note("", {
      subtype: "FreeText",
      more: "/Contents (Call Vera \\(today\\)) /DA (/Helv 10 Tf 0 g)",
    });
    delete written.appearance;
    const plan = { lines: [line], annotations: [written] };
    expect(await textOf(plan)).toBe("A letter\nCall Vera (today)");
    await using pdf = await opened(plan);
    await using bare = await opened({ lines: [line], annotations: [] });
    expect(Buffer.from(await pdf.image(0, 700))).not.toEqual(Buffer.from(await bare.image(0, 700)));
    expect((await pdf.seenWords(0)).seen).toContain("Vera");
    await using hidden = await opened({ lines: [line], annotations: [{ ...written, flags: 2 }] });
    expect((await hidden.text(0)).text).toBe("A letter");
  });

  it("are read, if not drawn, in letters that pdfium's fonts lack", async () => {
    const arabic = Buffer.from("\ufeffقوي\nГавань", "utf16le").swap16().toString("hex");
    const written = note("", { subtype: "FreeText", more: `/Contents <${arabic}> /DA (/Helv 10 Tf 0 g)` });
    delete written.appearance;
    const plan = { lines: [line], annotations: [written] };
    expect(await textOf(plan)).toBe("A letter\nقوي\nГавань");
    await using pdf = await opened(plan);
    const word = (await pdf.text(0)).words.find(({ text }) => text === "Гавань");
    expect(word?.x1).toBeCloseTo(50 / 600);
    expect(word?.y2).toBeCloseTo(1 - 300 / 800);
    expect((await pdf.seenWords(0)).text).toContain("Гавань");
    expect((await pdf.seenWords(0)).seen).not.toContain("Гавань");
  });

  it("are words that a reader sees, if they are drawn", async () => {
    const annotations = [note("Stamped"), field(50, 400, "Typed"), field(50, 500, "Printed", { flags: 36 })];
    await using pdf = await opened({ lines: [line], annotations });
    expect((await pdf.seenWords(0)).seen).toEqual(["A", "letter", "Stamped", "Typed"]);
  });

  it.each<[string, Partial<AnnotationPlan>]>([
    ["hidden", { flags: 2 }],
    ["for print alone", { flags: 36 }],
    ["on a layer that is switched off", { isOnLayer: true }],
    ["of no size", { rectangle: [50, 300, 50, 300] }],
    ["a comment that is closed", { subtype: "Popup" }],
  ])("are neither read nor drawn if they are %s", async (_what, more) => {
    const hidden = [
      note("Unseen", more),
      ...(more.subtype === undefined ? [field(50, 400, "Unseen", more)] : []),
    ];
    await using pdf = await opened({ lines: [line], annotations: hidden });
    await using bare = await opened({ lines: [line], annotations: [] });
    expect((await pdf.text(0)).text).toBe("A letter");
    expect(Buffer.from(await pdf.image(0, 700))).toEqual(Buffer.from(await bare.image(0, 700)));
  });

  it.each([
    ["hidden", "that its own usage switches off", "", "/Usage << /View << /ViewState /OFF >> >>"],
    ["visible", "that is off, but not for viewing", "/OFF [4 0 R]", "/Intent /Design"],
    [
      "visible",
      "that is off, but that its own usage switches on",
      "/OFF [4 0 R] /AS [<< /Event /View /OCGs [4 0 R] >>]",
      "/Usage << /View << /ViewState /ON >> >>",
    ],
  ])("are %s on a layer %s, like the content of the page", async (expected, _layer, setting, members) => {
    const annotations = [note("Stamped", { isOnLayer: true })];
    const text = await textOf({ lines: [line], annotations, layer: { setting, members } });
    expect(text.includes("Stamped") ? "visible" : "hidden").toBe(expected);
  });

  it("stay hidden or visible when pages are reassembled", async () => {
    const unseen = [
      field(50, 400, "Unseen", { flags: 36 }),
      field(50, 430, "Unseen", { isOnLayer: true }),
      note("Unseen", { flags: 2 }),
    ];
    const source = path.join(folder, "source.pdf");
    const to = path.join(folder, "assembled.pdf");
    await writeFile(
      source,
      buildFormPdf({ lines: [line], annotations: [...unseen, field(50, 500, "Typed"), note("Stamped")] }),
    );
    const pages = [{ source: 0, page: 0, quarterTurns: 0 }];
    const plan = { sources: [source], pages, to, strictly: true };
    await reader.assemble(plan, new AbortController().signal);
    await using pdf = await reader.open(to);
    expect((await pdf.text(0)).text.split(/\s/)).toEqual(["A", "letter", "Typed", "Stamped"]);
  });
});
