import { beforeAll, describe, expect, it } from "vitest";
import { importSamples, sampleLanguages } from "../../src/import/samples.ts";
import { addPerson } from "../../src/testing/people.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { buildWorker } from "../../src/worker.ts";
import { type Reader, keepScreenshot, open, tooWide, useBrowser } from "./reader.ts";
import { imageShown } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");

beforeAll(async () => {
  const progress = { update: () => {}, note: () => {}, finish: () => {} };
  await addPerson(app.context, { username: "admin", password: "any", isAdministrator: true });
  await importSamples(app.context, { signal: new AbortController().signal, progress });
  const worker = buildWorker(app.context);
  worker.start();
  await worker.drain();
  await worker.stop();
});

const byNight: Reader = { scripts: "on", width: 1280, colors: "dark" };

describe("the samples of a first start", () => {
  it("are on the front page, and each is shown", async () => {
    await browser.read(byNight, async (page) => {
      await open(page, `${app.url}/documents/`);
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, "samples");
      const links = await page.locator(".documents h2 a").all();
      const addresses = await Promise.all(links.map((link) => link.getAttribute("href")));
      expect(addresses).toHaveLength(Object.keys(sampleLanguages).length);
      for (const address of addresses.filter((one) => one !== null)) {
        await open(page, address);
        await imageShown(page, 1);
        await keepScreenshot(page, `sample-${address.split("/").at(-2)}`, "window");
      }
    });
  });
});
