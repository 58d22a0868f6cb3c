import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestApp, startTestApp } from "../../testing/test-app.ts";
import { languages } from "../../texts/languages.ts";
import { readStaticFiles } from "../static-routes.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp("sqlite");
});
afterAll(() => app[Symbol.asyncDispose]());

describe("a page for signed-in users", () => {
  it.each(["/upload/", "/documents/", "/documents/trash/", "/redact/?ids=1,2"])(
    "at %s redirects others to the sign-in page, which leads back",
    async (path) => {
      const { status, headers } = await app.fetch(path, { redirect: "manual" });
      expect([status, headers.get("location")]).toEqual([302, `/sign-in/?next=${encodeURIComponent(path)}`]);
    },
  );
});

describe("the script of these pages", () => {
  it("takes less than 120 kB, and has the texts of one language only", async () => {
    const { desk } = readStaticFiles();
    const words = {
      en: "Choose files",
      de: "Dateien wählen",
      fr: "Choisir des fichiers",
      es: "Elegir archivos",
    };
    for (const language of languages) {
      const script = await (await app.fetch(desk[language].script)).text();
      expect(gzipSync(script).length).toBeLessThan(120_000);
      expect(languages.filter((code) => script.includes(words[code]))).toEqual([language]);
    }
  });
});
