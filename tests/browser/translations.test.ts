import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { addDocuments } from "../../src/testing/factories.ts";
import { useApp } from "../../src/testing/test-app.ts";
import esUploads from "../../src/texts/es/uploads.json" with { type: "json" };
import esViewer from "../../src/texts/es/viewer.json" with { type: "json" };
import frUploads from "../../src/texts/fr/uploads.json" with { type: "json" };
import frViewer from "../../src/texts/fr/viewer.json" with { type: "json" };
import { pageTexts } from "../../src/texts/pages.ts";
import { workAs } from "./desk.ts";
import { keepScreenshot, open, tooWide, useBrowser } from "./reader.ts";
import { onPhoneWithScripts } from "./viewer.ts";

// German has a test of its own, which uses the tools of the viewer too.

const browser = useBrowser();
const app = useApp("sqlite");
let document = "";

const person = app.person("Ines", { organizations: [1], isAdministrator: true, password: "any" });
beforeAll(async () => {
  const [id] = await addDocuments(app.context, [{ title: "Puerto", slug: "puerto", page_count: 2 }]);
  document = `/documents/${id}-puerto/`;
});

/** By how much the page is too wide for a large screen and for a phone, if it is in the language. */
async function widthsOf(page: Page, language: string, path: string): Promise<unknown> {
  const widths = [];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    widths.push(await tooWide(page));
    await keepScreenshot(page, `${language}${path.replaceAll(/\W+/g, "-")}${width}`, "window");
  }
  return [path, await page.evaluate("document.documentElement.lang"), ...widths];
}

it.each([
  ["fr", frUploads, frViewer],
  ["es", esUploads, esViewer],
] as const)("the pages in %s are in this language and fit", async (language, uploads, viewer) => {
  const texts = pageTexts({ language });
  await workAs({ browser, app, person, reader: onPhoneWithScripts }, "/", async (page) => {
    await page.setExtraHTTPHeaders({ "accept-language": language });
    const pages: readonly (readonly [path: string, words: string])[] = [
      ["/", texts.search],
      [`${document}search/?q=x`, texts.document.noPageMatches],
      ["/notes/", texts.noteList.show],
      ["/projects/", texts.newProject],
      ["/upload/", uploads.chooseFiles],
      ["/documents/", texts.documents],
      ["/documents/trash/", texts.trash],
      ["/account/", texts.account.title],
      ["/admin/", texts.adminPages.queue],
      ["/admin/people/", texts.adminPages.people],
      ["/admin/queue/", texts.adminPages.queue],
      ["/admin/settings/", texts.adminPages.settings],
    ];
    for (const [path, words] of pages) {
      await open(page, `${app.url}${path}`);
      await page.getByText(words).first().waitFor({ state: "attached" });
      expect(await widthsOf(page, language, path)).toEqual([path, language, 0, 0]);
    }
    await open(page, `${app.url}${document}`);
    await page.getByRole("toolbar", { name: viewer.document }).waitFor();
    expect(await widthsOf(page, language, "/document/")).toEqual(["/document/", language, 0, 0]);
    await page.context().clearCookies();
    await open(page, `${app.url}/sign-in/`);
    await page.getByRole("button", { name: texts.account.signIn }).waitFor();
    expect(await widthsOf(page, language, "/sign-in/")).toEqual(["/sign-in/", language, 0, 0]);
  });
});
