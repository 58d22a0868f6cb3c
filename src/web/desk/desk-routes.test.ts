import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { addDocuments, addOwners } from "../../testing/factories.ts";
import { addPerson, beginSession } from "../../testing/people.ts";
import { addTexts } from "../../testing/read-documents.ts";
import { useApp } from "../../testing/test-app.ts";
import { languages } from "../../texts/languages.ts";
import { readStaticFiles } from "../static-routes.ts";

const app = useApp("sqlite");

describe("a page for signed-in users", () => {
  it.each(["/upload/", "/documents/trash/", "/redact/?ids=1,2"])(
    "at %s redirects others to the sign-in page, which leads back",
    async (path) => {
      const { status, headers } = await app.fetch(path, { redirect: "manual" });
      expect([status, headers.get("location")]).toEqual([302, `/sign-in/?next=${encodeURIComponent(path)}`]);
    },
  );
});

describe("the list of documents", () => {
  it("leads to its other pages without scripts, and from a search to the words that it found", async () => {
    await app.context.database.write((writer) => addOwners(writer));
    const person = await addPerson(app.context, { username: "reader" });
    const titles = Array.from({ length: 26 }, (_, index) => ({ title: `Letter ${index}` }));
    await addDocuments(app.context, titles);
    const { cookie } = await beginSession(app.context, person);
    const linksOn = async (path: string): Promise<string[]> => {
      const page = await (await app.fetch(path, { headers: { cookie } })).text();
      const [, plain = ""] = /<noscript>(.*?)<\/noscript>/s.exec(page) ?? [];
      return Array.from(plain.matchAll(/href="([^"]*)"/g), ([, href = ""]) => href);
    };
    expect(await linksOn("/documents/")).toEqual(["/documents/?page=2"]);
    expect(await linksOn("/documents/?page=2")).toEqual(["/documents/?page=1"]);
    expect(await linksOn("/documents/?q=letter")).toEqual(["/documents/?q=letter&#38;page=2", "/?q=letter"]);
  });

  it("shows where a search found its words, and images from the stores of mirrored documents", async () => {
    const store = "https://mirrored.example.org/";
    const row = { title: "Log", access: "public", page_count: 3, slug: "log", asset_url: store } as const;
    const [id = 0] = await addDocuments(app.context, [row]);
    const texts = ["<b>One</b> whale", "a whale", "two whales, a whale"];
    await addTexts(app.context, id, texts);
    const person = await addPerson(app.context, { username: "watcher" });
    const { cookie } = await beginSession(app.context, person);
    const answer = await app.fetch("/documents/?q=whale", { headers: { cookie } });
    expect(answer.headers.get("content-security-policy")).toMatch(
      /img-src 'self'[^;]* https:\/\/mirrored\.example\.org/,
    );
    const [page = ""] = (await answer.text()).split('id="first-answer"');
    expect(page).toContain("&#60;b&#62;One&#60;/b&#62; <mark>whale</mark>");
    expect(page.match(/class="fragment"/g)).toHaveLength(2);
    expect(page).toContain(`/documents/${id}-log/?q=whale&#38;page=1#document/p1`);
    expect(page).toContain(`src="${store}documents/${id}/pages/log-p1-small.gif"`);
  });
});

describe("the script of these pages", () => {
  it("takes less than 55 kB with all that it loads at once, and has the texts of one language only", async () => {
    const { desk } = readStaticFiles();
    const words = {
      en: "Choose files",
      de: "Dateien wählen",
      fr: "Choisir des fichiers",
      es: "Elegir archivos",
    };
    for (const language of languages) {
      const { script, chunks } = desk[language];
      const sources = await Promise.all(
        [script, ...chunks].map(async (address) => (await app.fetch(address)).text()),
      );
      const sizes = sources.map((source) => gzipSync(source).length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(55_000);
      const all = sources.join("");
      expect(languages.filter((code) => all.includes(words[code]))).toEqual([language]);
      // What administrators see, and what redacts many documents, comes when their pages ask for it.
      expect([all.includes("admin/users/"), all.includes("mentions/")]).toEqual([false, false]);
    }
  });
});
