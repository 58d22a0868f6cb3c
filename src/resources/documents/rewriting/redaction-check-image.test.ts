import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { CodedBox, FlatPage } from "../../../processing/pdf/flat-page.ts";
import type { PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { checkRedactedPage } from "./redaction-check.ts";

/* The rules of the check of one page, with a stand-in for what draws it. */

const word: PageWord = { text: "a", upright: true, direction: 1, x1: 0.1, x2: 0.2, y1: 0.1, y2: 0.2 };

const stillFound = (where: string) =>
  expect.objectContaining({
    name: "RedactionFailedError",
    message: `Hidden content of page 4 can still be found ${where}: nothing was published`,
  });

describe("the image of a redacted page", () => {
  const [width, height] = [20, 20];
  const box: CodedBox = { x1: 0, x2: 0.5, y1: 0, y2: 1 };

  /** A page in white, with a left half in this colour, but for one pixel. */
  function pageOf(
    shade: readonly [number, number, number],
    { x = 0, y = 0, odd = shade }: { x?: number; y?: number; odd?: readonly [number, number, number] } = {},
  ): { shaded: FlatPage; few: FlatPage } {
    const colors = [shade, odd, [255, 255, 255] as const];
    const indexes = Uint8Array.from({ length: width * height }, (_, index) =>
      index === y * width + x ? 1 : index % width < width / 2 ? 0 : 2,
    );
    const size = { size: { width, height }, width, height };
    return {
      shaded: { ...size, shades: Uint8Array.from([...indexes].flatMap((index) => colors[index]!)) },
      few: { ...size, colors: colors.flat(), pixels: new Uint8Array(deflateSync(indexes)) },
    };
  }

  async function checkImage(
    flat: FlatPage,
    {
      alone = null,
      code = "",
      text = "",
      words = [],
    }: {
      alone?: FlatPage | null;
      code?: string;
      text?: string;
      words?: PageWord[];
    } = {},
  ): Promise<void> {
    const after = { text: async () => ({ text, words }), flat: async () => flat } as unknown as PdfDocument;
    await checkRedactedPage(after, { page: 3, boxes: [{ ...box, code }] }, async () => {
      if (alone === null) throw new Error("Nothing is drawn alone");
      return alone;
    });
  }

  const black = [0, 0, 0] as const;

  it.each(["shaded", "few"] as const)("is black under each box, but for its edges (%s)", async (kind) => {
    const inImage = stillFound("in its image");
    await expect(checkImage(pageOf(black)[kind])).resolves.toBeUndefined();
    await expect(checkImage(pageOf([8, 8, 7])[kind])).resolves.toBeUndefined();
    await expect(checkImage(pageOf([8, 8, 8])[kind])).rejects.toEqual(inImage);
    for (const odd of [
      [99, 0, 0],
      [0, 99, 0],
      [0, 0, 99],
    ] as const) {
      await expect(checkImage(pageOf(black, { x: 5, y: 9, odd })[kind])).rejects.toEqual(inImage);
      await expect(checkImage(pageOf(black, { x: 9, y: 9, odd })[kind])).resolves.toBeUndefined();
    }
  });

  it.each(["shaded", "few"] as const)("shows the codes that the boxes show alone (%s)", async (kind) => {
    const coded = pageOf(black, { x: 5, y: 9, odd: [200, 200, 200] })[kind];
    await expect(checkImage(coded, { code: "A", alone: coded })).resolves.toBeUndefined();
    await expect(checkImage(coded, { code: "A", alone: pageOf(black)[kind] })).rejects.toEqual(
      stillFound("in its image"),
    );
    await expect(checkImage(pageOf(black)[kind], { code: "A", alone: coded })).rejects.toEqual(
      stillFound("in its image"),
    );
    const [wider, higher] = [
      { ...coded, width: 21 },
      { ...coded, height: 21 },
    ];
    for (const alone of [wider, higher])
      await expect(checkImage(coded, { code: "A", alone })).rejects.toThrow(/alone has another size/);
  });

  it("has no text", async () => {
    const found = stillFound("in the text of the page");
    await expect(checkImage(pageOf(black).few, { text: "a" })).rejects.toEqual(found);
    await expect(checkImage(pageOf(black).few, { words: [word] })).rejects.toEqual(found);
  });
});
