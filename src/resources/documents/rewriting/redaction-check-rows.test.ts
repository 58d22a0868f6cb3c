import { beforeAll, describe, expect, it } from "vitest";
import type { Writer } from "../../../database/database.ts";
import type { Box } from "../../../processing/pdf/flat-page.ts";
import { partOfPage } from "../../../search/parts.ts";
import { countTexts, indexTexts } from "../../../search/text-index.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { type ReadPage, addPages } from "../pages/page-store.ts";
import { checkRedactedRows } from "./redaction-check.ts";

const everything: Box = { x1: 0.1, x2: 0.9, y1: 0.05, y2: 0.35 };

/** The second page of a document, in the index and in its table. */
const secondPage = (documentId: number) => ({ documentId, part: partOfPage(1) });
const count = (writer: Writer, id: number) =>
  countTexts(writer, [{ ...secondPage(id), text: "Alexandrova" }]);
const removeRow = (writer: Writer, id: number) =>
  writer.deleteFrom("document_pages").where("document_id", "=", id).where("page", "=", 1).execute();

describe.each(engines)("the check of a redacted document's rows on %s", (engine) => {
  const app = useApp(engine);
  beforeAll(async () => {
    await addDocuments(app.context, []);
  });

  const hidden = [{ text: "Alexandrova", upright: true, direction: 1, ...everything }] as const;
  const seen = { ...hidden[0], text: "witness" };
  const recognised = { engine: "tess4", confidence: 90, layer: "", words: [seen] };
  const read: ReadPage = { text: "The witness", recognised };

  /** A document whose second page is redacted. `change` is what was left behind. */
  async function check(change: (writer: Writer, documentId: number) => Promise<unknown>): Promise<void> {
    const [id = 0] = await addDocuments(app.context, [{ title: "Minutes" }]);
    await app.context.database.write(async (writer) => {
      await addPages(writer, id, 0, [{ text: "The first page" }, read]);
      await change(writer, id);
      await checkRedactedRows(writer, id, [{ page: 1, boxes: [everything], hidden, read }]);
    });
  }

  it("passes if only what was read is left, or the hidden word stands on another page", async () => {
    await expect(check(() => Promise.resolve())).resolves.toBeUndefined();
    const elsewhere = check((writer, id) => addPages(writer, id, 2, [{ text: "Alexandrova, elsewhere" }]));
    await expect(elsewhere).resolves.toBeUndefined();
  });

  it("finds a hidden word in the page's entry of the index", async () => {
    const text = "The witness Alexandrova";
    const index = (writer: Writer, id: number) => indexTexts(writer, [{ ...secondPage(id), text }]);
    await expect(check(index)).rejects.toThrow(
      "Hidden content of page 2 can still be found in the index: nothing was published",
    );
    const removed = async (writer: Writer, id: number) => {
      await index(writer, id);
      await indexTexts(writer, [{ ...secondPage(id), text: read.text }]);
    };
    await check(removed);
  });

  it("finds a hidden word in the counts of the page's block", async () => {
    await expect(check(count)).rejects.toThrow("page 2 can still be found in the index");
  });

  it("finds a hidden word among the mentions of the page", async () => {
    const mention = {
      start: 0,
      kind: "email",
      value: "x@example.org",
      written: "Alexandrova@x.org",
    } as const;
    const add = (page: number) => (writer: Writer, id: number) =>
      writer
        .insertInto("mentions")
        .values({ document_id: id, page, ...mention })
        .execute();
    await expect(check(add(1))).rejects.toThrow("page 2 can still be found in the list of mentions");
    await check(add(0));
  });

  it.each([
    ["text", { text: "The witness Alexandrova" }],
    ["text of the file", { layer: "The witness Alexandrova" }],
    ["positions", { words: JSON.stringify([seen, hidden[0]]) }],
  ])("finds another %s in the page's row", async (_what, values) => {
    const change = (writer: Writer, id: number) =>
      writer
        .updateTable("document_pages")
        .set(values)
        .where("document_id", "=", id)
        .where("page", "=", 1)
        .execute();
    await expect(check(change)).rejects.toThrow("page 2 can still be found in the database");
  });

  it("finds that the page's row is missing", async () => {
    await expect(check(removeRow)).rejects.toThrow("page 2 can still be found in the database");
  });
});
