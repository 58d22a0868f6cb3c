import { asyncProperty, assert, array, constantFrom, integer, oneof, record, constant } from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { runsOn } from "../../../testing/runs.ts";
import { addReadDocument, replaceTexts } from "../../../testing/read-documents.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { findMissingMentions, mentionsOf } from "./mention-store.ts";
import { addUnrecognisedPages, deletePages, putPages } from "./page-store.ts";

const texts = [
  "Write to ada@example.org or call +49 30 1234567.",
  "IBAN DE89 3704 0044 0532 0130 00, due on 9 March 2024: €1,250.",
  "Nothing to see here.",
  "ada@example.org, Ada@Example.org and b@example.org",
];

describe.each(engines)("the mentions of documents on %s", (engine) => {
  const app = useApp(engine);
  beforeAll(async () => {
    await addDocuments(app.context, []);
  });

  const stored = (id: number) =>
    app.context.database.reader
      .selectFrom("mentions")
      .selectAll()
      .where("document_id", "=", id)
      .orderBy("page")
      .orderBy("start")
      .execute();

  /** What the texts of the document have now, on the pages before the first that waits for the job. */
  async function expected(id: number) {
    const { reader } = app.context.database;
    const pages = await reader
      .selectFrom("document_pages")
      .select(["page", "text"])
      .where("document_id", "=", id)
      .orderBy("page")
      .execute();
    const unread = await reader
      .selectFrom("unread_mentions")
      .select("from_page")
      .where("document_id", "=", id)
      .executeTakeFirst();
    const all = pages.flatMap((page) => mentionsOf(id, page));
    return { all, read: all.filter(({ page }) => page < (unread?.from_page ?? Infinity)), isRead: !unread };
  }

  const work = () =>
    findMissingMentions(app.context.database, { complete: async () => {} }, AbortSignal.timeout(20_000));

  it("are written with the text of a document that is read, by value and as they stand there", async () => {
    const id = await addReadDocument(app.context, { pages: texts });
    const rows = await stored(id);
    expect(rows.map(({ page, kind, value }) => [page, kind, value])).toEqual([
      [0, "email", "ada@example.org"],
      [0, "phone", "+49301234567"],
      [1, "iban", "DE89370400440532013000"],
      [1, "date", "2024-03-09"],
      [1, "money", "EUR 1250"],
      [3, "email", "ada@example.org"],
      [3, "email", "ada@example.org"],
      [3, "email", "b@example.org"],
    ]);
    for (const { page, start, written } of rows)
      expect(texts[page]?.slice(start)).toMatch(written.slice(0, 5));
    expect((await expected(id)).isRead).toBe(true);
    await replaceTexts(app.context, id, [texts[2] ?? ""]);
    expect(await stored(id)).toEqual([]);
    expect((await expected(id)).isRead).toBe(true);
  });

  it("go with the document", async () => {
    const id = await addReadDocument(app.context, { pages: texts });
    await app.context.database.write((writer) =>
      writer.deleteFrom("documents").where("id", "=", id).execute(),
    );
    expect(await stored(id)).toEqual([]);
  });

  it("are never those of an earlier text, and all found once the job has ended, whatever is written", async () => {
    const text = constantFrom(...texts);
    const step = oneof(
      record({
        kind: constant("add" as const),
        pages: array(text, { minLength: 1, maxLength: 40, size: "max" }),
      }),
      record({ kind: constant("put" as const), page: integer({ min: 0, max: 45 }), text }),
      record({ kind: constant("replace" as const), pages: array(text, { minLength: 1, maxLength: 5 }) }),
      constant({ kind: "delete" as const }),
      constant({ kind: "work" as const }),
    );
    await assert(
      asyncProperty(array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const [id = 0] = await addDocuments(app.context, [{}]);
        const { database } = app.context;
        let next = 0;
        for (const change of steps) {
          if (change.kind === "work") await work();
          else if (change.kind === "replace") {
            await replaceTexts(app.context, id, change.pages);
            next = change.pages.length;
          } else {
            await database.write(async (writer) => {
              if (change.kind === "delete") {
                await deletePages(writer, id);
                next = 0;
              } else if (change.kind === "put") {
                const put = { page: change.page, text: change.text, ocr: null, words: null };
                await putPages(writer, id, [put]);
                next = Math.max(next, change.page + 1);
              } else {
                const pages = change.pages.map((one) => ({ text: one }));
                await addUnrecognisedPages(writer, id, next, pages);
                next += pages.length;
              }
            });
          }
          const { all, read } = await expected(id);
          const rows = await stored(id);
          expect(all).toEqual(expect.arrayContaining(rows));
          expect(rows).toEqual(expect.arrayContaining(read));
        }
        await work();
        const { all, isRead } = await expected(id);
        expect([isRead, await stored(id)]).toEqual([true, all]);
      }),
      { numRuns: runsOn(engine, 40) },
    );
  });
});
