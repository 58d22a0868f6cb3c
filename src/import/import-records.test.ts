import * as fc from "fast-check";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "kysely";
import pino from "pino";
import { type Context, openContext } from "../context.ts";
import { documentFileKey } from "../files/keys.ts";
import { exportedRecords } from "../resources/documents/record/export-documents.ts";
import { processJob } from "../resources/documents/file-facts-store.ts";
import { findIndexFaults } from "../resources/documents/processing/check-store.ts";
import { findWrongRecords } from "../resources/documents/record-store.ts";
import { indexDocuments } from "../resources/documents/search/index-store.ts";
import { insertNote } from "../resources/notes/store.ts";
import { documentRow, projectRow } from "../testing/factories.ts";
import { addPerson } from "../testing/people.ts";
import { recordOf } from "../testing/records.ts";
import { type TestStorage, engines, testStorage } from "../testing/test-app.ts";
import { RecordImport } from "./import-records.ts";
import { findOwner, noChoice } from "./owner.ts";
import { readSource } from "./source-reader.ts";
import { ImportReport } from "./report.ts";
import { runsOn } from "../testing/runs.ts";

const baseUrls = { web: "https://docs.example.org", assets: "https://docs.example.org/files/" };

const record = (id: number, more: object = {}): Record<string, unknown> =>
  recordOf({ id, canonical_url: `${baseUrls.web}/documents/${id}-a-report/`, ...more });

const anyText = (maxLength: number) =>
  fc.string({ unit: "grapheme", maxLength }).filter((text) => !text.includes("\0"));

const uuid = (digit: string): string => `${digit.repeat(8)}-1111-4111-8111-111111111111`;
const onDay = (day: string): string => `2015-03-${day}T10:00:00.000123Z`;

const lines = (...records: unknown[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join("");

const many = 1200;
const largeRecord = (id: number, more: object = {}): Record<string, unknown> =>
  record(id, {
    access: id % 3 === 0 ? "private" : "public",
    title: `Report ${id} é`,
    description: "x".repeat(800),
    data: id % 2 === 0 ? { a: [String(id), "b"], c: [] } : {},
    projects: id % 4 === 0 ? [2, 1] : [],
    ...more,
  });

const newer = (id: number): Record<string, unknown> => largeRecord(id, { projects: [] });

const idsFrom = (first: number): number[] => Array.from({ length: many }, (_, index) => first + index);

describe.each(engines)("importing records into %s", (engine) => {
  let storage: TestStorage;
  let context: Context;

  beforeAll(async () => {
    storage = await testStorage(engine);
    context = await openContext(storage.config, pino({ level: "silent" }));
  });

  afterAll(async () => {
    await context.close();
    await storage[Symbol.asyncDispose]();
  });

  beforeEach(() => empty());

  async function empty(): Promise<void> {
    await context.database.write(async (writer) => {
      for (const table of ["documents", "projects", "api_tokens", "organizations", "users"] as const) {
        await writer.deleteFrom(table).execute();
      }
    });
  }

  async function load(
    text: string,
    signal = new AbortController().signal,
    owner: string | null = null,
  ): Promise<{ report: ImportReport; notes: string[] }> {
    const notes: string[] = [];
    const report = new ImportReport({
      update: () => undefined,
      note: (line) => void notes.push(line),
      finish: () => undefined,
    });
    const records = new RecordImport(context, {
      ownAssets: baseUrls.assets,
      owner: () => findOwner(context.database, { ...noChoice, user: owner }),
      signal,
      report,
    });
    await records.run(
      "a file",
      readSource(Readable.from([Buffer.from(text)]), {
        engine: context.database.engine,
        ownAssets: baseUrls.assets,
      }),
    );
    return { report, notes };
  }

  async function unload(): Promise<string> {
    let text = "";
    for await (const page of exportedRecords(context.database, baseUrls)) text += page.text;
    return text;
  }

  const all = (table: "notes" | "sections" | "users" | "organizations" | "projects") =>
    context.database.reader
      .selectFrom(table as "notes")
      .selectAll()
      .orderBy("id")
      .execute();

  const count = async (table: "unindexed_documents" | "document_words"): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      context.database.reader,
    );
    return Number(rows[0]?.count);
  };

  /** After an import, documents that other programs add get everything from triggers again. */
  async function addSomething(): Promise<void> {
    const id = many + 10;
    await context.database.write(async (writer) => {
      await writer
        .insertInto("documents")
        .values({ ...documentRow(), id, data: '{"a":["b"]}', user_id: 1, organization_id: 1 })
        .execute();
      await writer
        .insertInto("project_memberships")
        .values({ document_id: id, project_id: 1, edit_access: false })
        .execute();
    });
    for (const table of ["document_records", "document_data", "project_memberships"] as const) {
      const rows = await context.database.reader
        .selectFrom(table as "document_data")
        .select("document_id")
        .where("document_id", "=", id)
        .execute();
      expect(rows).toHaveLength(1);
    }
  }

  /** Makes the database refuse documents with the title "No", and allow them again. */
  const refusal: [string, string] =
    engine === "sqlite"
      ? [
          "create trigger refuse before insert on documents when new.title = 'No' begin select raise(abort, 'refused'); end",
          "drop trigger refuse",
        ]
      : [
          "alter table documents add constraint refuse check (title <> 'No')",
          "alter table documents drop constraint refuse",
        ];

  const revisions = () =>
    context.database.reader.selectFrom("documents").select(["id", "revision"]).orderBy("id").execute();

  it("keeps every value of a record", async () => {
    const text = lines(
      record(5, {
        data: { b: ["2", "1"], a: [] },
        projects: [3, 12],
        publish_at: "2030-01-01T00:00:00.000000Z",
      }),
      record(70, {
        access: "invisible",
        status: "error",
        title: 'A "quoted" <title> \u2028 é',
        user: 2,
        organization: 9,
      }),
    );
    const { report } = await load(text);
    expect(report.summary()).toBe("2 documents in");
    expect(await unload()).toBe(text);
  });

  it("creates missing users, organizations and projects, and does not change existing ones", async () => {
    await load(
      lines(
        record(1, { user: { id: 4, username: "ada", name: "Ada" }, projects: [{ id: 8, title: "Roads" }] }),
      ),
    );
    await load(
      lines(record(2, { user: { id: 4, username: "eve" } }), record(3, { user: { id: 5, username: "ada" } })),
    );
    const { reader } = context.database;
    expect(
      await reader.selectFrom("users").select(["id", "username", "name"]).orderBy("id").execute(),
    ).toEqual(
      [
        { id: 1, username: "user-1", name: "User 1" },
        { id: 4, username: "ada", name: "Ada" },
        { id: 5, username: "user-5", name: "ada" },
      ].filter(({ id }) => id !== 1),
    );
    expect(await reader.selectFrom("organizations").select(["id", "name", "slug"]).execute()).toEqual([
      { id: 1, name: "Organization 1", slug: "organization-1" },
    ]);
    expect(await reader.selectFrom("projects").select(["id", "title", "user_id"]).execute()).toEqual([
      { id: 8, title: "Roads", user_id: 4 },
    ]);
  });

  it("gives a record without an owner to the only user who can sign in, or to the user on the command line", async () => {
    const { id } = await addPerson(context, { username: "keeper", password: "any" });
    await load(lines({ id: 1, title: "One" }, { id: 2, title: "Two", user: 77 }));
    await addPerson(context, { username: "other", password: "any" });
    await load(lines({ id: 3, title: "Three" }), undefined, String(id));
    await load(lines({ id: 4, title: "Four" }), undefined, "USER-77");
    const owners = await context.database.reader
      .selectFrom("documents")
      .innerJoin("users", "users.id", "documents.user_id")
      .innerJoin("organizations", "organizations.id", "documents.organization_id")
      .select(["username", "organizations.name"])
      .where("individual", "=", true)
      .orderBy("documents.id")
      .execute();
    expect(owners).toEqual([
      { username: "keeper", name: "keeper" },
      { username: "user-77", name: "keeper" },
      { username: "keeper", name: "keeper" },
      { username: "user-77", name: "user-77" },
    ]);
  });

  it("never assigns an id that came with a record, even after the document is deleted", async () => {
    await load(lines(record(500, { user: 600, organization: 700, projects: [800] })));
    await context.database.write((writer) => writer.deleteFrom("documents").execute());
    await load(lines(record(7, { user: 600, organization: 700, projects: [800] })));
    const times = { created_at: "", updated_at: "" };
    const ids = await context.database.write(async (writer) => [
      await writer
        .insertInto("users")
        .values({ username: "new", name: "", ...times })
        .returning("id")
        .executeTakeFirstOrThrow(),
      await writer
        .insertInto("organizations")
        .values({ name: "", slug: "", individual: false, ...times })
        .returning("id")
        .executeTakeFirstOrThrow(),
      await writer
        .insertInto("projects")
        .values({ title: "", slug: "", description: "", private: false, user_id: 600, ...times })
        .returning("id")
        .executeTakeFirstOrThrow(),
      await writer
        .insertInto("documents")
        .values({
          ...documentRow({ status: "error", user_id: 600, organization_id: 700 }),
        })
        .returning("id")
        .executeTakeFirstOrThrow(),
    ]);
    expect(ids.map(({ id }) => id)).toEqual([601, 701, 801, 501]);
  });

  it("changes nothing when the same records are imported again", async () => {
    const text = lines(record(1, { data: { a: ["x"] }, projects: [2, 3] }), record(2));
    await load(text);
    const before = await revisions();
    const { report } = await load(text);
    expect(report.summary()).toBe("0 documents in, 2 known already");
    expect(await revisions()).toEqual(before);
    expect(await unload()).toBe(text);
  });

  it("changes nothing when a record without times is imported again", async () => {
    const { created_at, updated_at: _, ...bare } = record(1);
    await load(lines({ ...bare, id: 1 }, { ...bare, id: 2, created_at }));
    const before = await unload();
    const { report } = await load(lines({ ...bare, id: 1 }, { ...bare, id: 2, created_at }));
    expect(report.summary()).toBe("0 documents in, 2 known already");
    expect(await unload()).toBe(before);
    expect(before).toContain(`"updated_at":"${String(created_at)}"`);
  });

  it("updates a document and its projects from its record", async () => {
    await load(lines(record(1, { projects: [2, 3] }), record(2, { projects: [2] }), record(3)));
    const before = await revisions();
    const text = lines(
      record(1, { projects: [3, 4] }),
      record(2, { title: "Renamed", data: { a: ["x"] }, noindex: true, projects: [] }),
      record(3),
    );
    const { report } = await load(text);
    expect(report.summary()).toBe("0 documents in, 2 brought up to date, 1 known already");
    expect(await unload()).toBe(text);
    const after = await revisions();
    expect(after.map(({ revision }, index) => revision === before[index]?.revision)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("uses the later of two records of the same document", async () => {
    const { report } = await load(
      lines(record(1, { title: "First" }), record(2), record(1, { title: "Second" })),
    );
    expect(report.summary()).toBe("2 documents in, 1 brought up to date");
    expect(await unload()).toBe(lines(record(1, { title: "Second" }), record(2)));
  });

  it("reports each broken line and imports the others", async () => {
    const { report, notes } = await load(
      `${lines(record(1))}nonsense\n\n${lines(record(2, { title: "" }), record(3))}`,
    );
    expect(notes).toEqual([
      expect.stringMatching(/^a file, line 2: not JSON: /),
      "a file, line 4 (id 2): title: expected a text that is not blank",
    ]);
    expect(report.summary()).toBe("2 documents in, 2 failed");
    expect(await unload()).toBe(lines(record(1), record(3)));
  });

  it("imports the other records if the database refuses one", async () => {
    const [refuse, allow] = refusal;
    await context.database.write((writer) => sql.raw(refuse).execute(writer));
    const good = [1, 2, 4, 5, 6, 8].map((id) => record(id));
    const bad = [3, 7].map((id) => record(id, { title: "No" }));
    const { report, notes } = await load(
      lines(...[...good, ...bad].toSorted((a, b) => Number(a["id"]) - Number(b["id"]))),
    );
    await context.database.write((writer) => sql.raw(allow).execute(writer));
    expect(notes).toEqual([
      expect.stringMatching(/^a file, line 3 \(id 3\): .*refuse/),
      expect.stringMatching(/^a file, line 7 \(id 7\): .*refuse/),
    ]);
    expect(report.summary()).toBe("6 documents in, 2 failed");
    expect(await unload()).toBe(lines(...good));
  });

  /** SQLite does not check foreign keys and values while the rows are copied. */
  const expectRulesHold = async (): Promise<void> => {
    const { database } = context;
    if (engine === "sqlite") {
      const { rows } = await database.write((writer) => sql`pragma foreign_key_check`.execute(writer));
      expect(rows).toEqual([]);
    }
    for (const change of [
      sql`delete from users where id = 1`,
      sql`delete from organizations where id = 1`,
      sql`update documents set user_id = 777 where id = 1`,
      sql`update documents set status = 'lost' where id = 1`,
    ]) {
      await expect(database.write((writer) => change.execute(writer))).rejects.toSatisfy((error) =>
        database.dialect.isRefusal(error),
      );
    }
  };

  describe("of a large source", () => {
    it.each([
      ["as new rows that the thread has made", {}, false],
      ["record by record, if one is in a private project or names no owner", { user: undefined }, true],
    ])("reads in a thread, and writes them %s", async (_, more, isPrivate) => {
      await addPerson(context, { username: "owner" });
      await context.database.write((writer) =>
        writer
          .insertInto("projects")
          .values({
            ...projectRow(),
            id: 2,
            private: isPrivate,
            user_id: sql<number>`(select max(id) from users)`,
          })
          .execute(),
      );
      const ids = idsFrom(1);
      const large = ids.map((id) => largeRecord(id, id % 5 === 0 ? more : {}));
      const text = `${lines(...large)}{"id": 7000000}\n[1\n`;
      expect(text.length).toBeGreaterThan(1024 * 1024);
      const { report, notes } = await load(text, undefined, "owner");
      expect([report.added, report.failed]).toEqual([many, 2]);
      expect(notes).toEqual([
        expect.stringContaining(`a file, line ${many + 1} (id 7000000): title: expected`),
        expect.stringContaining(`a file, line ${many + 2}: not JSON`),
      ]);
      expect(await findWrongRecords(context.database, ids)).toEqual([]);
      const rendered = await context.database.reader
        .selectFrom("document_records")
        .select("document_id")
        .where("rest", "is not", null)
        .execute();
      expect(rendered).toHaveLength(many);
      const derived = await derivedRows();
      await context.database.write(async (writer) => {
        // Triggers write the same rows again.
        for (const access of ["invisible", "public", "private"]) {
          await sql`update documents set access = ${access}
            where ${access} <> 'private' or id % 3 = 0`.execute(writer);
        }
        await sql`update documents set data = '{"z":["z"]}' where data <> '{}'`.execute(writer);
        await sql`update documents set data = '{"a":["' || id || '","b"],"c":[]}' where id % 2 = 0`.execute(
          writer,
        );
      });
      expect(derived).toEqual(await derivedRows());
      expect(await count("unindexed_documents")).toBe(many);
      expect(await count("document_words")).toBe(0);
      await indexDocuments(
        context.database,
        { complete: async () => undefined },
        new AbortController().signal,
      );
      expect(await count("unindexed_documents")).toBe(0);
      expect(await count("document_words")).toBe(2 * many);
      expect(await findIndexFaults(context.database.reader, [1, 1000, many])).toEqual(new Map());
      await addSomething();
      await expectRulesHold();
    });

    it("imports it like a small one if some documents exist, repeat, have notes or are refused", async () => {
      const note = {
        id: 1,
        user: 3,
        organization: 1,
        page_number: 0,
        access: "public",
        title: "A note",
        content: "",
      };
      const old = idsFrom(1).map(newer);
      expect((await load(lines(...old))).report.summary()).toBe("1,200 documents in");
      const fresh = idsFrom(5001).map(newer);
      const special = [
        newer(9001),
        { ...newer(9002), notes: [note] },
        { ...newer(9001), title: "Second" },
        { ...newer(9003), title: "No" },
      ];
      const changed = { ...newer(1), title: "Changed" };
      const [refuse, allow] = refusal;
      await context.database.write((writer) => sql.raw(refuse).execute(writer));
      const { report, notes } = await load(lines(changed, ...old.slice(1), ...fresh, ...special));
      await context.database.write((writer) => sql.raw(allow).execute(writer));
      expect(report.summary()).toBe(
        "1,202 documents in, 2 brought up to date, 1,199 known already, 1 failed",
      );
      expect(notes).toEqual([
        expect.stringMatching(new RegExp(String.raw`^a file, line ${2 * many + 4} \(id 9003\): .*refuse`)),
      ]);
      expect(await unload()).toBe(
        lines(changed, ...old.slice(1), ...fresh, { ...newer(9001), title: "Second" }, newer(9002)),
      );
      expect(await all("notes")).toHaveLength(1);
      expect(await findWrongRecords(context.database, [1, 2, 5001, 9001, 9002])).toEqual([]);
    });

    it("leaves nothing of a batch that fails", async () => {
      const [refuse, allow] = refusal;
      await context.database.write((writer) => sql.raw(refuse).execute(writer));
      const good = idsFrom(1).map((id) => largeRecord(id, { projects: [] }));
      const bad = largeRecord(100_000, { title: "No" });
      const { report } = await load(lines(...good, bad));
      await context.database.write((writer) => sql.raw(allow).execute(writer));
      expect(report.summary()).toBe("1,200 documents in, 1 failed");
      expect(await unload()).toBe(lines(...good));
    });

    const derivedRows = async () => {
      const rows = [];
      for (const table of ["document_data", "document_audiences", "project_memberships"] as const) {
        rows.push(
          await context.database.reader
            .selectFrom(table as "document_data")
            .selectAll()
            .orderBy("document_id")
            .orderBy(sql.ref(orderOf[table]))
            .execute(),
        );
      }
      return rows;
    };
    const orderOf = {
      document_data: "key",
      document_audiences: "audience",
      project_memberships: "project_id",
    };
  });

  it("stops on its signal, and leaves no partial document", async () => {
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    await expect(load(lines(record(1)), stop.signal)).rejects.toThrow("enough");
    expect(await unload()).toBe("");
  });

  it("keeps stored files, and the addresses of files that are elsewhere", async () => {
    await context.files.put(documentFileKey(1, "a-report", "pdf"), Readable.from([Buffer.from("one")]));
    const own = { asset_url: baseUrls.assets };
    await load(lines(record(1, own), record(2, own), record(3), record(4, { asset_url: "" })));
    const kept = () =>
      context.database.reader.selectFrom("documents").select("asset_url").orderBy("id").execute();
    const expected = [null, baseUrls.assets, "https://s3.example.org/", null].map((asset_url) => ({
      asset_url,
    }));
    expect(await kept()).toEqual(expected);
    // Exported at another address of this server: the file is still stored.
    const { report } = await load(lines(record(1, { asset_url: "https://old.example.org/files/" })));
    expect(report.summary()).toBe("0 documents in, 1 known already");
    // Another file under the same id: it is not stored here.
    await load(lines(record(1, { file_hash: "a".repeat(40) })));
    expect((await kept())[0]).toEqual({ asset_url: "https://s3.example.org/" });
  });

  it("processes a document with a busy status if its file is stored", async () => {
    await context.files.put(documentFileKey(1, "a-report", "pdf"), Readable.from([Buffer.from("one")]));
    const own = { asset_url: baseUrls.assets, status: "readable" };
    await load(lines(record(1, own), record(2, own), record(3, { asset_url: "", status: "pending" })));
    const queued = await context.database.reader.selectFrom("jobs").select(["kind", "subject"]).execute();
    expect(queued.filter(({ kind }) => kind === processJob)).toEqual([{ kind: processJob, subject: 1 }]);
  });

  describe("that are expanded", () => {
    const maria = {
      id: 71,
      uuid: uuid("a"),
      username: "maria",
      name: "Maria Lind",
      avatar_url: "https://example.org/maria.png",
      organization: 81,
      organizations: [81],
      admin_organizations: [],
      verified_journalist: true,
    };
    const harbour = {
      id: 81,
      avatar_url: null,
      individual: false,
      name: "Harbour Press",
      slug: "harbour-press",
      uuid: uuid("b"),
    };
    const project = {
      id: 91,
      created_at: onDay("01"),
      updated_at: onDay("02"),
      description: "All of it",
      edit_access: null,
      add_remove_access: null,
      private: true,
      slug: "ships",
      title: "Ships",
      user: 72,
      pinned: false,
    };
    const note = {
      id: 900,
      user: { id: 73, uuid: uuid("c"), username: "nils", name: "Nils" },
      organization: 82,
      page_number: 1,
      access: "organization",
      edit_access: false,
      title: " A mast ",
      content: 'Two <b>masts</b><script>alert("x")</script>',
      content_html: "<i>of another server</i>",
      x1: 0.1,
      x2: 0.5,
      y1: 0.2,
      y2: 0.4,
      created_at: onDay("03"),
      updated_at: onDay("04"),
    };
    const expanded = (more: object = {}): Record<string, unknown> =>
      record(50, {
        page_count: 3,
        user: maria,
        organization: harbour,
        projects: [project],
        notes: [note, { ...note, id: 901, access: "private", created_at: onDay("05"), user: maria }],
        sections: [{ id: 800, page_number: 0, title: "Hull" }],
        ...more,
      });
    it("keep uuids and times, and a project's owner", async () => {
      const { report } = await load(lines(expanded()));
      const times = { created_at: onDay("01"), updated_at: onDay("02") };
      expect(await all("users")).toMatchObject([
        { id: 71, uuid: uuid("a"), username: "maria", name: "Maria Lind", avatar_url: maria.avatar_url },
        { id: 72, username: "user-72" },
        { id: 73, uuid: uuid("c"), username: "nils" },
      ]);
      expect(await all("organizations")).toMatchObject([
        { id: 81, uuid: uuid("b"), name: "Harbour Press", slug: "harbour-press" },
        { id: 82 },
      ]);
      expect(await all("projects")).toMatchObject([{ id: 91, title: "Ships", user_id: 72, ...times }]);
      const collaborators = context.database.reader.selectFrom("project_collaborators").selectAll();
      expect(await collaborators.execute()).toMatchObject([{ project_id: 91, user_id: 72, access: "admin" }]);
      expect(report.summary()).toBe(
        "1 document in\nLeft out: notes.user.organization (1), notes.user.organizations (1), " +
          "notes.user.verified_journalist (1), user.organization (1), user.organizations (1), " +
          "user.verified_journalist (1)",
      );
    });

    it("fill in names that an earlier record gave only as ids", async () => {
      const bare = { user: 71, organization: 81, notes: [], sections: [] };
      await load(lines(expanded({ ...bare, projects: [91, 92] }), record(51, { ...bare, user: 72 })));
      const account = await addPerson(context, { username: "nils", password: "any" });
      await load(
        lines(
          expanded({ projects: [project, { id: 92, title: "Boats", slug: "boats", user: maria }] }),
          record(51, { user: { id: 72, uuid: uuid("d"), username: "nils", name: "Nils" }, organization: 81 }),
          record(52, { user: { id: account.id, uuid: uuid("e"), username: "x", name: "X" } }),
        ),
      );
      const times = { created_at: onDay("01"), updated_at: onDay("02") };
      const users = await all("users");
      expect(users.filter(({ id }) => [71, 72, account.id].includes(id))).toMatchObject([
        { id: 71, uuid: uuid("a"), username: "maria", name: "Maria Lind" },
        // Another user with an account has this name.
        { id: 72, username: "user-72", name: "Nils", uuid: uuid("d") },
        { id: account.id, username: "nils", name: "nils", uuid: expect.not.stringMatching(uuid("e")) },
      ]);
      expect(await all("organizations")).toMatchObject([
        { id: 1, name: "Organization 1" },
        { id: 81, uuid: uuid("b"), name: "Harbour Press", slug: "harbour-press" },
        { id: 82, name: "Organization 82" },
      ]);
      expect(await all("projects")).toMatchObject([
        { id: 91, title: "Ships", slug: "ships", user_id: 72, ...times },
        { id: 92, title: "Boats", slug: "boats", user_id: 71 },
      ]);
      expect(
        (await all("projects")).map((row) => Boolean((row as unknown as { private: unknown }).private)),
      ).toEqual([true, false]);
    });

    it("assign a new uuid if another user has it already", async () => {
      await load(lines(expanded({ notes: [] })));
      const other = { ...maria, id: 74, username: "other" };
      await load(lines(record(51, { user: other, organization: { ...harbour, id: 84 } })));
      const users = await all("users");
      expect(users.map(({ id }) => id)).toEqual([71, 72, 74]);
      expect(users.at(-1)).toMatchObject({ username: "other", uuid: expect.not.stringMatching(uuid("a")) });
      expect((await all("organizations")).map(({ id }) => id)).toEqual([81, 84]);
    });

    it("include notes and sections, sanitized, and update them without duplicates", async () => {
      await load(lines(expanded()));
      const { edit_access: _, user: __, organization: ___, ...said } = note;
      const own = { ...said, title: "A mast", content_html: "Two <b>masts</b>" };
      expect(await all("notes")).toMatchObject([
        { ...own, document_id: 50, user_id: 73, organization_id: 82 },
        { ...own, id: 901, document_id: 50, user_id: 71, access: "private", created_at: onDay("05") },
      ]);
      expect(await all("sections")).toEqual([{ id: 800, document_id: 50, page_number: 0, title: "Hull" }]);

      const before = [await all("notes"), await all("sections")];
      const known = await load(lines(expanded()));
      expect(known.report.summary()).toMatch(/^0 documents in, 1 known already\n/);
      expect([await all("notes"), await all("sections")]).toEqual(before);

      const changed = {
        notes: [{ ...note, content: "Three", updated_at: onDay("06"), access: "public" }],
        sections: [
          { id: 800, page_number: 2, title: "Hull" },
          { id: 801, page_number: 0, title: "Keel" },
        ],
      };
      const again = await load(lines(expanded(changed)));
      expect(again.report.summary()).toMatch(/^0 documents in, 1 brought up to date\n/);
      expect(await all("notes")).toMatchObject([
        { id: 900, content: "Three", content_html: "Three", access: "public", updated_at: onDay("06") },
        { id: 901 },
      ]);
      const pages = (await all("sections")).map(
        (row) => row as unknown as { page_number: number; title: string },
      );
      expect(pages.map(({ page_number, title }) => `${page_number} ${title}`).toSorted()).toEqual([
        "0 Keel",
        "2 Hull",
      ]);
    });

    it("do not change another document's notes and sections with the same ids, and make no duplicates", async () => {
      await load(lines(expanded({ notes: [], sections: [] }), record(51, { page_count: 1 })));
      const local = {
        document_id: 50,
        user_id: 1,
        organization_id: null,
        page_number: 0,
        access: "private",
      } as const;
      const nowhere = { x1: null, x2: null, y1: null, y2: null };
      const times = { created_at: onDay("20"), updated_at: onDay("20") };
      await context.database.write(async (writer) => {
        await insertNote(writer, {
          ...local,
          ...nowhere,
          ...times,
          id: 900,
          title: "Mine",
          content: "",
          content_html: "",
        });
        await writer
          .insertInto("sections")
          .values({ id: 800, document_id: 51, page_number: 0, title: "Mine" })
          .execute();
      });
      for (const summary of ["1 brought up to date", "1 known already"]) {
        const { report } = await load(lines(expanded()));
        expect(report.summary()).toContain(`0 documents in, ${summary}`);
        expect((await all("notes")).map(({ title }) => title).toSorted()).toEqual([
          "A mast",
          "A mast",
          "Mine",
        ]);
        expect((await all("sections")).map(({ title }) => title)).toEqual(["Mine", "Hull"]);
      }
      expect((await all("notes")).find(({ id }) => id === 900)).toMatchObject({ title: "Mine", ...times });
    });

    it("leave out invalid and unknown members, and count them by name", async () => {
      const { report, notes } = await load(
        lines(
          expanded({
            user: 71,
            notes: [
              note,
              { ...note, id: 902, page_number: 3 },
              { ...note, id: 903, x1: 0.9 },
              { ...note, user: null },
              7,
            ],
            sections: [
              { id: 1, page_number: 1, title: "One" },
              { id: 2, page_number: 1, title: "Two" },
              { id: 3, page_number: 2, title: "x".repeat(201) },
            ],
            revisions: [{ version: 1 }],
            highlights: {},
          }),
          record(51, { notes: "none", revisions: [{ version: 1 }] }),
        ),
      );
      expect(notes).toEqual([]);
      expect(report.summary()).toBe(
        "2 documents in\nLeft out: invalid notes (5), invalid sections (2), revisions (2)",
      );
      expect((await all("notes")).map(({ id }) => id)).toEqual([900]);
      expect((await all("sections")).map(({ id }) => id)).toEqual([1]);
    });
  });

  const anyMoment = fc
    .tuple(
      fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
      fc.nat(999),
    )
    .map(([date, more]) => `${date.toISOString().slice(0, -1)}${String(more).padStart(3, "0")}Z`);
  const anyRecord = fc.record({
    id: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2 ** 43 - 1 })),
    access: fc.constantFrom("public", "organization", "private", "invisible"),
    admin_noindex: fc.boolean(),
    asset_url: fc.constantFrom("https://s3.example.org/", baseUrls.assets),
    created_at: anyMoment,
    data: fc.dictionary(fc.stringMatching(/^[A-Za-z0-9_-]{1,50}$/), fc.array(anyText(40), { maxLength: 3 }), {
      maxKeys: 4,
    }),
    description: anyText(100),
    file_hash: fc.constantFrom("", "0123456789abcdef0123456789abcdef01234567"),
    noindex: fc.boolean(),
    language: fc.constantFrom("eng", "srp_latn", ""),
    organization: fc.integer({ min: 1, max: 5 }),
    original_extension: fc.constantFrom("pdf", "xlsx"),
    page_count: fc.constantFrom(0, 3),
    projects: fc
      .uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 4 })
      .map((ids) => ids.toSorted((a, b) => a - b)),
    publish_at: fc.option(anyMoment.map((moment) => `9${moment.slice(1)}`)),
    published_url: anyText(40),
    related_article: anyText(40),
    revision_control: fc.boolean(),
    slug: fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
    source: anyText(40),
    status: fc.constantFrom("success", "readable", "pending", "error", "nofile"),
    title: anyText(100).filter((text) => text.trim() !== ""),
    updated_at: anyMoment,
    user: fc.integer({ min: 1, max: 5 }),
  });

  it("always exports the imported records again, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { maxLength: 12 }), async (records) => {
        await empty();
        await load(lines(...records));
        const exported = await unload();
        await empty();
        const { report } = await load(exported);
        expect(report.failed).toBe(0);
        expect(await unload()).toBe(exported);
        const distinct = new Map(records.map((one) => [one.id, one]));
        expect(exported.split("\n").length - 1).toBe(distinct.size);
        for (const line of exported.trim().split("\n").filter(Boolean)) {
          const shown = JSON.parse(line) as { id: number };
          expect(shown).toMatchObject(distinct.get(shown.id) as object);
        }
      }),
      { numRuns: runsOn(engine, 25) },
    );
  });
});
