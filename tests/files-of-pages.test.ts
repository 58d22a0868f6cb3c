import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { openContext } from "../src/context.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { engines, testStorage } from "../src/testing/test-app.ts";

const program = fileURLToPath(import.meta.resolve("../src/testing/files-of-pages.ts"));

/** What somebody has to read who wants to know how a page is served. */
const maxFiles = { first: 38, next: 23 };

describe.each(engines)("the source files that run for a page of the list on %s", (engine) => {
  it("are few, and are those of one room and of the layers below", async () => {
    await using storage = await testStorage(engine);
    const context = await openContext(storage.config, pino({ level: "silent" }));
    await addDocuments(
      context,
      Array.from({ length: 80 }, () => ({})),
    );
    // Another process would send hints, which run files that a page does not need.
    await context.close();
    const { data, databaseUrl } = storage.config;
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
