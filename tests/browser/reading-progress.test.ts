import { Readable } from "node:stream";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { documentFileKey } from "../../src/files/keys.ts";
import { addDocuments } from "../../src/testing/factories.ts";
import { addReceipt } from "../../src/resources/documents/receipt-store.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { beginSession } from "../../src/testing/people.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { type Reader, atDesk, keepScreenshot, onPhone, open, tooWide, useBrowser } from "./reader.ts";
import { axeFindings, imageShown, openPanel } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");

const owner = app.person("owner", { organizations: [1] });
beforeAll(async () => {
  await addDocuments(app.context, [{}]);
});

const slug = "minutes";
const description = "What was said, and by whom.\n".repeat(60).trim();

/** Adds a document of the owner that waits for processing. Returns its id. */
async function addWaiting(): Promise<number> {
  const row = { user_id: owner.id, status: "pending", slug, title: "Minutes", page_count: 0, description };
  const [id = 0] = await addDocuments(app.context, [row]);
  return id;
}

/** Stores progress as the processing of a file does. */
async function note(id: number, status: string, done: number | null): Promise<void> {
  await app.context.database.write(async (writer) => {
    await writer.updateTable("documents").set({ status, page_count: 10 }).where("id", "=", id).execute();
    await writer.deleteFrom("document_progress").where("document_id", "=", id).execute();
    if (done === null) return;
    const progress = { document_id: id, step: "reading", done, total: 10, at: "2025-01-31T12:00:00.000000Z" };
    await writer.insertInto("document_progress").values(progress).execute();
  });
}

async function readAsOwner(reader: Reader, id: number, body: (page: Page) => Promise<void>): Promise<void> {
  await browser.read(reader, async (page) => {
    const { cookie } = await beginSession(app.context, owner);
    const cookies = cookie.split("; ").map((pair) => {
      const [name = "", value = ""] = pair.split("=");
      return { name, value, url: app.url };
    });
    await page.context().addCookies(cookies);
    try {
      await open(page, `${app.url}/documents/${id}-${slug}/`);
      await body(page);
    } finally {
      await page.context().clearCookies();
    }
  });
}

const phoneWithScripts: Reader = { ...onPhone, scripts: "on" };
const bar = (page: Page) => page.getByRole("progressbar");

describe.each([atDesk, phoneWithScripts])(
  "the page of a document that is being read, by $width pixels, $colors",
  (reader) => {
    it("says first what is wrong with the file, and what to do", async () => {
      const row = { user_id: owner.id, status: "error", slug, title: "Minutes", page_count: 0 };
      const [id = 0] = await addDocuments(app.context, [row]);
      await app.context.database.write(async (writer) => {
        const taken = { documentId: id, milliseconds: 1 } as const;
        await addReceipt(writer, { ...taken, step: "received", outcome: "done", details: { bytes: 1200 } });
        const message = "The file is encrypted: it opens with a password only";
        await addReceipt(writer, { ...taken, step: "read", outcome: "failed", details: { message } });
      });
      await readAsOwner(reader, id, async (page) => {
        // Without pages, the viewer opens with this. On a phone, what can be done comes first.
        if (reader.width < 800) await openPanel(page, "About");
        const panel = page.getByRole("complementary", { name: "About" });
        await panel.getByRole("heading", { name: "What went wrong" }).waitFor();
        const texts = await panel.innerText();
        expect(texts.indexOf("opens with a password only")).toBeLessThan(
          texts.indexOf("Received, 1,200 bytes"),
        );
        expect(texts).toContain("Remove the password from the file and upload it again");
        expect(await tooWide(page)).toBe(0);
        expect(await axeFindings(page)).toEqual([]);
        await keepScreenshot(page, `viewer-account-${reader.width}-${reader.colors}`, "window");
      });
    });

    it("shows the progress, without reloading or disturbing the reader", async () => {
      const id = await addWaiting();
      await readAsOwner(reader, id, async (page) => {
        await expect.poll(() => bar(page).getAttribute("value")).toBeNull();
        await expect.poll(() => page.getByLabel("Waiting for its turn").count()).toBe(1);
        await page.evaluate("window.isSamePage = true");
        const panel = "document.querySelector('.viewer-panel')";
        await page.evaluate(`${panel}.scrollTop = 300`);
        const link = page.getByRole("link", { name: "Record as JSON" });
        await link.evaluate((one) =>
          (one as unknown as { focus(options: object): void }).focus({ preventScroll: true }),
        );
        await expect.poll(() => page.evaluate(`${panel}.scrollTop`)).toBeGreaterThan(100);

        await note(id, "readable", 3);
        const counted = page.getByLabel("Being read, 3 of 10 pages done");
        await counted.waitFor();
        await expect.poll(() => bar(page).getAttribute("value")).toBe("3");
        await expect.poll(() => page.getByRole("status").first().innerText()).toBe("Being read");
        await keepScreenshot(page, `reading-${reader.width}-${reader.colors}`);
        const box = await link.boundingBox();
        await note(id, "readable", 8);
        await page.getByLabel("Being read, 8 of 10 pages done").waitFor();
        expect((await link.boundingBox())?.y).toBeCloseTo(box?.y ?? 0, 0);
        expect(await tooWide(page)).toBe(0);

        const sheet = { width: 612, height: 792, lines: ["Minutes"] };
        const pdf = buildPdf({ pages: Array.from({ length: 10 }, () => sheet) });
        await app.context.files.put(documentFileKey(id, slug, "pdf"), Readable.from([pdf]));
        await note(id, "success", null);
        await page.getByRole("link", { name: "Download PDF" }).waitFor();
        await expect.poll(() => bar(page).count()).toBe(0);
        await expect.poll(() => page.getByRole("status").first().innerText()).toBe("Ready");
        expect(await page.evaluate("window.isSamePage")).toBe(true);
        await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Record as JSON");
        await page.getByRole("button", { name: "Close" }).click();
        await imageShown(page, 1);
      });
    });
  },
);

describe("the page of a document that is being read", () => {
  it("shows the progress without scripts, and leaves it to the reader to reload", async () => {
    const id = await addWaiting();
    await note(id, "readable", 4);
    await readAsOwner(onPhone, id, async (page) => {
      await expect.poll(() => page.getByLabel("Being read, 4 of 10 pages done").count()).toBe(1);
      await expect.poll(() => page.locator("meta[http-equiv]").count()).toBe(0);
      expect(await tooWide(page)).toBe(0);
      await note(id, "readable", 5);
      await page.reload();
      await expect.poll(() => page.getByLabel("Being read, 5 of 10 pages done").count()).toBe(1);
    });
  });

  it("sends no more requests when nothing is being processed", async () => {
    const id = await addWaiting();
    await readAsOwner(atDesk, id, async (page) => {
      await note(id, "success", null);
      await expect.poll(() => bar(page).count()).toBe(0);
      await page.reload();
      await expect.poll(() => page.locator("[data-events]").count()).toBe(0);
    });
  });
});
