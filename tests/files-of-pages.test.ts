import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../src/testing/factories.ts";
import { engines, startTestApp } from "../src/testing/test-app.ts";

const program = fileURLToPath(import.meta.resolve("../src/testing/files-of-pages.ts"));

/** What somebody has to read who wants to know how a page is served. */
const maxFiles = { first: 38, next: 23 };

describe.each(engines)("the source files that run for a page of the list on %s", (engine) => {
  it("are few, and are those of one room and of the layers below", async () => {
    await using app = await startTestApp(engine);
    await addDocuments(
      app.context,
      Array.from({ length: 80 }, () => ({})),
    );
    const { data, databaseUrl } = app.context.config;
    const env = { QUIRE_DATA: data, ...(databaseUrl !== null && { QUIRE_DATABASE_URL: databaseUrl }) };
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
    const { first, next } = JSON.parse(stdout) as Record<keyof typeof maxFiles, string[]>;
    expect(first).toContain("resources/documents/routes.ts");
    expect(next).not.toContain("resources/documents/routes.ts");
    for (const files of [first, next]) expect(files).toContain("resources/documents/list/response-cache.ts");
    expect(first.length > maxFiles.first ? first : []).toEqual([]);
    expect(next.length > maxFiles.next ? next : []).toEqual([]);
  });
});
