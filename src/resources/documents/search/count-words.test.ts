import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { sendAs } from "../../../testing/requests.ts";
import { addReadDocument } from "../../../testing/read-documents.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { examineDocuments } from "../processing/examine-documents.ts";
import { putPages } from "../pages/page-store.ts";
import { countWords } from "./index-store.ts";

const textsWith = (count: number, word: string): string[] =>
  Array.from({ length: 70 }, (_, page) => (page % 35 < count ? `${word} here` : "else"));

describe.each(engines)("the counts of words on %s", (engine) => {
  const app = useApp(engine);

  const add = (title: string, ...pages: string[]): Promise<number> =>
    addReadDocument(app.context, { title, pages });
  const find = async (q: string): Promise<string[]> => {
    const address = `/api/documents/search/?${new URLSearchParams({ q }).toString()}`;
    const { status, body } = await sendAs(app, null, "GET", address);
    expect([q, status]).toEqual([q, 200]);
    return body.results.map(({ title }: { title: string }) => title);
  };
  const differences = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { what } of examineDocuments(app.context)) {
      if (what.includes("index")) found.push(what);
    }
    return found;
  };
  const countedTo = async (): Promise<number[]> => {
    const rows = await app.context.database.reader
      .selectFrom("word_count_progress")
      .select("counted_to")
      .execute();
    return rows.map(({ counted_to }) => counted_to);
  };

  it("rank a document higher the more pages hold the word, over all blocks", async () => {
    for (const count of [1, 3, 2]) await add(`On ${2 * count} pages`, ...textsWith(count, "herring"));
    expect(await find("herring")).toEqual(["On 6 pages", "On 4 pages", "On 2 pages"]);
    expect(await differences()).toEqual([]);
  });

  it("follow each page that changes, and count no page twice", async () => {
    const id = await add("Changing", ...Array.from({ length: 40 }, (_, page) => `turbot p${page}`));
    const put = (page: number, text: string): Promise<void> =>
      app.context.database.write((writer) =>
        putPages(writer, id, [
          { page, text: "passing", ocr: null, words: null },
          { page, text, ocr: null, words: null },
        ]),
      );
    await put(33, "mackerel");
    expect([await find("p33"), await find("passing"), await find("mackerel")]).toEqual([
      [],
      [],
      ["Changing"],
    ]);
    expect([await find("p32"), await find("p31"), await find("turbot")]).toEqual([
      ["Changing"],
      ["Changing"],
      ["Changing"],
    ]);
    await put(33, "");
    expect([await find("mackerel"), await differences()]).toEqual([[], []]);
  });

  it("of existing documents are made by a job that can be resumed, while searches are correct", async () => {
    await add("Plaice", "plaice", "plaice and sole");
    for (let number = 0; number < 25; number++) await add(`Sole ${number}`, "sole");
    const queries = ["plaice", "sole", "sole NOT plaice", "title:plaice", '"and sole" plaice', "text:sole"];
    const all = (): Promise<string[][]> => Promise.all(queries.map(find));
    const { database } = app.context;
    const before = await all();
    await database.write(async (writer) => {
      const everything =
        engine === "sqlite"
          ? sql`insert into word_counts (word_counts) values ('delete-all')`
          : sql`truncate word_counts`;
      await everything.execute(writer);
      await writer.insertInto("word_count_progress").values({ counted_to: 0 }).execute();
    });
    expect(await all()).toEqual(before);
    // Documents that change meanwhile are counted at once.
    const late = await add("Latecomer", "haddock");
    const stopping = new AbortController();
    const stopped = {
      ...database,
      write: async <T>(work: Parameters<typeof database.write<T>>[0]): Promise<T> => {
        stopping.abort();
        return database.write(work);
      },
    };
    const job = { complete: async () => {} };
    await expect(countWords(stopped, job, stopping.signal)).rejects.toThrow("aborted");
    const [reached = 0] = await countedTo();
    expect([reached > 0, reached < late]).toEqual([true, true]);
    expect([await all(), await find("haddock"), await differences()]).toEqual([before, ["Latecomer"], []]);
    await countWords(database, job, new AbortController().signal);
    expect([await countedTo(), await all(), await find("haddock")]).toEqual([[], before, ["Latecomer"]]);
    expect(await differences()).toEqual([]);
  });
});
