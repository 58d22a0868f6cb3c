import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { addPerson } from "../../src/testing/people.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { addReadDocuments } from "../../src/testing/read-documents.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { atDesk, keepScreenshot, onPhone, open, tooWide, useBrowser } from "./reader.ts";
import {
  axeFindings,
  imageShown,
  openViewer,
  pageRegion,
  shareInWindow,
  viewers,
  openPanel,
} from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");
let log: string;
let scan: string;
let huge: string;
let note: number;

const pageCount = 40;

const linesOf = (page: number): string[] => [
  `Logbook of the harbour, page ${page}`,
  page % 10 === 7 ? "A whale was seen from the old quay." : "Nothing was seen.",
  page === 27 ? "The whale came back to the old quay." : "The tide was as the tables say.",
];

beforeAll(async () => {
  const { context } = app;
  const numbers = Array.from({ length: pageCount }, (_, index) => index + 1);
  const pages = numbers.map((page) => ({
    width: page === pageCount ? 792 : 612,
    height: page === pageCount ? 612 : 792,
    lines: linesOf(page),
  }));
  const word = { y1: 0.4, y2: 0.43, upright: true, direction: 1 } as const;
  const recognised = {
    engine: "tess4",
    confidence: 90,
    layer: "",
    words: [
      { text: "Ship", x1: 0.1, x2: 0.2, ...word },
      { text: "ahoy", x1: 0.22, x2: 0.32, ...word },
    ],
  };
  const ids = await addReadDocuments(context, [
    {
      title: "Logbook",
      slug: "logbook",
      language: "eng",
      page_spec: `612x792:0-${pageCount - 2};792x612:${pageCount - 1}`,
      description: "Kept **by hand**.",
      pages: numbers.map((page) => linesOf(page).join("\n")),
      pdf: buildPdf({ pages }),
    },
    {
      title: "Scan",
      slug: "scan",
      pages: [{ text: "Ship ahoy", recognised }],
      pdf: buildPdf({ pages: [{ width: 612, height: 792, drawing: "100 100 200 200 re f" }] }),
    },
    {
      title: "Everything",
      slug: "everything",
      page_count: 30_000,
      page_spec: "612x792:0-29999",
    },
  ]);
  const [logId = 0, scanId = 0, hugeId = 0] = ids;
  [log, scan, huge] = [
    `${app.url}/documents/${logId}-logbook/`,
    `${app.url}/documents/${scanId}-scan/`,
    `${app.url}/documents/${hugeId}-everything/`,
  ];
  const { headers } = await addPerson(context, { username: "mara", isAdministrator: true });
  const post = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await app.fetch(`/api/documents/${logId}/${path}/`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: number };
  };
  const box = { x1: 0.1, x2: 0.6, y1: 0.5, y2: 0.6 };
  const content = "A <b>rare</b> guest";
  ({ id: note } = await post("notes", {
    title: "The guest",
    content,
    page_number: 16,
    access: "public",
    ...box,
  }));
  await post("notes", { title: "Whole page", content: "x", page_number: 4, access: "public" });
  await post("sections", { title: "Winter", page_number: 0 });
  await post("sections", { title: "Summer", page_number: 19 });
});

const status = (page: Page): Promise<string> => page.getByRole("status").first().innerText();
const pageNumber = (page: Page): Promise<string> => page.getByLabel("Page", { exact: true }).inputValue();
const hits = (page: Page, part = ""): ReturnType<Page["locator"]> => page.locator(`.hits .hit${part}`);

describe.each(viewers)("the viewer, by $width pixels, $colors", (reader) => {
  it("shows the pages in one scroll, laid out at once, with only the near ones in the document tree", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, log);
      await imageShown(page, 1);
      expect(await tooWide(page)).toBe(0);
      const shape = await pageRegion(page, 1).boundingBox();
      expect((shape?.width ?? 0) / (shape?.height ?? 1)).toBeCloseTo(612 / 792, 2);
      const height = await page
        .locator(".paper")
        .evaluate((one) => (one as unknown as { offsetHeight: number }).offsetHeight);
      expect(height).toBeGreaterThan(pageCount * ((shape?.height ?? 0) - 200));
      await expect.poll(() => page.locator("[data-page]").count()).toBeLessThan(10);
      await keepScreenshot(page, `viewer-${reader.width}-${reader.colors}`, "window");
    });
  });

  it("has the words of a page over its image, to read, select and copy", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, log);
      const layer = pageRegion(page, 1).locator(".text-layer");
      await layer.getByText("Logbook").waitFor();
      expect((await layer.innerText()).split("\n").map((line) => line.trim())).toEqual(
        expect.arrayContaining(["Logbook of the harbour, page 1", "Nothing was seen."]),
      );
      await expect.poll(() => layer.getAttribute("lang")).toBe("en");
      // As wide as in the PDF: Helvetica and Arial have the same widths.
      const box = await layer.locator("> span", { hasText: "Nothing was" }).boundingBox();
      const sheet = await pageRegion(page, 1).boundingBox();
      const words = (await (
        await app.fetch(`/files${new URL(log).pathname.replace(/-.*/, "")}/pages/logbook-p1.position.json`)
      ).json()) as Record<string, number>[];
      const line = words.filter(({ text }) => ["Nothing", "was", "seen."].includes(String(text)));
      const left = line[0]?.["x1"] ?? 0;
      const right = line[2]?.["x2"] ?? 0;
      expect(((box?.x ?? 0) - (sheet?.x ?? 0)) / (sheet?.width ?? 1)).toBeCloseTo(left, 2);
      expect((box?.width ?? 0) / (sheet?.width ?? 1)).toBeCloseTo(right - left, 2);
    });
  });

  it("goes to a page by its number, and keeps the place in the address", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, log);
      await page.getByLabel("Page", { exact: true }).fill("31");
      await page.keyboard.press("Enter");
      await imageShown(page, 31);
      await expect.poll(() => shareInWindow(pageRegion(page, 31))).toBeGreaterThan(0.3);
      await page.waitForURL(/#document\/p31$/);
      await page.reload();
      await imageShown(page, 31);
      await expect.poll(() => pageNumber(page)).toBe("31");
      await page.getByRole("button", { name: "Next page" }).click();
      await expect.poll(() => pageNumber(page)).toBe("32");
      await page.evaluate("location.hash = '#document/p3'");
      await expect.poll(() => pageNumber(page)).toBe("3");
    });
  });

  it("goes to the number that is typed, also if the page has changed since its field got the focus", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, `${log}#document/p20`);
      await page.getByLabel("Page", { exact: true }).focus();
      await pageRegion(page, 20).hover();
      await page.mouse.wheel(0, 3000);
      await expect.poll(() => pageNumber(page)).not.toBe("20");
      await page.keyboard.type("7");
      await page.keyboard.press("Enter");
      await expect.poll(() => pageNumber(page)).toBe("7");
      await expect.poll(() => page.url()).toMatch(/#document\/p7$/);
    });
  });

  it("finds words, counts the hits, and highlights each on its page", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, log);
      const box = page.getByLabel("Search in this document");
      await box.fill("whale");
      await box.press("Enter");
      await expect.poll(() => status(page)).toBe("5 hits on 4 pages");
      await hits(page, ".current").first().waitFor();
      await expect.poll(() => pageNumber(page)).toBe("7");
      await page.getByRole("button", { name: "Next hit" }).click();
      await page.getByRole("button", { name: "Next hit" }).click();
      await expect.poll(() => status(page)).toBe("Hit 3 of 5, page 27");
      await expect.poll(() => pageRegion(page, 27).locator(".hit").count()).toBe(2);
      const lit = pageRegion(page, 27).locator(".hit.current");
      await expect.poll(() => shareInWindow(lit)).toBe(1);
      const word = await pageRegion(page, 27).locator(".text-layer").getByText("whale").first().boundingBox();
      expect(Math.abs(((await lit.boundingBox())?.x ?? 0) - (word?.x ?? 0))).toBeLessThan(8);
      await keepScreenshot(page, `viewer-hits-${reader.width}-${reader.colors}`, "window");
      await page.getByRole("button", { name: "Previous hit" }).click();
      await expect.poll(() => status(page)).toBe("Hit 2 of 5, page 17");
      await box.fill("nowhere");
      await box.press("Enter");
      await expect.poll(() => status(page)).toBe("Nothing was found");
    });
  });

  it("highlights the words of a scan where they are", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, `${scan}?q=ahoy`);
      const lit = hits(page, ".current");
      await lit.waitFor();
      const [box, sheet] = [await lit.boundingBox(), await pageRegion(page, 1).boundingBox()];
      expect(((box?.x ?? 0) + 2 - (sheet?.x ?? 0)) / (sheet?.width ?? 1)).toBeCloseTo(0.22, 1);
      expect(((box?.y ?? 0) + 2 - (sheet?.y ?? 0)) / (sheet?.height ?? 1)).toBeCloseTo(0.4, 1);
    });
  });

  it("opens from a search at the page that was found, with the words highlighted", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/?q=whale`);
      await page.getByRole("link", { name: "Page 27" }).click();
      await pageRegion(page, 27).locator(".hit.current").waitFor();
      await expect.poll(() => pageNumber(page)).toBe("27");
      await expect.poll(() => page.getByLabel("Search in this document").inputValue()).toBe("whale");
      await page.waitForURL(`${log}?q=whale#document/p27`);
    });
  });

  it("shows notes in their place and in a list, and opens one from its address", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, `${log}#document/p17/a${note}`);
      const card = page.getByRole("group", { name: "The guest" });
      await card.waitFor();
      await expect.poll(() => card.innerText()).toContain("A rare guest");
      await expect.poll(() => shareInWindow(page.getByRole("button", { name: "Note: The guest" }))).toBe(1);
      await page.waitForURL(new RegExp(`#document/p17/a${note}$`));
      await keepScreenshot(page, `viewer-note-${reader.width}-${reader.colors}`, "window");
      await card.getByRole("button", { name: "Close note" }).click();
      await card.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Notes 2" }).click();
      const list = page.getByRole("complementary", { name: "Notes" });
      const headings = list.getByRole("heading", { level: 2 });
      // The browser lays the cards out when they come into view.
      await expect.poll(() => headings.allInnerTexts()).toEqual(["Notes", "Whole page", "The guest"]);
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Notes");
    });
  });

  it("has the sections as its table of contents", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, log);
      await openPanel(page, "Contents");
      const sections = page.getByRole("navigation", { name: "Sections" });
      await expect
        .poll(() => sections.getByRole("link").allInnerTexts())
        .toEqual(["Winter page 1", "Summer page 20"]);
      await sections.getByRole("link", { name: "Summer" }).click();
      await expect.poll(() => pageNumber(page)).toBe("20");
      await expect.poll(() => pageRegion(page, 20).getByText("Summer").count()).toBe(1);
    });
  });

  it("shows facts about the document, and offers its files for download", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, log);
      await openPanel(page, "About");
      const about = page.getByRole("complementary", { name: "About" });
      await expect.poll(() => about.locator(".description strong").innerText()).toBe("by hand");
      for (const [name, file] of [
        ["Download PDF", "logbook.pdf"],
        ["Download text", "logbook.txt"],
      ] as const) {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          about.getByRole("link", { name }).click(),
        ]);
        expect(download.suggestedFilename()).toBe(file);
      }
      await page.keyboard.press("Escape");
      await expect.poll(() => about.count()).toBe(0);
      await expect
        .poll(() => page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent"))
        .toBe(reader === atDesk ? "About" : "More");
    });
  });

  it("zooms, rotates, and shows two pages, thumbnails and text, and stays at the page", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, `${log}#document/p12`);
      await imageShown(page, 12);
      const choose = async (name: string): Promise<void> => {
        await page.getByRole("button", { name: "View", exact: true }).click();
        await page.getByRole("group", { name: "View" }).getByRole("button", { name, exact: true }).click();
      };
      const width = async (): Promise<number> => (await pageRegion(page, 12).boundingBox())?.width ?? 0;
      const before = await width();
      await choose("Zoom in");
      await expect.poll(() => width()).toBeGreaterThan(before * 1.05);
      await choose("Fit page");
      await expect.poll(() => shareInWindow(pageRegion(page, 12))).toBeGreaterThan(0.9);
      await choose("Rotate clockwise");
      const turned = await pageRegion(page, 12).boundingBox();
      expect((turned?.width ?? 0) / (turned?.height ?? 1)).toBeCloseTo(792 / 612, 1);
      await choose("Two pages side by side");
      const [left, right] = [
        await pageRegion(page, 11).boundingBox(),
        await pageRegion(page, 12).boundingBox(),
      ];
      expect(left?.y).toBe(right?.y);
      await expect.poll(() => pageNumber(page)).toBe("12");
      await choose("Thumbnails");
      const grid = page.getByRole("region", { name: "Thumbnails" });
      await grid.getByRole("link", { name: "Page 14", exact: true }).click();
      await expect.poll(() => pageNumber(page)).toBe("14");
      await choose("Text");
      await page.getByRole("region", { name: "Text" }).getByText("Logbook of the harbour, page 14").waitFor();
      await keepScreenshot(page, `viewer-text-${reader.width}-${reader.colors}`, "window");
    });
  });

  it("has no problem that axe-core can find, whichever panel is open", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, `${log}?q=whale#document/p17/a${note}`);
      await imageShown(page, 17);
      await hits(page, ".current").first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      for (const name of ["Contents", "Notes 2", "About"]) {
        await openPanel(page, name);
        expect([name, await axeFindings(page)]).toEqual([name, []]);
        expect(await tooWide(page)).toBe(0);
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
      }
      for (const key of ["?", "s"]) {
        await page.keyboard.press(key);
        await page.getByRole("dialog").waitFor();
        expect([key, await axeFindings(page)]).toEqual([key, []]);
        await page.keyboard.press("Escape");
        await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
      }
      for (const key of ["t", "x"]) {
        await page.keyboard.press(key);
        await page.getByRole("region", { name: /^(Thumbnails|Text)$/ }).waitFor();
        expect([key, await axeFindings(page)]).toEqual([key, []]);
        await page.keyboard.press(key);
      }
    });
  });
});

describe("the viewer", () => {
  it("can be used with keys alone, and lists them", async () => {
    await browser.read(atDesk, async (page) => {
      await openViewer(page, log);
      await imageShown(page, 1);
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => pageNumber(page)).toBe("2");
      await page.keyboard.press("End");
      await expect.poll(() => pageNumber(page)).toBe(String(pageCount));
      await page.keyboard.press("Home");
      await expect.poll(() => pageNumber(page)).toBe("1");
      await page.keyboard.press("/");
      await page.keyboard.type("whale");
      await page.keyboard.press("Enter");
      await expect.poll(() => pageNumber(page)).toBe("7");
      await page.keyboard.press("Enter");
      await expect.poll(() => status(page)).toBe("Hit 2 of 5, page 17");
      await page.keyboard.press("Shift+Enter");
      await expect.poll(() => status(page)).toBe("Hit 1 of 5, page 7");
      await page.getByRole("region", { name: "Pages", exact: true }).focus();
      await page.keyboard.press("n");
      await expect.poll(() => status(page)).toBe("Hit 2 of 5, page 17");
      await page.keyboard.press("?");
      const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await sheet.getByText("Rotate clockwise").waitFor();
      await sheet.getByLabel("Use single letters as shortcuts").uncheck();
      await page.keyboard.press("Escape");
      await page.keyboard.press("n");
      await expect.poll(() => status(page)).toBe("Hit 2 of 5, page 17");
      await page.evaluate("localStorage.clear()");
    });
  });

  it("makes a link to selected words, and a quotation with its source", async () => {
    await browser.read(atDesk, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await openViewer(page, `${log}#document/p7`);
      await pageRegion(page, 7).locator(".text-layer").getByText("whale").first().waitFor();
      await page.evaluate(`(() => {
        const line = [...document.querySelectorAll('[data-page="7"] .text-layer > span')].find((one) => one.textContent.includes("whale"));
        getSelection().selectAllChildren(line);
      })()`);
      const tools = page.getByRole("group", { name: "Selected words" });
      const similar = await tools.getByRole("link", { name: "More like this" }).getAttribute("href");
      expect(new URL(similar ?? "").searchParams.get("like_text")).toBe(
        "A whale was seen from the old quay.",
      );
      await tools.getByRole("button", { name: "Copy quotation" }).click();
      await expect.poll(() => status(page)).toBe("Quotation copied");
      const quotation = await page.evaluate<string>("navigator.clipboard.readText()");
      expect(quotation).toMatch(/^“A whale was seen from the old quay.”\n— Logbook, page 7\nhttp/);
      const [address = ""] = /http\S*$/.exec(quotation) ?? [];
      await openViewer(page, address);
      await pageRegion(page, 7).locator(".hit.current").first().waitFor();
      await expect.poll(() => pageNumber(page)).toBe("7");
    });
  });

  it("opens one dialog right after another was closed", async () => {
    await browser.read(atDesk, async (page) => {
      await openViewer(page, log);
      await imageShown(page, 1);
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      // The browser sends the first dialog's close event after the key press.
      await page.evaluate(`(() => {
        document.querySelector("dialog").close();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true, cancelable: true }));
      })()`);
      await page.getByRole("dialog", { name: "Share" }).waitFor();
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      await expect.poll(() => page.getByRole("dialog", { name: "Share" }).isVisible()).toBe(true);
    });
  });

  it("offers the link to the apps of a device that has them", async () => {
    await browser.read(atDesk, async (page) => {
      await page.addInitScript("navigator.share = async (shared) => void (window.shared = shared)");
      await openViewer(page, log);
      await page.keyboard.press("s");
      const dialog = page.getByRole("dialog", { name: "Share" });
      await dialog.getByRole("button", { name: "Send with an app" }).click();
      const link = await dialog.getByLabel("Link", { exact: true }).inputValue();
      await expect
        .poll(() => page.evaluate("window.shared"))
        .toMatchObject({ url: link, title: expect.any(String) });
    });
  });

  it("opens 30,000 pages as fast as one, and reaches each of them at any zoom", async () => {
    await browser.read(atDesk, async (page) => {
      await openViewer(page, huge);
      for (const zooms of [0, 9]) {
        for (let step = 0; step < zooms; step++) await page.getByRole("button", { name: "Zoom in" }).click();
        for (const wanted of ["30000", "15001", "2"]) {
          await page.getByLabel("Page", { exact: true }).fill(wanted);
          await page.keyboard.press("Enter");
          await expect.poll(() => pageNumber(page)).toBe(wanted);
          await expect.poll(() => pageRegion(page, Number(wanted)).isVisible()).toBe(true);
          await expect.poll(() => page.locator("[data-page]").count()).toBeLessThan(60);
        }
      }
      const scroller = page.getByRole("region", { name: "Pages", exact: true });
      await scroller.evaluate((one) =>
        (one as unknown as { scrollTo(x: number, y: number): void }).scrollTo(0, 1e9),
      );
      await expect.poll(() => pageNumber(page)).toBe("30000");
    });
  });

  it.each([360, 1920])("fits a window of %i pixels", async (width) => {
    await browser.read({ ...atDesk, width }, async (page) => {
      await openViewer(page, `${log}?q=whale`);
      await hits(page, ".current").first().waitFor();
      expect(await tooWide(page)).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
    });
  });

  it("sends a reader a script of at most 70 kB", async () => {
    const { gzipSync } = await import("node:zlib");
    const markup = await (await app.fetch(new URL(log).pathname)).text();
    const scripts = Array.from(markup.matchAll(/<script[^>]*src="([^"]*)"/g), ([, src = ""]) => src);
    expect(scripts).toHaveLength(1);
    const chunks = Array.from(
      markup.matchAll(/rel="modulepreload" href="([^"]*)"/g),
      ([, href = ""]) => href,
    );
    const sources = await Promise.all(
      [...scripts, ...chunks].map(async (source) => (await app.fetch(source)).text()),
    );
    const sizes = sources.map((source) => gzipSync(source).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(70_000);
    // It has everything that the script imports at once, and nothing that only people who write need.
    const imported = sources.flatMap((source) =>
      Array.from(source.matchAll(/\b(?:from|import)"\.\/([^"]+)"/g), ([, name = ""]) => `/static/${name}`),
    );
    expect(new Set(chunks)).toEqual(new Set(imported));
    expect(sources.join("")).not.toContain("Save the note");
  });
});

describe("a document without scripts", () => {
  it("shows its first pages as images with their text, leads to every page, and can be searched", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, log);
      await expect.poll(() => page.getByRole("img", { name: "Page 1 as it looks" }).isVisible()).toBe(true);
      await page.locator("summary").first().click();
      await expect
        .poll(() => page.locator(".page-text").first().innerText())
        .toContain("Logbook of the harbour, page 1");
      expect(await tooWide(page)).toBe(0);
      const others = page.getByRole("navigation", { name: "Other pages" });
      await expect.poll(() => others.getByRole("link", { name: `Page ${pageCount}` }).count()).toBe(1);
      await expect.poll(() => others.getByRole("link").count()).toBeLessThan(pageCount);
      await keepScreenshot(page, "viewer-without-scripts", "window");
      await page.getByLabel("Search in this document").fill("whale");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("link", { name: "Page 27" }).click();
      await expect.poll(() => page.getByRole("img", { name: "Page 27 as it looks" }).isVisible()).toBe(true);
      await others.getByRole("spinbutton").fill("33");
      await others.getByRole("button", { name: "Go to the page" }).click();
      await page.getByRole("img", { name: "Page 33 as it looks" }).waitFor();
    });
  });
});
