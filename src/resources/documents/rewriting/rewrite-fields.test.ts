import { describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { checkCopies, movePageParts } from "../pages/page-parts-store.ts";
import type { PlannedPage } from "../pages/planned-page.ts";
import { insertNote } from "../../notes/store.ts";

const plan = (id: number, times: number): PlannedPage[] =>
  Array.from({ length: times }, (_, index) => ({ document: id, page: 0, quarterTurns: index & 3 }));

describe.each(engines)("the limit on one rewrite request, on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });

  async function document(notes: number): Promise<number> {
    const [id = 0] = await addDocuments(app.context, [{ user_id: owner.id, page_count: 2 }]);
    await app.context.database.write(async (writer) => {
      for (let index = 0; index < notes; index++) {
        const said = {
          title: `note ${index}`,
          content: "",
          content_html: "",
          x1: 0.1,
          x2: 0.2,
          y1: 0.1,
          y2: 0.3,
        };
        const times = {
          created_at: "2025-01-31T12:00:00.000000Z",
          updated_at: "2025-01-31T12:00:00.000000Z",
        };
        const row = { document_id: id, user_id: owner.id, organization_id: 1, page_number: 0 };
        await insertNote(writer, { ...row, ...said, ...times, access: "private" });
      }
      await writer
        .insertInto("sections")
        .values({ document_id: id, page_number: 0, title: "Start" })
        .execute();
    });
    return id;
  }

  const rows = (table: "notes" | "sections", id: number) =>
    app.context.database.reader
      .selectFrom(table)
      .select(["id", "page_number", "title"])
      .where("document_id", "=", id)
      .orderBy("page_number")
      .orderBy("id")
      .execute();

  it("is a thousand boxes", async () => {
    const id = await document(0);
    const boxes = Array.from({ length: 1001 }, () => ({
      page_number: 0,
      x1: 0.1,
      x2: 0.2,
      y1: 0.1,
      y2: 0.2,
    }));
    const target = `/api/documents/${id}/redactions/`;
    expect(await sendAs(app, owner, "POST", target, boxes)).toMatchObject({
      status: 400,
      body: { non_field_errors: ["A request may have 1000 redactions at most"] },
    });
    // With fewer boxes, only the missing file is reported.
    expect((await sendAs(app, owner, "POST", target, boxes.slice(1))).body).toHaveProperty("error");
  });

  it("is ten thousand copies of notes and sections", async () => {
    const id = await document(60);
    const { database } = app.context;
    const check = (times: number): Promise<void> =>
      database.write((writer) => checkCopies(writer, id, plan(id, times), owner.id));
    // The page has 60 notes and a section, so 163 copies have 9,943 of them.
    await expect(check(164)).resolves.toBeUndefined();
    await expect(check(165)).rejects.toMatchObject({
      status: 400,
      body: { data: { non_field_errors: [expect.stringContaining("10004 notes and sections copied")] } },
    });
    // Other users' private notes are not copied, so they do not count.
    await expect(
      database.write((writer) => checkCopies(writer, id, plan(id, 1000), owner.id + 1)),
    ).resolves.toBeUndefined();
  });

  it("also holds if notes are added meanwhile, and no existing note is lost", async () => {
    const id = await document(60);
    const before = await rows("notes", id);
    await app.context.database.write((writer) => movePageParts(writer, id, plan(id, 3000), owner.id));
    const [notes, sections] = [await rows("notes", id), await rows("sections", id)];
    expect(notes.length + sections.length).toBe(10_000 + 61);
    expect(notes.slice(0, 60)).toEqual(before);
    expect(notes.slice(60, 120).map(({ page_number, title }) => [page_number, title])).toEqual(
      before.map(({ title }) => [1, title]),
    );
  });
});
