import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JobRunner } from "../../src/jobs/runner.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { beginSession } from "../../src/testing/people.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { buildWorker } from "../../src/worker.ts";
import { workAs } from "./desk.ts";
import { keepScreenshot, open, tooWide, useBrowser } from "./reader.ts";
import { axeFindings, onPhoneWithScripts, openPanel } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");
let worker: JobRunner;
let document: { id: number; path: string };

const person = app.person("Jana", { organizations: [1], isAdministrator: true, password: "any" });
beforeAll(async () => {
  worker = buildWorker(app.context);
  worker.start();
  const { body } = await sendAs(app, person, "POST", "/api/documents/", {
    title: "Hafen",
    access: "private",
  });
  const pages = ["Der Hafen", "Die Kosten", "Der Rest"].map((line) => ({
    width: 400,
    height: 300,
    lines: [line],
  }));
  await fetch(body.presigned_url, { method: "PUT", body: buildPdf({ pages }) as never });
  await sendAs(app, person, "POST", `/api/documents/${body.id}/process/`, {});
  await worker.drain();
  document = { id: body.id, path: `/documents/${body.id}-hafen/` };
  await sendAs(app, person, "PATCH", `/api/documents/${body.id}/`, { source: "Hafenamt" });
  const session = { ...(await beginSession(app.context, person)) };
  const chosen = { language: "de", time_zone: "Europe/Berlin" };
  await sendAs(app, null, "PATCH", "/api/account/", chosen, session);
});
afterAll(async () => {
  await worker.stop();
});

const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole("button", { name, exact: true });

/** Expects that the page is in German and fits, on a phone and on a large screen. */
async function fits(page: Page, name: string): Promise<void> {
  expect(await page.evaluate("document.documentElement.lang")).toBe("de");
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    expect([name, width, await tooWide(page)]).toEqual([name, width, 0]);
    await keepScreenshot(page, `german-${name}-${width}`, "window");
  }
}

it("the viewer and its tools are in the language and the time zone of the account, and fit", async () => {
  await workAs({ browser, app, person, reader: onPhoneWithScripts }, document.path, async (page) => {
    await page.getByRole("toolbar", { name: "Dokument" }).waitFor();
    await page.getByRole("searchbox", { name: "In diesem Dokument suchen" }).fill("Kosten");
    await page.getByRole("searchbox", { name: "In diesem Dokument suchen" }).press("Enter");
    await button(page, "1 / 1 Treffer, auflisten").click();
    await page.getByText("1 Treffer auf 1 Seite").first().waitFor();
    await fits(page, "hits");
    expect(await axeFindings(page)).toEqual([]);

    await openPanel(page, "Info", "Mehr");
    const about = page.getByRole("complementary", { name: "Info" });
    await about.getByText("Beigetragen von").waitFor();
    await about
      .getByText(/ \d{4}, \d\d:\d\d MES?Z$/)
      .first()
      .waitFor();
    await fits(page, "about");
    await button(page, "Mehr").click();
    await button(page, "Verlauf").click();
    const history = page.getByRole("complementary", { name: "Verlauf" });
    await history.getByText("hat die Quelle eingetragen: „Hafenamt“").waitFor();
    await fits(page, "history");
    await button(history, "Schließen").click();
    await button(page, "Mehr").click();
    await button(page, "Titel, Angaben und Zugriff").click();
    const form = page.getByRole("complementary", { name: "Dokument bearbeiten" });
    // In Berlin, midnight is the last hour of the day before in UTC.
    await form.getByLabel("Öffentlich machen am").fill("2039-02-01T00:00");
    await form.getByText(/^Bis 1\. Februar 2039, 00:00 MEZ werden es nur die Person/).waitFor();
    await fits(page, "form");
    await button(form, "Speichern").click();
    await form.waitFor({ state: "detached" });
    const { body } = await sendAs(app, person, "GET", `/api/documents/${document.id}/`);
    expect(body.publish_at).toMatch(/^2039-01-31T23:00:00/);

    await button(page, "Notizen").click();
    await button(page, "Notiz hinzufügen").click();
    // Only then has the panel made room, or not, for the width at which it was asked for.
    await button(page, "Abbrechen").waitFor();
    await fits(page, "note");
    await button(page, "Abbrechen").click();
    await openPanel(page, "Inhalt", "Mehr");
    await button(page, "Abschnitte bearbeiten").click();
    await page.getByLabel("Beginnt auf Seite").waitFor();
    await fits(page, "sections");

    await button(page, "Mehr").click();
    await button(page, "Schwärzen").click();
    const redaction = page.getByRole("complementary", { name: "Schwärzen" });
    await redaction.getByLabel("Wörter, die überall geschwärzt werden").fill("Hafen");
    await button(redaction, "Alle finden").click();
    await redaction.getByText("1 Stelle auf 1 Seite, 1 angekreuzt").waitFor();
    await button(redaction, "Schwärzen…").click();
    await redaction.getByText("1 Stelle auf 1 Seite schwärzen?").waitFor();
    await fits(page, "redaction");
    await button(redaction, "Zurück").click();
    await button(redaction, "Schließen").click();
    await button(page, "Mehr").click();
    await button(page, "Seiten anordnen").click();
    const arrangement = page.getByRole("complementary", { name: "Seiten anordnen" });
    await button(arrangement, "Alle auswählen").click();
    await button(arrangement, "Nach rechts drehen").click();
    await arrangement.getByText("3 Seiten: Seiten 1, 2 und 3 gedreht").waitFor();
    await fits(page, "arrangement");
    await button(arrangement, "Rückgängig").click();
    await button(arrangement, "Schließen").click();

    await button(page, "Teilen").click();
    await page.getByRole("dialog", { name: "Teilen" }).getByText("Code zum Einbetten").waitFor();
    await fits(page, "share");
    await page.keyboard.press("Escape");
    await button(page, "Mehr").click();
    await button(page, "Tastenkürzel").click();
    await fits(page, "keys");
  });
});

it("the other pages for people are in German too, and fit", async () => {
  await workAs({ browser, app, person, reader: onPhoneWithScripts }, "/account/", async (page) => {
    await page.getByRole("heading", { name: "Ihr Konto" }).waitFor();
    await fits(page, "account");
    expect(await axeFindings(page)).toEqual([]);
    const headings: readonly (readonly [path: string, heading: string])[] = [
      ["", "Administration"],
      ["people", "Personen"],
      ["organizations", "Organisationen"],
      ["queue", "Warteschlange"],
      ["storage", "Speicher"],
      ["checks", "Prüfungen"],
      ["sign-ins", "Anmeldungen"],
      ["settings", "Einstellungen"],
      ["mail", "E-Mail"],
    ];
    for (const [name, heading] of headings) {
      await open(page, `${app.url}/admin/${name === "" ? "" : `${name}/`}`);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await page
        .getByRole("navigation", { name: "Administration" })
        .getByRole("link", { name: "Warteschlange" })
        .waitFor();
      await fits(page, `admin-${name}`);
    }
    for (const path of [
      `${document.path}search/?q=Hafen`,
      "/notes/",
      "/projects/",
      "/documents/trash/",
      "/shared/",
    ]) {
      await open(page, `${app.url}${path}`);
      await fits(page, path.replaceAll(/\W+/g, "-"));
    }
    await page.context().clearCookies();
    await page.setExtraHTTPHeaders({ "accept-language": "de" });
    try {
      await open(page, `${app.url}/sign-in/`);
      await page.getByRole("button", { name: "Anmelden" }).waitFor();
      await fits(page, "sign-in");
      await open(page, `${app.url}/nowhere/`);
      await page.getByRole("heading", { name: "Seite nicht gefunden" }).waitFor();
    } finally {
      await page.setExtraHTTPHeaders({});
    }
  });
});
