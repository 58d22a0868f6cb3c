import type { FrameLocator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { addPerson } from "../../src/testing/people.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { addReadDocuments } from "../../src/testing/read-documents.ts";
import { startRemoteServer } from "../../src/testing/remote-server.ts";
import { useApp, useStarted } from "../../src/testing/test-app.ts";
import { keepScreenshot, open, useBrowser } from "./reader.ts";
import { axeFindings, pageRegion, viewers } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");
const site = useStarted(() =>
  startRemoteServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    const head = `<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">`;
    response.end(`<!doctype html><html lang="en"><title>News</title>${head}<body>${markup}</body></html>`);
  }),
);
let id: number;
let huge: number;
let secret: number;
let note: number;
/** The HTML of the other site's page. Its host name differs, so the browser sends no cookie from its frames. */
let markup = "";

const pageCount = 12;
const linesOf = (page: number): string[] => [
  `Logbook, page ${page}`,
  page % 5 === 2 ? "A whale was seen." : "Nothing was seen.",
];

beforeAll(async () => {
  const { context } = app;
  const numbers = Array.from({ length: pageCount }, (_, index) => index + 1);
  const pdf = buildPdf({
    pages: numbers.map((page) => ({ width: 612, height: 792, lines: linesOf(page) })),
  });
  const hugeSpec = { page_count: 30_000, page_spec: "612x792:0-29999" };
  [id = 0, huge = 0, secret = 0] = await addReadDocuments(context, [
    { title: "Logbook", slug: "logbook", pages: numbers.map((page) => linesOf(page).join("\n")), pdf },
    { title: "Everything", slug: "everything", ...hugeSpec, pdf },
    {
      title: "A secret",
      slug: "secret",
      access: "private",
    },
  ]);
  const { headers } = await addPerson(context, { username: "mara", isAdministrator: true });
  const answer = await app.fetch(`/api/documents/${id}/notes/`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      title: "The guest",
      content: "A <b>rare</b> guest",
      page_number: 6,
      access: "public",
      x1: 0.1,
      x2: 0.4,
      y1: 0.05,
      y2: 0.12,
    }),
  });
  ({ id: note } = (await answer.json()) as { id: number });
});

const address = (path: string): string => `${app.url}/documents/${id}-logbook/${path}`;

async function openNews(page: Page): Promise<FrameLocator> {
  await open(page, `http://localhost:${site.port}/`);
  return page.frameLocator("iframe").first();
}

/** Opens another site's page with the HTML that the oEmbed endpoint returns for an address. */
async function openEmbed(page: Page, url: string): Promise<FrameLocator> {
  const answer = await app.fetch(`/api/oembed/?url=${encodeURIComponent(url)}`);
  expect(answer.status).toBe(200);
  markup = ((await answer.json()) as { html: string }).html;
  return openNews(page);
}

async function imageShown(frame: FrameLocator, number: number): Promise<void> {
  await frame.locator(`[data-page="${number}"][data-image="shown"]`).waitFor();
}

describe.each(viewers)("an embed, by $width pixels, $colors", (reader) => {
  it("of a document has pages to turn, a search and a link to the place", async () => {
    await browser.read(reader, async (page) => {
      const frame = await openEmbed(page, address(""));
      await imageShown(frame, 1);
      await frame.getByRole("button", { name: "Next page" }).click();
      await expect.poll(() => frame.getByLabel("Page", { exact: true }).inputValue()).toBe("2");
      await frame.getByLabel("Page", { exact: true }).fill("9");
      await frame.getByLabel("Page", { exact: true }).press("Enter");
      await imageShown(frame, 9);
      const box = frame.getByRole("searchbox", { name: "Search in this document" });
      await box.fill("whale");
      await box.press("Enter");
      await imageShown(frame, 12);
      await frame.locator(".hit.current").waitFor();
      await box.press("Enter");
      await imageShown(frame, 2);
      await expect
        .poll(() => frame.getByRole("button", { name: /hits, list them/ }).innerText())
        .toMatch(/^1 \/ 3/);
      await keepScreenshot(page, `embed-document-${reader.width}-${reader.colors}`);
      const link = frame.getByRole("link", { name: "Logbook" });
      await expect.poll(() => link.getAttribute("href")).toBe(address("?q=whale#document/p2"));
      // By the keyboard: the toolbar may still make room for the hits, and a click would miss the link.
      const [opened] = await Promise.all([page.waitForEvent("popup"), link.press("Enter")]);
      await opened.locator('[data-page="2"][data-image="shown"]').waitFor();
      // The sandbox of the frame does not apply to tabs opened from it.
      await opened.locator(".site-header").waitFor();
      await opened.close();
    });
  });

  it("of a page shows all of that page", async () => {
    await browser.read(reader, async (page) => {
      const frame = await openEmbed(page, address("#document/p7"));
      await imageShown(frame, 7);
      const [whole, shown] = await Promise.all([
        frame.locator(".pages").boundingBox(),
        frame.locator('[data-page="7"]').boundingBox(),
      ]);
      expect(shown?.y).toBeGreaterThanOrEqual(whole?.y ?? 0);
      expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(
        (whole?.y ?? 0) + (whole?.height ?? 0),
      );
      await keepScreenshot(page, `embed-page-${reader.width}-${reader.colors}`);
    });
  });

  it("of a note shows its text, and its part of the page as large as possible", async () => {
    await browser.read(reader, async (page) => {
      const frame = await openEmbed(page, address(`#document/p7/a${note}`));
      await imageShown(frame, 7);
      const text = frame.getByRole("region", { name: "The guest" });
      await expect.poll(() => text.innerText()).toContain("A rare guest");
      const [pages, mark] = await Promise.all([
        frame.locator(".pages").boundingBox(),
        frame.getByRole("button", { name: "Note: The guest" }).boundingBox(),
      ]);
      expect(mark?.y).toBeGreaterThan(pages?.y ?? 0);
      expect((mark?.y ?? 0) + (mark?.height ?? 0)).toBeLessThan((pages?.y ?? 0) + (pages?.height ?? 0));
      expect(mark?.x).toBeGreaterThanOrEqual(pages?.x ?? 0);
      expect((mark?.width ?? 0) / (pages?.width ?? 1)).toBeGreaterThan(0.28);
      await keepScreenshot(page, `embed-note-${reader.width}-${reader.colors}`);
      await text.getByRole("button", { name: "Close note" }).click();
      await text.waitFor({ state: "detached" });
    });
  });

  it("has the colours that the other site chooses, or else those of the reader", async () => {
    await browser.read(reader, async (page) => {
      const background = async (parameters: string): Promise<string> => {
        const frame = await openEmbed(page, address(parameters));
        await imageShown(frame, 1);
        await keepScreenshot(page, `embed-theme-${parameters.slice(7)}-${reader.width}-${reader.colors}`);
        const body = frame.locator("body");
        return body.evaluate(
          (one) =>
            (
              globalThis as unknown as { getComputedStyle(of: unknown): { backgroundColor: string } }
            ).getComputedStyle(one).backgroundColor,
        );
      };
      const [light, dark] = [await background("?theme=light"), await background("?theme=dark")];
      expect([light, dark]).toEqual(["rgb(250, 249, 246)", "rgb(23, 22, 20)"]);
      expect(await background("")).toBe(reader.colors === "light" ? light : dark);
    });
  });

  it("works where the other site allows its frames nothing but scripts", async () => {
    await browser.read(reader, async (page) => {
      const source = `${app.url}/embed/documents/${id}/#?secret=abc`;
      markup = `<iframe src="${source}" sandbox="allow-scripts" width="300" height="400"></iframe>`;
      const frame = await openNews(page);
      await imageShown(frame, 1);
      await frame.getByRole("searchbox").fill("whale");
      await frame.getByRole("searchbox").press("Enter");
      await frame.locator(".hit.current").waitFor();
      await frame.getByLabel("Page", { exact: true }).fill("11");
      await frame.getByLabel("Page", { exact: true }).press("Enter");
      await imageShown(frame, 11);
      await expect.poll(() => frame.getByLabel("Page", { exact: true }).inputValue()).toBe("11");
    });
  });

  it("says so if the document is missing or not public", async () => {
    await browser.read(reader, async (page) => {
      for (const path of [
        `embed/documents/${secret}`,
        `documents/${secret}/pages/1`,
        `documents/${id}/pages/99`,
      ]) {
        const answer = await open(page, `${app.url}/${path}/?embed=1`);
        expect(answer.status()).toBe(404);
        expect(answer.headers()["content-security-policy"]).toContain("frame-ancestors *");
        await expect
          .poll(() => page.getByRole("heading").innerText())
          .toBe("This document cannot be shown here");
        await expect
          .poll(() => page.getByRole("link").getAttribute("href"))
          .toBe(`${app.url}/${path.replace("embed/", "")}/`);
        expect(await axeFindings(page)).toEqual([]);
        await keepScreenshot(page, `embed-missing-${reader.width}-${reader.colors}`);
      }
    });
  });

  it("has no problem that axe-core can find", async () => {
    await browser.read(reader, async (page) => {
      for (const path of [
        `/embed/documents/${id}/`,
        `/embed/documents/${id}/?theme=dark`,
        `/documents/${id}/pages/7/?embed=1&theme=light`,
        `/documents/${id}/annotations/${note}/?embed=1`,
      ]) {
        await open(page, `${app.url}${path}`);
        await page.locator('[data-image="shown"]').first().waitFor();
        expect.soft([path, await axeFindings(page)]).toEqual([path, []]);
      }
    });
  });

  it("loads as many bytes for a long document as for a short one, and the viewer only once", async () => {
    await browser.read(reader, async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Network.enable");
      let bytes = 0;
      session.on("Network.loadingFinished", ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      const cost = async (path: string): Promise<number> => {
        bytes = 0;
        await open(page, `${app.url}${path}`);
        await page.locator('[data-image="shown"]').first().waitFor();
        await page.waitForLoadState("networkidle");
        return bytes;
      };
      await session.send("Network.clearBrowserCache");
      const first = await cost(`/embed/documents/${id}/`);
      const again = await cost(`/documents/${id}/pages/3/?embed=1`);
      const long = await cost(`/embed/documents/${huge}/`);
      expect(first).toBeLessThan(300_000);
      expect(again).toBeLessThan(first - 20_000);
      expect(Math.abs(long - again)).toBeLessThan(20_000);
      await session.detach();
    });
  });
});

describe.each(viewers)("the address of a part of a document, by $width pixels, $colors", (reader) => {
  it("leads to the place in the whole viewer, and in a frame to the small one", async () => {
    await browser.read(reader, async (page) => {
      const parts = [
        { path: `/documents/${id}-logbook/pages/7/`, hash: "#document/p7" },
        { path: `/documents/${id}/annotations/${note}/`, hash: `#document/p7/a${note}` },
      ];
      // Twice, because cached answers for one must not be used for the other.
      for (const { path, hash } of [...parts, ...parts]) {
        await open(page, `${app.url}${path}`);
        await page.locator(".site-header").waitFor();
        await page.locator('[data-page="7"][data-image="shown"]').waitFor();
        expect(page.url()).toBe(address(hash));
        if (hash.includes("/a")) await page.getByRole("group", { name: "The guest" }).waitFor();
        await page.getByRole("button", { name: "Next page" }).click();
        await expect.poll(() => page.url()).toBe(address("#document/p8"));
        markup = `<iframe src="${app.url}${path}" width="300" height="400"></iframe>`;
        const frame = await openNews(page);
        await imageShown(frame, 7);
        await expect.poll(() => frame.locator(".site-header").count()).toBe(0);
      }
    });
  });

  it("keeps the search that it comes with", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/documents/${id}/pages/7/?q=whale`);
      await pageRegion(page, 7).waitFor();
      await page.locator('[data-page="7"] .hit').first().waitFor();
      await expect.poll(() => page.url()).toBe(address("?q=whale#document/p7"));
    });
  });
});
