import { describe, expect, it } from "vitest";
import { sendAs } from "../../../testing/requests.ts";
import { addReadDocument, addTexts } from "../../../testing/read-documents.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { findWholeText } from "./whole-text.ts";
import { findDocument } from "../store.ts";
import { anonymous } from "../../../http/request/viewer.ts";

const names = ["a-document.txt", "a-document.txt.json"] as const;
const moment = Date.parse("2025-01-31T12:00:00.000000Z");

describe.each(defaultEngines)("the whole text of a document on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });

  const withPages = (pages: readonly string[]): Promise<number> =>
    addReadDocument(app.context, { user_id: owner.id, pages });
  const get = (id: number, name: string, init?: RequestInit): Promise<Response> =>
    app.fetch(`/files/documents/${id}/${name}`, init);

  it.each([1, 2, 31, 32, 33, 64, 65, 100])("has all of its %i pages, in either form", async (count) => {
    const texts = Array.from({ length: count }, (_, page) => (page % 5 === 3 ? "" : `page ${page} "ñ" 🐚\n`));
    const id = await withPages(texts);
    const text = await get(id, names[0]);
    const whole = texts.join("\n\n");
    expect(text.headers.get("content-length")).toBe(String(Buffer.byteLength(whole)));
    expect(await text.text()).toBe(whole);
    const json = await get(id, names[1]);
    const pages = texts.map((contents, page) => ({
      page,
      contents,
      ocr: null,
      lang: "eng",
      updated: moment,
    }));
    expect(await json.text()).toBe(JSON.stringify({ updated: moment, pages }));
    const head = await get(id, names[0], { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(whole)));
    expect(head.headers.get("etag")).toBe(text.headers.get("etag"));
  });

  it("does not exist before a page was read", async () => {
    const id = await withPages([]);
    for (const name of names) expect((await get(id, name)).status).toBe(404);
  });

  it.each(names)(
    "has another tag when a text, the language or the number of pages changes (%s)",
    async (name) => {
      const id = await withPages(["one", "two"]);
      const tags: (string | null)[] = [];
      const noteTag = async (): Promise<void> => {
        const etag = (await get(id, name)).headers.get("etag");
        expect(tags).not.toContain(etag);
        tags.push(etag);
        const known = await get(id, name, { headers: { "if-none-match": etag ?? "" } });
        expect([known.status, await known.text()]).toEqual([304, ""]);
      };
      await noteTag();
      const patch = async (values: object): Promise<void> => {
        const { status } = await sendAs(app, owner, "PATCH", `/api/documents/${id}/`, values);
        expect(status).toBe(200);
      };
      await patch({ pages: [{ page_number: 1, text: "owt" }] });
      await noteTag();
      expect(await (await get(id, names[0])).text()).toBe("one\n\nowt");
      await patch({ language: "deu" });
      await noteTag();
      await addTexts(app.context, id, ["three"], 2);
      await noteTag();
    },
  );

  it("is read as fast as it is taken, and aborted if it changes meanwhile", async () => {
    const id = await withPages(Array.from({ length: 2000 }, () => "0123456789".repeat(100)));
    const { database } = app.context;
    const document = await findDocument(database, anonymous, id);
    if (document === null) throw new Error("no document");
    const read = async (): Promise<AsyncIterator<Buffer>> => {
      const stream = (await findWholeText(database, document, "txt"))?.read();
      if (stream === undefined) throw new Error("no text");
      return stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    };
    const chunks = await read();
    expect((await chunks.next()).value?.length).toBeLessThan(100_000);
    await sendAs(app, owner, "PATCH", `/api/documents/${id}/`, { pages: [{ page_number: 1999, text: "x" }] });
    const rest = async (): Promise<void> => {
      for (let chunk = await chunks.next(); chunk.done !== true; chunk = await chunks.next()) void chunk;
    };
    await expect(rest()).rejects.toThrow("Too much");
    const again = await (await get(id, names[0])).text();
    expect(again.endsWith("\n\nx")).toBe(true);
  });
});
