import { describe, expect, it } from "vitest";
import { addProject } from "../../src/testing/factories.ts";
import { addPerson } from "../../src/testing/people.ts";
import { workAs } from "./desk.ts";
import { type Library, useLibrary } from "./library.ts";
import { type Reader, useBrowser, keepScreenshot, open, tooWide } from "./reader.ts";
import { faintTexts } from "./faint-texts.ts";
import { axeFindings, viewers } from "./viewer.ts";

const browser = useBrowser();
const library = useLibrary();

/** The path of every kind of page, by name. */
function pages({ ids }: Library): Record<string, string> {
  return {
    home: "/",
    document: `/documents/${ids.report}-annual-report-of-the-harbour-office/`,
    "document-hostile": `/documents/${ids.hostile}-script/`,
    "document-hebrew": `/documents/${ids.hebrew}-dvkh-shnty/`,
    "document-long": `/documents/${ids.long}-${"a".repeat(255)}/`,
    "document-sheet": `/documents/${ids.sheet}-ship-arrivals-by-month/`,
    "document-lost": `/documents/${ids.lost}-without-its-file/`,
    search: "/?q=ship+%22quay+is%22+har*",
    "search-matching-pages": `/documents/${ids.plain.at(-1)}-letter-31/search/?q=ship`,
    "not-found": "/nowhere/",
    api: "/api/",
    list: "/api/documents/?per_page=6",
    "list-filtered": "/api/documents/?user=1&ordering=-page_count&per_page=2",
    "list-fault": "/api/documents/?user=someone&page_count=many",
    record: `/api/documents/${ids.report}/`,
    "record-absent": "/api/documents/999999/",
    schema: "/api/schema/docs/",
    "sign-in": "/sign-in/?next=/",
  };
}

/** Readers that cover every pair of values of window, colours and scripts. */
const everyReader: Reader[] = [
  { width: 1280, colors: "light", scripts: "on" },
  { width: 1280, colors: "dark", scripts: "off" },
  { width: 390, colors: "light", scripts: "off" },
  { width: 390, colors: "dark", scripts: "on" },
];

describe.each(everyReader)("in a window of $width pixels, $colors, with scripts $scripts", (reader) => {
  it("every page fits, and everything on it can be read", async () => {
    await browser.read(reader, async (page) => {
      for (const [name, path] of Object.entries(pages(library))) {
        await open(page, `${library.app.url}${path}`);
        await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true`);
        expect.soft([name, await tooWide(page)]).toEqual([name, 0]);
        expect.soft([name, await faintTexts(page)]).toEqual([name, []]);
        await keepScreenshot(page, `${name}-${reader.width}-${reader.colors}`);
      }
    });
  });
});

/** The narrowest and the widest window for which the pages are made, each in one of the colours. */
const narrowest: Reader = { width: 360, colors: "dark", scripts: "on" };
const widest: Reader = { width: 1920, colors: "light", scripts: "on" };

describe.each([narrowest, widest])("in a window of $width pixels, $colors", (reader) => {
  it("axe-core finds no problem on any page, and every page fits", { timeout: 240_000 }, async () => {
    await browser.read(reader, async (page) => {
      for (const [name, path] of Object.entries(pages(library))) {
        // The documentation of the API is as long as all other pages together, and the same at each width.
        if (name === "schema" && reader !== narrowest) continue;
        await open(page, `${library.app.url}${path}`);
        if (path.startsWith("/documents/") && !path.includes("/search/"))
          await page.getByRole("toolbar", { name: "Document" }).waitFor();
        expect.soft([name, await tooWide(page)]).toEqual([name, 0]);
        expect.soft([name, await axeFindings(page, { hasContrast: true })]).toEqual([name, []]);
      }
    });
  });
});

/** How much of the page has moved by itself since it began to load: the sum of the browser's layout shifts. */
const shifts = `new Promise((done) => {
  let sum = 0;
  const add = (list) => list.getEntries().forEach((one) => (sum += one.hadRecentInput ? 0 : one.value));
  const observer = new PerformanceObserver(add);
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => {
    add({ getEntries: () => observer.takeRecords() });
    done(sum);
  }));
})`;

describe.each(viewers)("pages that scripts fill, by $width pixels", (reader) => {
  it("hardly move while they load", async () => {
    const { app, ids } = library;
    const username = `mover-${reader.width}`;
    const person = await addPerson(app.context, { username, isAdministrator: true, organizations: [1] });
    const about = { title: "The harbour", slug: username, user_id: person.id };
    const project = await addProject(app.context, about, [ids.report, ...ids.plain.slice(0, 9)]);
    await workAs({ browser, app, person, reader }, "/documents/", async (page) => {
      const filled: readonly (readonly [path: string, sign: string])[] = [
        ["/documents/", "Select all on this page"],
        [pages(library)["document"] ?? "", "of 3"],
        [`/projects/${project}/`, "Collaborators"],
        ["/admin/", "Node.js"],
        ["/admin/queue/", "What happens by itself"],
        ["/upload/", "Choose files"],
      ];
      for (const [path, sign] of filled) {
        await open(page, `${app.url}${path}`);
        await page.getByText(sign, { exact: true }).waitFor();
        await page.waitForLoadState("networkidle");
        const shift = await page.evaluate<number>(shifts);
        expect.soft([path, shift, shift <= 0.02]).toEqual([path, shift, true]);
      }
    });
  });
});
