import { readdirSync } from "node:fs";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { openContext } from "../context.ts";
import { addPerson } from "../testing/people.ts";
import { testStorage } from "../testing/test-app.ts";
import { importSamples, sampleLanguages, samplesFolder } from "./samples.ts";

describe("the samples", () => {
  it("are all files in their folder", () => {
    const files = readdirSync(samplesFolder).filter((name) => !/\.(md|ts|mjs|js)$/.test(name));
    expect(Object.keys(sampleLanguages).toSorted()).toEqual(files.toSorted());
  });

  it("are added to an empty database only, as public documents", async () => {
    await using storage = await testStorage("sqlite");
    const context = await openContext(storage.config, pino({ level: "silent" }));
    await addPerson(context, { username: "reader", password: "any" });
    const { id } = await addPerson(context, { username: "boss", password: "any", isAdministrator: true });
    const lines: string[] = [];
    const progress = {
      update: () => undefined,
      note: (line: string) => void lines.push(line),
      finish: (summary?: string) => void lines.push(summary ?? ""),
    };
    const { signal } = new AbortController();
    await importSamples(context, { signal, progress });
    expect(lines).toEqual(["Samples: 6 documents in"]);
    const rows = () =>
      context.database.reader
        .selectFrom("documents")
        .select(["title", "access", "language", "user_id"])
        .orderBy("id")
        .execute();
    const languages = new Map((await rows()).map(({ title, language }) => [title, language]));
    expect(languages.get("Protokoll der Ratssitzung vom 12. März 2024")).toBe("deu");
    expect(new Set((await rows()).map(({ access }) => access))).toEqual(new Set(["public"]));
    expect(new Set((await rows()).map(({ user_id }) => user_id))).toEqual(new Set([id]));
    await context.database.write((writer) => writer.deleteFrom("documents").where("id", ">", 1).execute());
    await importSamples(context, { signal, progress });
    expect(await rows()).toHaveLength(1);
    expect(lines).toHaveLength(1);
    await context.close();
  });
});
