import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../testing/factories.ts";
import { languages } from "../texts/languages.ts";
import { useApp } from "../testing/test-app.ts";

describe("the pages for people, in the language of the browser", () => {
  const app = useApp("sqlite");
  let document = "";
  beforeAll(async () => {
    const [id] = await addDocuments(app.context, [{ title: "", slug: "minutes", page_count: 2 }]);
    document = `/documents/${id}-minutes/`;
  });

  const visit = async (path: string, language: string): Promise<string> => {
    const headers = { accept: "text/html", "accept-language": language };
    const answer = await app.fetch(path, { headers });
    expect(answer.headers.get("vary")).toContain("Accept-Language");
    return answer.text();
  };

  it.each([
    ["a document", () => document, "About this document", "Über dieses Dokument"],
    ["a document without scripts", () => document, "Search in this document", "In diesem Dokument suchen"],
    ["a frame", () => `/embed${document.replace(/-.*$/, "/")}`, "Untitled", "Ohne Titel"],
    [
      "a missing frame",
      () => "/embed/documents/999/",
      "cannot be shown here",
      "kann hier nicht gezeigt werden",
    ],
    ["the pages that match", () => `${document}search/?q=x`, "No page of this", "Auf keiner Seite"],
    ["signing in", () => "/sign-in/", "Username", "Benutzername"],
    ["an ended link", () => "/set-password/?token=x", "no longer valid", "gilt nicht mehr"],
    ["the list of notes", () => "/notes/", "On documents that match", "Zu Dokumenten, die dazu passen"],
    ["an error", () => "/nowhere/", "Page not found", "Seite nicht gefunden"],
  ])("%s", async (_name, path, english, german) => {
    for (const [language, own, other] of [
      ["en", english, german],
      ["de", german, english],
    ] as const) {
      const page = await visit(path(), language);
      expect(page).toContain(`<html lang="${language}"`);
      expect(page).toContain(own);
      expect(page).not.toContain(other);
      // No part of a page is declared to be in another language.
      expect(page).not.toMatch(/<main[^>]* lang=/);
    }
  });

  it.each([
    ["fr", "À propos de ce document", "Nom d’utilisateur"],
    ["es", "Acerca de este documento", "Nombre de usuario"],
  ])("a document and signing in, in %s", async (language, about, username) => {
    for (const [path, words] of [
      [document, about],
      ["/sign-in/", username],
    ] as const) {
      const page = await visit(path, language);
      expect(page).toContain(`<html lang="${language}"`);
      expect(page).toContain(words);
    }
  });

  it("each have one script, with the texts of one language, without those of the tools for people who write", async () => {
    const words = {
      en: ["Copy quotation", "Redact permanently"],
      de: ["Zitat kopieren", "Endgültig schwärzen"],
      fr: ["Copier la citation", "Caviarder définitivement"],
      es: ["Copiar cita", "Tachar para siempre"],
    };
    for (const language of languages) {
      const page = await visit(document, language);
      const addresses = [...page.matchAll(/(?:modulepreload" href|src)="([^"]+\.js)"/g)].map(
        ([, address = ""]) => address,
      );
      expect(addresses.length).toBeGreaterThan(1);
      const script = (
        await Promise.all(addresses.map(async (address) => (await app.fetch(address)).text()))
      ).join("\n");
      const found = Object.values(words)
        .flat()
        .filter((word) => script.includes(word));
      expect(found).toEqual([words[language][0]]);
    }
  });
});
