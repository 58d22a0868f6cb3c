import { sql } from "kysely";
import { addRow } from "../../database/rows.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { JobRunner } from "../../jobs/runner.ts";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { buildPdf } from "../../testing/pdf.ts";
import { type Person, addPerson, beginSession } from "../../testing/people.ts";
import type { Reply } from "../../testing/requests.ts";
import { isInFull } from "../../testing/runs.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { buildWorker } from "../../worker.ts";
import { putPages } from "../documents/pages/page-store.ts";
import { lockDocument } from "../documents/store.ts";
import { emptyTrashJob } from "../documents/trash/empty-trash.ts";
import { enqueue } from "../../jobs/queue.ts";
import { extendHoldsJob } from "./extend-holds.ts";

const holds = "/api/holds/";
const record = (id: number): string => `/api/documents/${id}/`;
const why = { name: "Inquiry", reason: "Letter of the court" };
const hold = (id: number) => ({
  name: "x",
  reason: "x",
  user_id: id,
  created_at: "2025-01-31T12:00:00.000000Z",
});

describe.each(engines)("legal holds on %s", (engine) => {
  const app = useApp(engine, { QUIRE_TRASH_DAYS: "30" });
  let worker: JobRunner;
  let admin: Person;
  let administrator: Person;
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  beforeAll(async () => {
    worker = buildWorker(app.context);
    worker.start();
    const editor = { username: "admin", organizations: [1], administers: [1] };
    admin = await inBrowser(await addPerson(app.context, editor));
    const root = { username: "root", organizations: [2], isAdministrator: true };
    administrator = await inBrowser(await addPerson(app.context, root));
  });
  afterAll(() => worker.stop());

  /** A personal token gives nobody these rights. */
  const inBrowser = async (person: Person): Promise<Person> => ({
    ...person,
    headers: { ...(await beginSession(app.context, person)) } as never,
  });
  const { send } = app;
  const set = async (person: Person, covers: object): Promise<Reply["body"]> => {
    const { status, body } = await send(person, "POST", holds, { ...why, ...covers });
    expect([status, body]).toMatchObject([201, why]);
    return body;
  };
  const release = async ({ id }: Reply["body"], person = administrator): Promise<void> =>
    expect((await send(person, "DELETE", `${holds}${id}/`)).status).toBe(204);
  const run = async (kind: typeof emptyTrashJob | typeof extendHoldsJob): Promise<void> => {
    await app.context.database.write((writer) => enqueue(writer, { kind, subject: 0 }));
    app.context.jobs.notify();
    await worker.drain();
  };
  const actionsOf = async (id: number): Promise<string[]> => {
    const { body } = await send(administrator, "GET", `${record(id)}history/`);
    return body.results.map(({ action }: { action: string }) => action);
  };

  async function add(text: string, values: object = {}): Promise<number> {
    const [id = 0] = await addDocuments(app.context, [
      { user_id: owner.id, title: text, access: "public", page_count: 1, ...values },
    ]);
    const pages = [{ page: 0, text, ocr: null, positions: null }];
    await app.context.database.write((writer) => putPages(writer, id, pages as never));
    return id;
  }

  const box = { page_number: 0, x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2 };
  const page = [{ page: "0", modifications: [{ type: "rotate", angle: "cc" }] }];

  it("keep what they cover from every deletion and every loss, until they are released", async () => {
    const [found, inProject, named, free, binned] = [
      await add("The harbourmaster", { access: "private" }),
      await add("A ferry"),
      await add("A bridge"),
      await add("A tunnel"),
      await add("The harbourmaster again"),
    ];
    const project = await addProject(app.context, { user_id: owner.id }, [inProject]);
    expect((await send(owner, "DELETE", record(binned))).status).toBe(204);
    const held = [
      await set(administrator, { query: "harbourmaster" }),
      await set(administrator, { project }),
      await set(administrator, { documents: [named] }),
    ];
    // Administrators see no more documents than others: not even how many there are.
    expect(held.map(({ count }) => count)).toEqual([0, 1, 1]);
    // Words that change do not slip it out, and what is found later is covered at once.
    expect((await send(owner, "PATCH", record(found), { title: "x" })).status).toBe(200);
    await app.context.database.write((writer) =>
      putPages(writer, found, [{ page: 0, text: "x", ocr: null, positions: null }] as never),
    );
    const later = await add("Another harbourmaster");
    const joined = await add("A raft");
    await app.context.database.write((writer) =>
      writer
        .insertInto("project_memberships")
        .values({ project_id: project, document_id: joined, edit_access: false })
        .execute(),
    );

    const refused = async (
      person: Person,
      id: number,
      ...[method, target, value]: [string, string, unknown?]
    ) => {
      const { status, body } = await send(person, method, target, value);
      expect([target, status, body]).toEqual([
        target,
        409,
        { detail: expect.stringContaining(`Document ${id} is under a legal hold`) },
      ]);
    };
    for (const id of [found, inProject, named, later, joined]) {
      await refused(owner, id, "DELETE", record(id));
      await refused(owner, id, "DELETE", `/api/documents/?id__in=${free},${id}`);
      await refused(owner, id, "POST", `${record(id)}redactions/`, [box]);
      await refused(owner, id, "POST", `${record(id)}modifications/`, page);
      await refused(owner, id, "POST", `${record(id)}file/`, { file_url: "https://example.org/a.pdf" });
    }
    await refused(administrator, named, "DELETE", record(named));
    await refused(owner, binned, "DELETE", `/api/documents/trash/?id__in=${binned}`);
    // It looks the same to those who may not delete it, or may not see it, as without a hold.
    expect((await send(stranger, "DELETE", record(named))).status).toBe(403);
    expect((await send(stranger, "DELETE", record(found))).status).toBe(404);
    expect((await send(owner, "DELETE", record(free))).status).toBe(204);

    await app.context.database.write((writer) =>
      writer
        .updateTable("deleted_documents")
        .set({ deleted_at: "2025-01-31T12:00:00.000000Z" })
        .where("document_id", "in", [binned, free])
        .execute(),
    );
    await run(emptyTrashJob);
    expect(await actionsOf(free)).toContain("removed");
    expect(await actionsOf(binned)).toEqual(["held", "deleted"]);

    // Each hour, holds keep what they have found since: `joined` stays under the hold although it leaves the project.
    await run(extendHoldsJob);
    await send(owner, "DELETE", `/api/projects/${project}/documents/${joined}/`);
    await refused(owner, joined, "DELETE", record(joined));

    for (const one of held) await release(one);
    expect((await send(administrator, "DELETE", `${holds}${held[0].id}/`)).status).toBe(409);
    expect(await actionsOf(named)).toEqual(["released", "held"]);
    for (const id of [found, inProject, named, later, joined])
      expect((await send(owner, "DELETE", record(id))).status).toBe(204);
    expect((await send(owner, "DELETE", `/api/documents/trash/?id__in=${found}`)).status).toBe(204);
    const { body } = await send(administrator, "GET", holds);
    expect(body.results.map((one: Reply["body"]) => [one.released_by, one.released_at !== null])).toEqual(
      held.map(() => [administrator.id, true]),
    );
  });

  it("hold when they are set while a deletion waits for its document", async () => {
    const id = await add("A lighthouse");
    const { database } = app.context;
    const isWaiting = async (): Promise<boolean> => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(database.reader);
      return rows.length > 0;
    };
    let deletion: Promise<Reply> | undefined;
    await database.write(async (writer) => {
      await lockDocument(writer, database.dialect, id);
      deletion = send(owner, "DELETE", record(id));
      if (engine === "postgres") await vi.waitUntil(isWaiting, 60_000);
      await addRow(writer, "holds", { ...hold(administrator.id), query: "lighthouse" });
    });
    expect((await deletion)?.status).toBe(409);
    // The database refuses, too, whatever program forgets to ask.
    const [{ id: newest = 0 } = {}] = (await send(administrator, "GET", holds)).body.results;
    await run(extendHoldsJob);
    const forgetful = database.write((writer) =>
      writer.deleteFrom("documents").where("id", "=", id).execute(),
    );
    await expect(forgetful).rejects.toThrow(/foreign key/i);
    await release({ id: newest });
  });

  it("are set by administrators, and by an organization's admins for its own documents", async () => {
    const [own, foreign] = [await add("A quay"), await add("A quay", { organization_id: 2 })];
    expect((await send(null, "POST", holds, why)).status).toBe(403);
    for (const person of [owner, stranger]) {
      expect((await send(person, "POST", holds, { ...why, query: "quay" })).status).toBe(403);
      expect((await send(person, "GET", holds)).body.results).toEqual([]);
    }
    for (const [covers, field] of [
      [{ query: "quay" }, "organization"],
      [{ query: "quay", organization: 2 }, "organization"],
      [{ documents: [foreign], organization: 1 }, "documents"],
      [{ documents: [999_999], organization: 1 }, "documents"],
      [{ project: 999_999, organization: 1 }, "project"],
      [{ organization: 1 }, "non_field_errors"],
      [{ organization: 1, query: "quay", documents: [own] }, "non_field_errors"],
    ] as const) {
      const { status, body } = await send(admin, "POST", holds, { ...why, ...covers });
      expect([status, Object.keys(body)]).toEqual([400, [field]]);
    }
    const held = await set(admin, { query: "quay", organization: 1 });
    const everywhere = await set(administrator, { documents: [foreign] });
    expect((await send(admin, "GET", holds)).body.results.map(({ id }: { id: number }) => id)).toEqual([
      held.id,
    ]);
    for (const [person, id] of [
      [admin, everywhere.id],
      [owner, held.id],
      [stranger, held.id],
      [admin, 999_999],
    ] as const)
      for (const method of ["GET", "DELETE"])
        expect(await send(person, method, `${holds}${id}/`)).toMatchObject({
          status: 404,
          body: { detail: "Not found." },
        });
    expect((await send(owner, "DELETE", record(own))).status).toBe(409);
    await release(everywhere);
    expect((await send(administrator, "DELETE", record(foreign))).status).toBe(204);
    await release(held, admin);
  });

  it("list what they have found, as far as the reader may see it, exactly while others write", async () => {
    const secret = await add("A wharf", { access: "private" });
    const ids: number[] = [];
    for (let count = 0; count < 7; count++) ids.push(await add("A wharf"));
    const held = await set(admin, { query: "wharf", organization: 1 });
    const list = `${holds}${held.id}/documents/`;
    const walk = async (person: Person, start: string, way: "next" | "previous"): Promise<number[]> => {
      const found: number[] = [];
      for (let address: string | null = start; address !== null;) {
        const { status, body } = await send(person, "GET", address);
        expect(status).toBe(200);
        const some = body.results.map(({ document }: { document: number }) => document);
        found.push(...(way === "next" ? some : some.toReversed()));
        if (found.length === 3) {
          // One that arrives is behind the others; one in the trash stays in the list of those who may see it there.
          await add("A wharf");
          await run(extendHoldsJob);
        }
        address = body[way] === null ? null : String(body[way]).replace(/^https?:\/\/[^/]*/, "");
      }
      return found;
    };
    const found = await walk(admin, `${list}?per_page=3`, "next");
    expect(found.slice(0, 7)).toEqual(ids);
    expect(found).toHaveLength(8);
    const end = Buffer.from("r=1").toString("base64");
    expect(
      (await walk(admin, `${list}?per_page=3&cursor=${end}`, "previous")).toReversed().slice(0, 8),
    ).toEqual(found);
    expect(found).not.toContain(secret);
    expect((await send(owner, "GET", list)).status).toBe(404);
    expect((await send(stranger, "GET", list)).status).toBe(404);
    const first = (await send(admin, "GET", list)).body.results[0];
    expect(first).toEqual({
      document: ids[0],
      title: "A wharf",
      pages: 1,
      user: owner.id,
      organization: 1,
      access: "public",
      is_deleted: false,
    });
    await release(held, admin);
    expect((await send(admin, "GET", list)).body.results).toEqual([]);
  });

  it("let a redacted copy be made, and nothing be read again", async () => {
    if (!isInFull(engine)) return;
    const { body } = await send(owner, "POST", "/api/documents/", { title: "Minutes" });
    const pdf = buildPdf({ pages: [{ width: 480, height: 250, lines: ["A pilot boat"] }] });
    await fetch(body.presigned_url, { method: "PUT", body: pdf as NonNullable<RequestInit["body"]> });
    const held = await set(administrator, { query: "title:Minutes" });
    // It has no texts that it could lose.
    expect((await send(owner, "POST", `${record(body.id)}process/`, {})).status).toBe(200);
    await worker.drain();
    for (const [person, target] of [
      [owner, `${record(body.id)}process/`],
      [owner, "/api/documents/process/"],
    ] as const)
      expect((await send(person, "POST", target, { ids: [body.id] })).status).toBe(409);
    const copy = await send(owner, "POST", `${record(body.id)}redacted_copies/`, { redactions: [box] });
    await worker.drain();
    const { status } = (await send(owner, "GET", record(copy.body.id))).body;
    expect([copy.status, status]).toEqual([201, "success"]);
    await release(held);
  });
});
