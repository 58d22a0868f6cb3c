import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../database/database.ts";
import { openDatabase } from "../../../database/open-database.ts";
import { partOfPage } from "../../../search/parts.ts";
import { forgetUnusedWords, lockVocabulary, wordsInIndex } from "../../../search/text-index.ts";
import { addReadDocument, addTexts, replaceTexts } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { runsOn } from "../../../testing/runs.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { replacePages } from "../pages/page-store.ts";

describe.each(engines)("the forms of words on %s", (engine) => {
  const app = useApp(engine);
  let other: Database;
  beforeAll(async () => {
    const { data: dataFolder, databaseUrl, databaseDirectUrl } = app.context.config;
    // As another process has it, with its own memory.
    other = await openDatabase({ dataFolder, databaseUrl, databaseDirectUrl });
  });
  afterAll(() => other.close());

  const add = (title: string, ...pages: string[]): Promise<number> =>
    addReadDocument(app.context, { title, pages });
  const search = async (q: string, more: Record<string, string> = {}) => {
    const address = `/api/documents/search/?${new URLSearchParams({ q, ...more }).toString()}`;
    const { status, body } = await sendAs(app, null, "GET", address);
    expect([q, status]).toEqual([q, 200]);
    return body;
  };
  const find = async (q: string): Promise<string[]> =>
    (await search(q)).results.map(({ title }: { title: string }) => title);
  const formsOf = async (stem: string): Promise<string[]> =>
    (
      await app.context.database.reader
        .selectFrom("word_forms")
        .select("word")
        .where("stem", "=", stem)
        .orderBy("word")
        .execute()
    ).map(({ word }) => word);

  it("find each other, and the word that was typed counts most", async () => {
    await add("Singular", "the slipstream");
    await add("Plural", "the slipstreams");
    await add("Verb", "in slipstreaming");
    await add("Slipstreamed", "in its title");
    await add("Other", "the slip of a stream");
    for (const word of ["slipstream", "slipstreams", "SLIPSTREAMING", "slipstreamed"]) {
      expect((await find(word)).toSorted()).toEqual(["Plural", "Singular", "Slipstreamed", "Verb"]);
    }
    expect((await find("text:slipstreams"))[0]).toBe("Plural");
    expect((await find("text:slipstream"))[0]).toBe("Singular");
    expect(await find("title:slipstream")).toEqual(["Slipstreamed"]);
    expect(await find("page_no_1:slipstream")).toEqual(
      expect.arrayContaining(["Plural", "Singular", "Verb"]),
    );
  });

  it("do not find each other in quotes, in phrases, after NOT, or after exact:", async () => {
    await add("Capstan", "one capstan");
    await add("Capstans", "two capstans");
    expect(await find('"capstan"')).toEqual(["Capstan"]);
    expect(await find('"two capstan"')).toEqual([]);
    expect(await find("capstans NOT capstan")).toEqual(["Capstans"]);
    expect((await search('"capstan"', { explain: "true" })).explain).toBe('"capstan"');
    const exact = {
      "exact:capstan": '"capstan"',
      "exact: capstan^2": '"capstan"^2',
      "exact:(capstan text:nothing)": '("capstan" OR text:"nothing")',
      "exact:(capstan NOT (two three))": '("capstan" AND NOT ("two" OR "three"))',
      "capstan exact:-capstans": '(capstan AND NOT "capstans")',
    };
    for (const [q, explain] of Object.entries(exact)) {
      const found = await search(q, { explain: "true" });
      expect([q, found.explain, found.escaped]).toEqual([q, explain, false]);
      expect([q, await find(q)]).toEqual([q, ["Capstan"]]);
    }
    expect((await search("exact:", { explain: "true" })).explain).toBe("exact");
  });

  it("are marked where they stand, on the pages that have them", async () => {
    const id = await add("Bollards", "nothing", "the bollards and a bollard", "bollarding");
    const [{ highlights }] = (await search("text:bollard", { hl: "true" })).results;
    expect(highlights).toEqual({
      page_no_2: ["the <em>bollards</em> and a <em>bollard</em>"],
      page_no_3: ["<em>bollarding</em>"],
    });
    const { body } = await sendAs(app, null, "GET", `/api/documents/${id}/search/?q=bollards&paged=true`);
    expect(body.results.map(({ page_number }: { page_number: number }) => page_number)).toEqual([1, 2]);
  });

  it("are forgotten with the last text that has them, also by other processes", async () => {
    await add("Before", "hawser hawsers");
    const id = await add("Redacted", "moorings");
    const texts = async (database: Database, text: string): Promise<void> =>
      replaceTexts({ ...app.context, database }, id, [text]);
    // Twice, because a process remembers what another transaction has found in place.
    for (const text of ["moorings", "moorings again"]) await texts(other, text);
    expect([await find("mooring"), await formsOf("moor")]).toEqual([["Redacted"], ["moorings"]]);
    await app.context.database.write(async (writer) => {
      await lockVocabulary(writer);
      await replacePages(writer, id, [{ text: "black" }]);
      await forgetUnusedWords(writer, ["moorings", "hawsers"]);
    });
    expect([await formsOf("moor"), await formsOf("hawser")]).toEqual([[], ["hawsers"]]);
    await texts(other, "moorings");
    expect([await find("mooring"), await find("hawser")]).toEqual([["Redacted"], ["Before"]]);
  });

  it("are found by the check of a redaction if no text has them", async () => {
    const id = await add("Checked", "windlass", "windlasses");
    const held = (words: string[]): Promise<string[]> =>
      app.context.database.write((writer) =>
        wordsInIndex(writer, { documentId: id, part: partOfPage(0) }, words),
      );
    expect(await held(["windlasses", "sheaves"])).toEqual([]);
    await app.context.database.write((writer) =>
      writer.insertInto("word_forms").values({ language: "eng", stem: "sheav", word: "sheaves" }).execute(),
    );
    expect(await held(["windlasses", "sheaves"])).toEqual(["sheaves"]);
  });

  it("are all in the list, whatever is indexed by whichever process, also if a transaction is rolled back", async () => {
    const stems = ["derrick", "gangway", "fender", "ballast"];
    const word = fc
      .tuple(fc.constantFrom(...stems), fc.constantFrom("", "s", "ed", "ing"))
      .map((parts) => parts.join(""));
    const step = fc.record({
      isOther: fc.boolean(),
      isUndone: fc.boolean(),
      forgets: fc.boolean(),
      words: fc.array(word, { minLength: 1, maxLength: 4 }),
    });
    const id = await add("Written again");
    await addTexts(app.context, id, ["empty"]);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        let text = "";
        await replaceTexts(app.context, id, [text]);
        for (const { isOther, isUndone, forgets, words } of steps) {
          const next = words.join(" ");
          const writing = (isOther ? other : app.context.database).write(async (writer) => {
            if (forgets) await lockVocabulary(writer);
            await replacePages(writer, id, [{ text: next }]);
            if (forgets) await forgetUnusedWords(writer, text.split(" "));
            if (isUndone) throw new Error("undone");
          });
          const outcome = await writing.then(
            () => "written",
            (error: Error) => error.message,
          );
          expect(outcome).toBe(isUndone ? "undone" : "written");
          if (!isUndone) text = next;
        }
        for (const stem of stems)
          expect([stem, await find(`text:${stem}`)]).toEqual([
            stem,
            text.includes(stem) ? ["Written again"] : [],
          ]);
      }),
      { numRuns: runsOn(engine, 40) },
    );
  });
});
