import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import type { Reply } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { buildWorker } from "../../worker.ts";
import { examineDocuments } from "../documents/processing/examine-documents.ts";

describe.each(engines)("notes in document search on %s", (engine) => {
  const app = useApp(engine, { QUIRE_TRASH_DAYS: "0" });
  let id: number;
  const owner = app.person("owner", { organizations: [1] });
  const member = app.person("member", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  beforeEach(async () => {
    await app.context.database.write(async (writer) => void (await writer.deleteFrom("documents").execute()));
    [id = 0] = await addDocuments(app.context, [
      { title: "Minutes", user_id: owner.id, organization_id: 1, page_count: 3 },
    ]);
  });

  const { send } = app;
  const write = async (value: object, person = owner): Promise<number> => {
    const whole = { title: "A note", page_number: 0, access: "public", ...value };
    const { status, body } = await send(person, "POST", `/api/documents/${id}/notes/`, whole);
    expect([status, body]).toEqual([201, body]);
    return body.id;
  };
  const search = async (q: string, person: Person | null = null, more = ""): Promise<Reply["body"]> =>
    (await send(person, "GET", `/api/documents/search/?q=${encodeURIComponent(q)}${more}`)).body;
  /** The number of documents that each of these words finds. */
  const counts = async (person: Person | null, ...asked: string[]): Promise<number[]> =>
    Promise.all(asked.map((q) => count(q, person)));
  const count = async (q: string, person: Person | null = null): Promise<number> =>
    (await search(q, person)).count;
  const differences = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { what } of examineDocuments(app.context)) found.push(what);
    return found.filter((what) => what.includes("index"));
  };

  it("are found at once with their current text, and no longer after they are deleted", async () => {
    const note = await write({ title: "Who paid?", content: "Ask the harbourmaster" });
    expect([
      await count("harbourmaster"),
      await count('"who paid"'),
      await count("NOT harbourmaster"),
    ]).toEqual([1, 1, 0]);
    await send(owner, "PATCH", `/api/documents/${id}/notes/${note}/`, { content: "Ask the pilot" });
    expect([await count("harbourmaster"), await count("pilot"), await count("paid")]).toEqual([0, 1, 1]);
    expect(await differences()).toEqual([]);
    await send(owner, "DELETE", `/api/documents/${id}/notes/${note}/`);
    expect([await count("pilot"), await count("paid")]).toEqual([0, 0]);
    expect(await differences()).toEqual([]);
  });

  it("belong to no field and to no page", async () => {
    await write({ title: "Dredging", page_number: 1 });
    const fields = ["title:dredging", "text:dredging", "page_no_2:dredging", "description:dredging"];
    for (const field of fields) expect([field, await count(field)]).toEqual([field, 0]);
    expect(await count("dredging")).toBe(1);
    expect((await send(null, "GET", `/api/documents/${id}/search/?q=dredging`)).body).toEqual({});
  });

  it("are found only by viewers who may see them", async () => {
    const words = ["openly", "together", "alone", "strange"];
    await write({ title: "Openly", access: "public" });
    await write({ title: "Together", access: "organization" });
    await write({ title: "Alone", access: "private" });
    await write({ title: "Strange", access: "private" }, stranger);
    expect(await counts(null, ...words)).toEqual([1, 0, 0, 0]);
    expect(await counts(owner, ...words)).toEqual([1, 1, 1, 0]);
    expect(await counts(member, ...words)).toEqual([1, 1, 0, 0]);
    expect(await counts(stranger, ...words)).toEqual([1, 0, 0, 1]);
    const administrator = await addPerson(app.context, { username: "admin", isAdministrator: true });
    expect(await counts(administrator, ...words)).toEqual([1, 1, 0, 0]);
    // Hidden notes do not influence the scores either.
    const order = (await search("alone minutes", null, "&explain=true")).results;
    expect(order.map((one: { id: string }) => one.id)).toEqual([String(id)]);
  });

  it("that are drafts are found by collaborators as long as they may edit", async () => {
    const editor = await addPerson(app.context, { username: "editor", organizations: [2] });
    const viewer = await addPerson(app.context, { username: "viewer", organizations: [2] });
    const project = await addProject(app.context, { title: "Shared" }, [id]);
    await app.context.database.write(async (writer) => {
      await sql`update project_memberships set edit_access = true`.execute(writer);
      await writer.updateTable("documents").set({ access: "private" }).execute();
      for (const [person, access] of [
        [editor, "edit"],
        [viewer, "view"],
      ] as const) {
        const row = { project_id: project, user_id: person.id, access };
        await writer.insertInto("project_collaborators").values(row).execute();
      }
    });
    await write({ title: "Together", access: "organization" });
    expect([await count("together", editor), await count("together", viewer)]).toEqual([1, 0]);
    expect([await count("minutes", editor), await count("minutes", viewer)]).toEqual([1, 1]);
    // Collaborators may not change a public document.
    await send(owner, "PATCH", `/api/documents/${id}/`, { access: "public" });
    expect([await count("together", editor), await count("together", owner)]).toEqual([0, 1]);
  });

  it("are indexed without their markup and highlighted", async () => {
    const content =
      '<p>The <b>har</b>bour &amp; <a href="https://example.org/wharf">quay</a></p><p>of Genoa</p>';
    const note = await write({ title: "On the harbour", content, page_number: 2 });
    await write({ title: "Another", content: "nothing of it" });
    const words = ["wharf", "href", "amp", "har", '"harbour quay"', "genoa"];
    expect(await counts(null, ...words)).toEqual([0, 0, 0, 0, 1, 1]);
    const { results } = await search("harbour", null, "&hl=true");
    expect(results[0].highlights).toEqual({});
    expect(results[0].note_highlights).toEqual({
      [note]: {
        title: ["On the <em>harbour</em>"],
        description: ["The <em>harbour</em> & quay\n\nof Genoa"],
      },
    });
    expect((await search("harbour")).results[0]).not.toHaveProperty("note_highlights");
    const page = await (await app.fetch("/?q=harbour")).text();
    expect(page).toContain(`#document/p3/a${note}">Note on page 3</a> On the <mark>harbour</mark>`);
  });

  it("that are missing in the index are detected and restored, and the job that indexes all documents adds all notes", async () => {
    await write({ title: "Herring" });
    const last = await write({ title: "Tar" });
    const lose = (): Promise<void> =>
      app.context.database.write(async (writer) => {
        const lost =
          engine === "sqlite"
            ? [
                sql`delete from document_words where rowid in (
                  select document_id * 1048576 + part from notes where id = ${last})`,
                sql`delete from word_counts where rowid in (
                  select part * 1099511627776 + document_id from notes where id = ${last})`,
              ]
            : [
                sql`delete from document_words where part = (select part from notes where id = ${last})`,
                sql`delete from word_counts where block = (select part from notes where id = ${last})`,
              ];
        for (const statement of lost) await statement.execute(writer);
      });
    await lose();
    expect(await count("tar")).toBe(0);
    expect(await differences()).toEqual([
      `document ${id}: the index lacks 1 of its texts, and has 0 too many`,
    ]);
    for await (const { repair } of examineDocuments(app.context)) await repair?.();
    expect([await count("tar"), await count("herring")]).toEqual([1, 1]);
    await lose();
    const worker = buildWorker(app.context);
    worker.start();
    const now = new Date().toISOString().replace("Z", "000Z");
    await app.context.database.write(async (writer) => {
      const job = { kind: "index documents", subject: 0, options: "{}", created_at: now, due_at: now };
      await writer.insertInto("jobs").values(job).execute();
      await sql`insert into unindexed_documents select id from documents`.execute(writer);
    });
    await worker.drain();
    await worker.stop();
    expect([await count("tar"), await count("herring"), await differences()]).toEqual([1, 1, []]);
  });

  it("leave nothing in the index, however they are deleted", async () => {
    const indexed = async (): Promise<number> => {
      const counted = sql<{ count: number }>`select count(*) as count from document_words`;
      const blocks = sql<{ count: number }>`select count(*) as count from word_counts`;
      const [{ count: ofBlocks } = { count: -1 }] = (await blocks.execute(app.context.database.reader)).rows;
      const parts = (await counted.execute(app.context.database.reader)).rows[0]?.count ?? -1;
      // Here every block is a single part.
      expect(ofBlocks).toBe(parts);
      return parts;
    };
    const before = await indexed();
    await write({ title: "Unfounded" }, owner);
    await write({ title: "Unheard" }, owner);
    expect(await indexed()).toBe(before + 2);
    await app.context.database.write(async (writer) => {
      await sql`delete from notes where title = 'Unheard'`.execute(writer);
    });
    expect(await indexed()).toBe(before + 1);
    await send(owner, "DELETE", `/api/documents/${id}/`);
    expect(await indexed()).toBe(0);
  });
});
