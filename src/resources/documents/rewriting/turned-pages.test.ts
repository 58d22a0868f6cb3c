import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { jobOn } from "../../../testing/job-queue.ts";
import { type PagePlan, buildPdf } from "../../../testing/pdf.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { redactDocument } from "./redact-document.ts";
import { isInFull, runs } from "../../../testing/runs.ts";

type QuarterTurns = 0 | 1 | 2 | 3;

const record = (id: number): string => `/api/documents/${id}/`;
const angles = { 1: "cc", 2: "hw", 3: "ccw" } as const;
const lines = ["alphaone betatwo gammathree", "deltafour harbour council", "the minutes of the meeting"];

/** No larger than the lines need: every redacted page is drawn and recognised at 300 dots per inch. */
const pageSize = { width: 312, height: 408 };

const letters = (textLines: readonly string[]): string =>
  `BT /F1 14 Tf 24 TL 40 260 Td ${textLines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;

/** A page whose text is drawn rotated clockwise by this many quarter turns. */
function pageOf(textLines: readonly string[], turns: QuarterTurns, rotate: PagePlan["rotate"] = 0): PagePlan {
  const { width, height } = pageSize;
  const matrix = [
    "1 0 0 1 0 0",
    `0 -1 1 0 0 ${height}`,
    `-1 0 0 -1 ${width} ${height}`,
    `0 1 -1 0 ${width} 0`,
  ][turns];
  return { ...pageSize, rotate, drawing: `q ${matrix} cm ${letters(textLines)} Q` };
}

const boxAround = ({ x1, x2, y1, y2 }: PageWord): Record<string, number> => ({
  x1: Math.max(0, x1 - 0.003),
  x2: Math.min(1, x2 + 0.003),
  y1: Math.max(0, y1 - 0.003),
  y2: Math.min(1, y2 + 0.003),
  page_number: 0,
});

const isWithin = (one: PageWord, other: PageWord): boolean => {
  const [x, y] = [(one.x1 + one.x2) / 2, (one.y1 + one.y2) / 2];
  return x > other.x1 && x < other.x2 && y > other.y1 && y < other.y2;
};

const textsOf = (all: readonly PageWord[]): string[] => all.map((word) => word.text);

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

describe.each(defaultEngines)("pages with rotated text, on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const worker = useWorker(app);

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, owner, method, target, value);

  async function processed(page: PagePlan, options: object = {}): Promise<number> {
    const { body } = await send("POST", "/api/documents/", { title: "Minutes" });
    const init = { method: "PUT", body: buildPdf({ pages: [page] }) as NonNullable<RequestInit["body"]> };
    expect((await fetch(body.presigned_url, init)).status).toBe(200);
    await send("POST", `${record(body.id)}process/`, options);
    await worker.drain();
    return body.id;
  }

  const asset = async (id: number, name: string): Promise<string> =>
    (await app.fetch(`/files/documents/${id}/${name}`, { headers: owner.headers })).text();
  const text = (id: number): Promise<string> => asset(id, "pages/minutes-p1.txt");
  const words = async (id: number): Promise<PageWord[]> =>
    JSON.parse(await asset(id, "pages/minutes-p1.position.json")) as PageWord[];
  const isFound = async (id: number, q: string): Promise<boolean> => {
    const { body } = await send("GET", `/api/documents/search/?q=${q}+document:${id}`);
    return body.results.length === 1;
  };

  async function turn(id: number, turns: Exclude<QuarterTurns, 0>): Promise<void> {
    const modifications = [{ type: "rotate", angle: angles[turns] }];
    const { status } = await send("POST", `${record(id)}modifications/`, [{ page: "0", modifications }]);
    expect(status).toBe(201);
    await worker.drain();
  }

  async function redact(id: number, boxes: readonly unknown[]): Promise<void> {
    expect((await send("POST", `${record(id)}redactions/`, boxes)).status).toBe(201);
    await worker.drain();
    expect((await send("GET", `${record(id)}errors/`)).body.results).toEqual([]);
    expect((await send("GET", record(id))).body.status).toBe("success");
  }

  /** Redacts one word, and expects all others at their positions. */
  async function expectOneHidden(id: number, turns: QuarterTurns): Promise<void> {
    const before = await words(id);
    const all = lines.flatMap(wordsIn);
    expect(textsOf(before).toSorted()).toEqual(all.toSorted());
    await redact(id, [boxAround(before.find((word) => word.text === "betatwo") as PageWord)]);
    const after = await words(id);
    expect(wordsIn(await text(id))).toEqual(all.filter((word) => word !== "betatwo"));
    const [upright, direction] = [turns % 2 === 0, turns < 2 ? 1 : -1];
    for (const word of before) {
      const there = after.filter((one) => isWithin(one, word));
      expect(there).toMatchObject(word.text === "betatwo" ? [] : [{ text: word.text, upright, direction }]);
    }
    for (const word of ["alphaone", "gammathree", "deltafour", "meeting"]) {
      expect(await isFound(id, word)).toBe(true);
    }
    expect(await asset(id, "minutes.pdf")).not.toContain("betatwo");
  }

  // Recognition takes long and does not depend on the engine, so one rotation is enough where a test need not be full.
  const quarters = isInFull(engine) ? ([1, 2, 3] as const) : ([3] as const);

  it.each(isInFull(engine) ? ([0, ...quarters] as const) : quarters)(
    "keep their other words, drawn with %i quarter turns, when one is redacted",
    async (turns) => {
      const id = await processed(pageOf(lines, turns));
      await expectOneHidden(id, turns);
      expect(await isFound(id, "betatwo")).toBe(false);
    },
  );

  it.each(quarters)(
    "keep their other words, turned by %i quarters since they were read, when one is redacted",
    async (turns) => {
      const id = await processed(pageOf(lines, 0));
      await turn(id, turns);
      await expectOneHidden(id, turns);
      expect(await isFound(id, "betatwo")).toBe(false);
    },
  );

  if (!isInFull(engine)) return;

  it("are read once, because the file gives the rotation of its letters", async () => {
    const id = await processed(pageOf(lines, 3));
    await worker.stop();
    const [first] = await words(id);
    await send("POST", `${record(id)}redactions/`, [boxAround(first as PageWord)]);
    const sizes: { width: number; height: number }[] = [];
    const read: typeof app.context.ocr.read = (image, ...rest) => {
      sizes.push({ width: image.width, height: image.height });
      return app.context.ocr.read(image, ...rest);
    };
    const context = { ...app.context, ocr: { ...app.context.ocr, read } };
    await redactDocument(context, jobOn(id), new AbortController().signal);
    worker.start();
    await worker.drain();
    expect(sizes).toEqual([{ width: 1700, height: 1300 }]);
  });

  it("are recognised as scans as well, and redacted again after any rotation", async () => {
    const id = await processed(pageOf(lines, 1));
    // The page is now only an image.
    await redact(id, [{ x1: 0.001, x2: 0.002, y1: 0.001, y2: 0.002, page_number: 0 }]);
    await send("POST", `${record(id)}process/`, {});
    await worker.drain();
    expect(wordsIn(await text(id))).toEqual(lines.flatMap(wordsIn));
    await turn(id, 2);
    await expectOneHidden(id, 3);
    expect(await isFound(id, "betatwo")).toBe(false);
  });

  const vocabulary = [
    ..."harbour council minutes morning company record letter yellow garden bridge".split(" "),
    ..."market window summer doctor police number school family history building".split(" "),
  ];

  it("never keep a word under a box, nor lose one outside all boxes", async () => {
    const line = fc.array(fc.constantFrom(...vocabulary), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 3, maxLength: 6 }),
        fc.constantFrom(0, 1, 2, 3),
        fc.constantFrom(0, 90, 180, 270),
        fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
        async (textLines, turns, rotate, indexes) => {
          const page = pageOf(
            textLines.map((one) => one.join(" ")),
            turns,
            rotate,
          );
          const id = await processed(page);
          const before = await words(id);
          const hidden = new Set(indexes.map((index) => before[index % before.length] as PageWord));
          await redact(
            id,
            [...hidden].map((word) => boxAround(word)),
          );
          const after = await words(id);
          for (const word of before) {
            const there = after.filter((one) => isWithin(one, word));
            expect(textsOf(there)).toEqual(hidden.has(word) ? [] : [word.text]);
          }
          expect(wordsIn(await text(id)).toSorted()).toEqual(
            textsOf(before.filter((word) => !hidden.has(word))).toSorted(),
          );
        },
      ),
      { numRuns: runs(3), endOnFailure: true },
    );
  });
});
