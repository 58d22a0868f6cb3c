import { describe, expect, it } from "vitest";
import { type PdfDocument, PageError, type PdfReader } from "../../../processing/pdf/pdf-pages.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { type RedactedPage, checkRedactedFile } from "./redaction-check.ts";

/*
 * The rules of the check, with stand-ins for what reads PDFs. `redaction-check.test.ts` has the same check read files.
 */

/** A page of a stand-in: its text, and the words of it that are visible. A string is a page that shows all its text. */
type Page = string | Error | { text: string; seen: readonly string[] | Error };

function valueOf<Value>(value: Value | Error): Value {
  if (value instanceof Error) throw value;
  return value;
}

function pdfOf(...pages: readonly Page[]): PdfDocument {
  const at = (page: number): { text: string; seen: readonly string[] | Error } => {
    const found = valueOf(pages[page]!);
    return typeof found === "string" ? { text: found, seen: [found] } : found;
  };
  return {
    facts: { pageCount: pages.length },
    plainText: async (page: number) => ({ text: at(page).text }),
    seenWords: async (page: number) => ({ text: at(page).text, seen: valueOf(at(page).seen) }),
  } as unknown as PdfDocument;
}

const [upper, lower] = [
  { x1: 0, x2: 1, y1: 0, y2: 0.5 },
  { x1: 0, x2: 1, y1: 0.5, y2: 1 },
];
const wordAt = (text: string, box: typeof upper): PageWord => ({
  text,
  upright: true,
  direction: 1,
  x1: 0.1,
  x2: 0.2,
  y1: box.y1 + 0.1,
  y2: box.y1 + 0.2,
});

/** A page whose upper half is hidden, with these words there, and what was read of it afterwards. */
function redactedPage(
  hidden: string,
  {
    page = 0,
    text = "",
    above = [],
    below = [],
    layer = "",
  }: { page?: number; text?: string; above?: string[]; below?: string[]; layer?: string } = {},
): RedactedPage {
  const words = [...above.map((word) => wordAt(word, upper)), ...below.map((word) => wordAt(word, lower))];
  return {
    page,
    boxes: [upper],
    hidden: hidden.split(" ").map((word) => wordAt(word, upper)),
    read: { text, recognised: { engine: "tess4", confidence: 90, layer, words } },
  };
}

interface Sought {
  path: string;
  words: readonly string[];
  staying: readonly string[];
}

/** Checks a file. The stand-in finds `inFile` in it. */
async function check(
  redacted: readonly RedactedPage[],
  {
    before,
    after = before,
    pageCount = before.length,
    inFile = [],
    signal = new AbortController().signal,
  }: { before: Page[]; after?: Page[]; pageCount?: number; inFile?: string[]; signal?: AbortSignal },
) {
  const sought: Sought[] = [];
  const reader = {
    find: async (path: string, asked: Omit<Sought, "path">) => {
      sought.push({ path, ...asked });
      return asked.words.filter((word) => inFile.includes(word));
    },
  } as unknown as PdfReader;
  const file = { before: pdfOf(...before), after: pdfOf(...after), path: "made.pdf", pageCount };
  return { standing: await checkRedactedFile(reader, file, redacted, signal), sought };
}

const hiddenPage = "(a page of boxes)";
const stillFound = (page: number, where: string) =>
  expect.objectContaining({
    name: "RedactionFailedError",
    message: `Hidden content of page ${page} can still be found ${where}: nothing was published`,
  });

describe("what is read of a redacted page", () => {
  const before = [hiddenPage];

  it("may have the words that are not under boxes, as often as they are there", async () => {
    const twice = redactedPage("Ada Byron", { text: "ada and Ada", below: ["Ada", "and", "ada"] });
    expect((await check([twice], { before })).standing).toEqual([]);
    const once = redactedPage("Ada Byron", { page: 0, text: "ada and Ada", below: ["Ada", "and"] });
    await expect(check([once], { before })).rejects.toEqual(stillFound(1, "in the text of the page"));
    const unread: RedactedPage = { ...once, read: { text: "and" } };
    await expect(check([unread], { before })).resolves.toMatchObject({ standing: [] });
    await expect(check([{ ...unread, read: { text: "Ada" } }], { before })).rejects.toEqual(
      stillFound(1, "in the text of the page"),
    );
  });

  it("may not have a hidden word where it was, but another one", async () => {
    const same = redactedPage("Ada", { page: 0, above: ["ADA"] });
    await expect(check([same], { before })).rejects.toEqual(stillFound(1, "where it was"));
    const other = redactedPage("Ada", { page: 0, above: ["||"], below: ["Ada"] });
    await expect(check([other], { before })).resolves.toMatchObject({ standing: [] });
    // A word that is read under a box does not let it be in the text.
    const under = redactedPage("Ada", { page: 0, text: "Byron Ada", above: ["Byron"] });
    await expect(check([under], { before })).rejects.toEqual(stillFound(1, "in the text of the page"));
  });

  it("may have no text of the file", async () => {
    const layered = redactedPage("Ada", { page: 1, layer: "anything" });
    const two = ["One", hiddenPage];
    await expect(check([layered], { before: two })).rejects.toEqual(
      stillFound(2, "in the text that the file had"),
    );
    await expect(
      check([redactedPage("Ada", { page: 1, layer: " - " })], { before: two }),
    ).resolves.toBeDefined();
  });
});

const lost = (page: number) =>
  expect.objectContaining({
    message: `Page ${page}, which has nothing to hide, would not stay as it is`,
  });

describe("the other pages of a redacted file", () => {
  const ada = redactedPage("Ada Lovelace x 12");

  it("have each of their words as often as before, at least", async () => {
    const before = [hiddenPage, "one two two", "three"];
    await expect(
      check([ada], { before, after: [hiddenPage, "two one two two", "three"] }),
    ).resolves.toBeDefined();
    await expect(check([ada], { before, after: [hiddenPage, "one two", "three"] })).rejects.toEqual(lost(2));
    await expect(check([ada], { before, after: [hiddenPage, "one two two", ""] })).rejects.toEqual(lost(3));
  });

  it("are listed, in order, if a hidden word is visible there", async () => {
    const second = redactedPage("Byron", { page: 2 });
    const before: Page[] = ["Lovelace", "nothing", hiddenPage, "Ada, LOVELACE and Byron", "x 12"];
    const { standing } = await check([{ ...ada, page: 2 }, second], { before });
    expect(standing).toEqual([
      { page: 1, seen: 1, unseen: 0 },
      { page: 4, seen: 2, unseen: 0 },
    ]);
  });

  it("are counted with words of four letters and with those that have no plain letters only", async () => {
    const words = redactedPage("Adam Eva Ödm 123");
    const before = [hiddenPage, "adam", "eva", "Ödm", "123"];
    const { standing } = await check([words], { before });
    expect(standing.map(({ page }) => page)).toEqual([2, 5]);
  });

  it("may have a hidden word in invisible text only if it is visible somewhere", async () => {
    const unseen = { text: "by Lovelace", seen: ["by"] };
    const shown = await check([ada], { before: [hiddenPage, unseen, "Lovelace"] });
    expect(shown.standing).toEqual([
      { page: 2, seen: 0, unseen: 1 },
      { page: 3, seen: 1, unseen: 0 },
    ]);
    await expect(check([ada], { before: [hiddenPage, unseen] })).rejects.toEqual(
      stillFound(1, "in text that cannot be seen, on page 2"),
    );
  });

  it("are named with the page from which the word comes, and twenty of them at most", async () => {
    const unseen = { text: "Byron", seen: [] };
    const pages = [redactedPage("Ada", { page: 1 }), redactedPage("Byron", { page: 3 })];
    const few = ["Ada", hiddenPage, unseen, hiddenPage, unseen];
    await expect(check(pages, { before: few })).rejects.toEqual(
      stillFound(4, "in text that cannot be seen, on pages 3, 5"),
    );
    const numbers = Array.from({ length: 20 }, (_, index) => index + 5).join(", ");
    const many = (count: number) => [
      "",
      hiddenPage,
      "",
      hiddenPage,
      ...Array.from({ length: count }, () => unseen),
    ];
    await expect(check(pages, { before: many(20) })).rejects.toEqual(
      stillFound(4, `in text that cannot be seen, on pages ${numbers}`),
    );
    await expect(check(pages, { before: many(23) })).rejects.toEqual(
      stillFound(4, `in text that cannot be seen, on pages ${numbers} and 3 more`),
    );
  });

  it("show nothing if they cannot be drawn, and have no text if they cannot be read", async () => {
    const broken = new PageError(1, "broken", "broken");
    const undrawn = { text: "Lovelace", seen: broken };
    await expect(check([ada], { before: [hiddenPage, undrawn] })).rejects.toEqual(
      stillFound(1, "in text that cannot be seen, on page 2"),
    );
    expect((await check([ada], { before: [hiddenPage, undrawn, "Lovelace"] })).standing).toContainEqual({
      page: 2,
      seen: 0,
      unseen: 1,
    });
    await expect(check([ada], { before: [hiddenPage, broken] })).resolves.toMatchObject({ standing: [] });
    const other = new Error("The disk is full");
    await expect(check([ada], { before: [hiddenPage, other] })).rejects.toBe(other);
    await expect(check([ada], { before: [hiddenPage, { text: "Ada", seen: other }] })).rejects.toBe(other);
  });

  it("are not read once nobody waits for the result", async () => {
    const signal = AbortSignal.abort(new Error("Nobody waits"));
    await expect(check([ada], { before: [hiddenPage, "Two"], signal })).rejects.toThrow("Nobody waits");
  });
});

describe("the bytes of a redacted file", () => {
  it("are searched for the telling words of each page, beside those that stay", async () => {
    const pages = [
      redactedPage("Ada's 2,ADA x 12 123", { text: "kept below", below: ["kept", "below"] }),
      redactedPage("Byron", { page: 2 }),
    ];
    const before: Page[] = [hiddenPage, "Not searched", hiddenPage, "Ada Byron"];
    const { sought } = await check(pages, { before, after: [...before, "Index of 2 pages"], pageCount: 4 });
    expect(sought.map(({ path, words }) => [path, words])).toEqual([
      ["made.pdf", ["Ada", "ADA", "123"]],
      ["made.pdf", ["Byron"]],
    ]);
    const staying = ["kept", "below", "Index", "of", "2", "pages", "Ada", "Byron"];
    for (const asked of sought) expect(asked.staying).toEqual(staying);
  });

  it("may not have any of them", async () => {
    const pages = [redactedPage("Ada"), redactedPage("Byron", { page: 1 })];
    await expect(check(pages, { before: ["", ""], inFile: ["Byron"] })).rejects.toEqual(
      stillFound(2, "in the file"),
    );
  });
});
