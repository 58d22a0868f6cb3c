import { beforeAll, describe, expect, it } from "vitest";
import { addProject } from "../../src/testing/factories.ts";
import { faintTexts } from "./faint-texts.ts";
import { useLibrary } from "./library.ts";
import { useBrowser, keepScreenshot, open, readers, tooWide } from "./reader.ts";
import { followSiteLink } from "./signed-in.ts";

const browser = useBrowser();
const library = useLibrary();

beforeAll(async () => {
  const { context } = library.app;
  const { report } = library.ids;
  const description = "What came and went by ship, year after year, as the harbour office wrote it down.";
  await addProject(context, { title: "The harbour", slug: "the-harbour", description }, [report]);
  await addProject(context, { title: "Kept back", slug: "kept-back", private: true }, [report]);
  for (let number = 1; number <= 26; number++) {
    await addProject(context, { title: `Budget ${number}`, slug: `budget-${2000 + number}` }, []);
  }
});

describe.each(readers)("the list of projects, by $width pixels, scripts $scripts, $colors", (reader) => {
  it("is linked from the front page, and links to each project and its documents", async () => {
    await browser.read(reader, async (page) => {
      await open(page, library.app.url);
      const site = page.getByRole("navigation", { name: "Site", includeHidden: true });
      await followSiteLink(page, "Projects");
      expect(page.url()).toBe(`${library.app.url}/projects/`);
      expect(await page.title()).toBe("Projects – Quire");
      await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("Projects");
      const current = site.locator("[aria-current]");
      await expect.poll(() => current.textContent()).toBe("Projects");
      expect(await page.getByRole("main").innerText()).not.toContain("Kept back");
      expect(await tooWide(page)).toBe(0);
      expect(await faintTexts(page)).toEqual([]);
      await keepScreenshot(page, `projects-${reader.width}-${reader.colors}`, "window");

      await page.getByRole("link", { name: "The harbour" }).click();
      expect(new URL(page.url()).pathname).toMatch(/^\/projects\/\d+-the-harbour\/$/);
      await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("The harbour");
      await expect
        .poll(() => page.getByRole("link", { name: "Annual report of the harbour office" }).count())
        .toBe(1);
    });
  });

  it("has several pages if necessary", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${library.app.url}/projects`);
      expect(page.url()).toBe(`${library.app.url}/projects/`);
      const names = () => page.getByRole("heading", { level: 2 }).allInnerTexts();
      const first = await names();
      await page.getByRole("link", { name: "Next" }).click();
      const second = await names();
      expect([first.length, second.length]).toEqual([25, 2]);
      expect(new Set([...first, ...second]).size).toBe(27);
      await page.getByRole("link", { name: "Previous" }).click();
      await expect.poll(() => names()).toEqual(first);
    });
  });
});
