import { createHash } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Context, openContext } from "../context.ts";
import type { FileStore } from "../files/file-store.ts";
import { addRewrite } from "../resources/documents/processing/rewrite-store.ts";
import { reserveDocumentId } from "../resources/documents/record/document-of-file-store.ts";
import { documentRow } from "../testing/factories.ts";
import { buildBrokenPdf, buildPdf } from "../testing/pdf.ts";
import { type Person, addPerson } from "../testing/people.ts";
import { type TestStorage, engines, testStorage } from "../testing/test-app.ts";
import { useFolder } from "../testing/use-folder.ts";
import { buildWorker } from "../worker.ts";
import { FileImport } from "./import-files.ts";
import { type OwnerChoice, findOwner, noChoice } from "./owner.ts";
import { ImportReport } from "./report.ts";

const a4 = { width: 595.28, height: 841.89 };
const letter = { width: 612, height: 792 };
const sha1 = (bytes: Uint8Array): string => createHash("sha1").update(bytes).digest("hex");

describe.each(engines)("importing files, with %s", (engine) => {
  let storage: TestStorage;
  let context: Context;
  const folder = useFolder("files");
  let notes: string[];
  let report: ImportReport;
  let keeper: Person;

  beforeAll(async () => {
    storage = await testStorage(engine);
    context = await openContext(storage.config, pino({ level: "silent" }));
    keeper = await addPerson(context, { username: "keeper", password: "any" });
  });

  afterAll(async () => {
    await context.close();
    await storage[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    notes = [];
    const note = (line: string): void => void notes.push(line);
    report = new ImportReport({ update: () => undefined, note, finish: () => undefined });
    await context.database.write((writer) => writer.deleteFrom("documents").execute());
  });

  async function load(
    files: Record<string, Uint8Array | null>,
    {
      store = context.files,
      signal = new AbortController().signal,
      access = null,
      language = null,
      ...chosen
    }: Partial<OwnerChoice> & {
      store?: FileStore;
      signal?: AbortSignal;
      access?: string | null;
      language?: string | null;
    } = {},
  ): Promise<void> {
    const owner = () => findOwner(context.database, { ...noChoice, ...chosen });
    const options = { owner, access, signal, report };
    const imports = new FileImport({ ...context, files: store }, options);
    try {
      for (const [name, bytes] of Object.entries(files)) {
        const file = path.join(folder, name);
        if (bytes !== null) await writeFile(file, bytes);
        await imports.run({ path: file, extension: path.extname(name).slice(1).toLowerCase() }, language);
      }
    } finally {
      await imports.close();
    }
  }

  async function work(): Promise<void> {
    const worker = buildWorker(context);
    worker.start();
    await worker.drain();
    await worker.stop();
  }

  const storeWith = (put: FileStore["put"]): FileStore => ({
    put,
    stat: (key) => context.files.stat(key),
    read: (...asked) => context.files.read(...asked),
    delete: (key) => context.files.delete(key),
    borrow: (key) => context.files.borrow(key),
    signedAddress: (...asked) => context.files.signedAddress(...asked),
    folders: (key) => context.files.folders(key),
    names: (key) => context.files.names(key),
    list: (key) => context.files.list(key),
    listInOrder: (...asked) => context.files.listInOrder(...asked),
    changedAt: (key) => context.files.changedAt(key),
    deleteFolder: (key) => context.files.deleteFolder(key),
    ping: () => context.files.ping(),
    close: () => context.files.close(),
  });

  const rows = () => context.database.reader.selectFrom("documents").selectAll().orderBy("id").execute();
  const history = () =>
    context.database.reader
      .selectFrom("document_history")
      .select(["user_id", "action", "changes"])
      .where("document_id", "=", (select) => select.selectFrom("documents").select("id").limit(1))
      .orderBy("id")
      .execute();
  const reasons = (): string[] => notes.map((note) => note.replace(`${folder}/`, ""));

  async function original(key: string): Promise<Buffer | null> {
    const stream = await context.files.read(key);
    return stream === null ? null : buffer(stream);
  }

  it("imports a PDF as a document with its pages, name, hash and file", async () => {
    const pdf = buildPdf({ pages: [a4, letter, a4] });
    await load({ "Ärzte  & Räte (1).pdf": pdf }, { language: "deu", access: "organization" });
    const [row] = await rows();
    expect(row).toMatchObject({
      title: "Ärzte & Räte (1)",
      slug: "arzte-rate-1",
      page_count: 3,
      page_spec: "595.28x841.89:0,2;612.00x792.00:1",
      file_hash: sha1(pdf),
      original_extension: "pdf",
      language: "deu",
      access: "organization",
      status: "readable",
      asset_url: null,
      data: "{}",
    });
    expect(row?.created_at).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(row?.updated_at).toBe(row?.created_at);
    expect(await original(`documents/${row?.id}/arzte-rate-1.pdf`)).toEqual(Buffer.from(pdf));
    expect(report.summary()).toBe("1 document in");
  });

  it("makes documents private and English by default", async () => {
    await load({ "one.pdf": buildPdf({ pages: [a4] }) });
    const organization = await context.database.reader
      .selectFrom("organizations")
      .select("id")
      .where("name", "=", keeper.username)
      .executeTakeFirstOrThrow();
    expect(await rows()).toMatchObject([
      { access: "private", language: "eng", user_id: keeper.id, organization_id: organization.id },
    ]);
  });

  describe("that are documents already", () => {
    const pdf = buildPdf({ pages: [a4] });
    const file = { "one.pdf": pdf };
    it("changes what the command line names, and nothing else", async () => {
      const { id: project } = await context.database.write(async (writer) => {
        const times = { created_at: "", updated_at: "" };
        const office = { name: "Office", slug: "office", individual: false, ...times };
        await writer
          .insertInto("organizations")
          .values([
            { id: 41, ...office },
            { id: 42, ...office },
          ])
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return writer
          .insertInto("projects")
          .values({ title: "P", slug: "p", description: "", private: false, user_id: keeper.id, ...times })
          .returning("id")
          .executeTakeFirstOrThrow();
      });
      const other = await addPerson(context, { username: "other", organizations: [41] });
      await load(file, { access: "public", user: "keeper" });
      const [before] = await rows();
      await load(file);
      expect(await rows()).toEqual([before]);
      expect(report.summary()).toBe("1 document in, 1 known already");

      const chosen = { access: "private", language: "deu", user: "OTHER", project };
      await load(file, chosen);
      const [after] = await rows();
      expect(after).toMatchObject({
        id: before?.id,
        title: before?.title,
        access: "private",
        language: "deu",
        user_id: other.id,
        organization_id: 41,
      });
      expect(after?.updated_at).not.toBe(before?.updated_at);
      expect((await history()).map(({ changes, ...one }) => Object.assign(one, JSON.parse(changes)))).toEqual(
        [
          {
            user_id: null,
            action: "changed",
            access: ["public", "private"],
            language: ["eng", "deu"],
            user: [keeper.id, other.id],
            organization: [before?.organization_id, 41],
          },
          { user_id: null, action: "shared", project: [null, project], edit_access: [null, false] },
        ],
      );
      expect(report.summary()).toBe("1 document in, 1 brought up to date, 1 known already");

      await load(file, chosen);
      expect(await rows()).toEqual([after]);
      await load(file, { organization: 42 });
      expect(await rows()).toMatchObject([{ organization_id: 42, user_id: other.id, access: "private" }]);
      expect(report.summary()).toBe("1 document in, 2 brought up to date, 2 known already");
    });

    it("widens the access only of documents whose access nobody has set", async () => {
      await load(file);
      await load(file, { access: "public" });
      expect(await rows()).toMatchObject([{ access: "public" }]);
      await load(file, { access: "private" });
      await load(file, { access: "public", language: "fra" });
      const [{ id } = { id: 0 }] = await rows();
      expect(reasons()).toEqual([
        `one.pdf: document ${id} of this file stays private, not public: its access was chosen elsewhere. ` +
          "Change it on its page",
      ]);
      expect(await rows()).toMatchObject([{ access: "private", language: "eng" }]);
      expect(report.summary()).toBe("1 document in, 2 brought up to date, 1 failed");
    });

    it("does not widen the access of a document that is being redacted", async () => {
      await load(file);
      const [{ id } = { id: 0 }] = await rows();
      await context.database.write((writer) =>
        addRewrite(writer, id, {
          kind: "redact",
          userId: keeper.id,
          plan: { boxes: [] },
          statusBefore: "success",
        }),
      );
      await load(file, { access: "public" });
      expect(reasons()).toEqual([
        `one.pdf: document ${id} of this file stays private, not public: it is being redacted`,
      ]);
      expect(await rows()).toMatchObject([{ access: "private" }]);
    });

    it("changes the language only before the document is being read", async () => {
      await load(file);
      await load(file, { language: "deu" });
      expect(await rows()).toMatchObject([{ language: "deu" }]);
      await context.database.write((writer) => writer.updateTable("jobs").set({ attempts: 1 }).execute());
      await load(file, { language: "fra" });
      const [{ id, language } = { id: 0 }] = await rows();
      expect(language).toBe("deu");
      expect(reasons()).toEqual([
        `one.pdf: document ${id} of this file stays in language deu while it is being processed`,
      ]);
    });

    it("reports several documents of the same file, and changes none of them", async () => {
      await load({ "one.pdf": pdf, "two.pdf": buildPdf({ pages: [letter] }) });
      await context.database.write(async (writer) => {
        await writer.deleteFrom("received_files").execute();
        await writer
          .updateTable("documents")
          .set({ file_hash: sha1(pdf) })
          .execute();
      });
      const before = await rows();
      await load({ "one.pdf": null });
      await load({ "one.pdf": null }, { access: "public" });
      expect(reasons()).toEqual([
        `one.pdf: several documents were made of this file (${before.map(({ id }) => id).join(", ")}): ` +
          "change them one by one",
      ]);
      expect(await rows()).toEqual(before);
      expect(report.summary()).toBe("2 documents in, 1 known already, 1 failed");
    });
  });

  it("stores files of other types, and leaves their pages to the conversion", async () => {
    await load({ "Figures.XLSX": Buffer.from("not looked into") });
    const [row] = await rows();
    expect(row).toMatchObject({ title: "Figures", original_extension: "xlsx", status: "pending" });
    expect(row).toMatchObject({ page_count: 0, page_spec: "", file_hash: "" });
    expect(String(await original(`documents/${row?.id}/original/figures.xlsx`))).toBe("not looked into");
  });

  it("reports each unreadable file and continues", async () => {
    await load({
      "broken.pdf": buildBrokenPdf(),
      "encrypted.pdf": buildPdf({ pages: [a4], encrypted: true }),
      "no bytes.pdf": Buffer.alloc(0),
      "no bytes.tif": Buffer.alloc(0),
      "no pages.pdf": buildPdf({ pages: [] }),
      "picture.pdf": Buffer.from("\x89PNG"),
      "absent.pdf": null,
      "good.pdf": buildPdf({ pages: [a4] }),
    });
    expect(reasons()).toEqual([
      "broken.pdf: broken: its structure cannot be made out",
      "encrypted.pdf: encrypted: it opens with a password only",
      "no bytes.pdf: empty: it has no bytes",
      "no bytes.tif: empty: it has no bytes",
      "no pages.pdf: empty: it has no pages",
      "picture.pdf: not a PDF",
      "absent.pdf: cannot be read (ENOENT)",
    ]);
    expect(report.summary()).toBe("1 document in, 7 failed");
    expect((await rows()).map(({ title }) => title)).toEqual(["good"]);
  });

  it("imports the same file once, whatever its name, and twice under two extensions", async () => {
    const pdf = buildPdf({ pages: [a4] });
    await load({ "one.pdf": pdf, "two.pdf": pdf, "three.doc": pdf });
    await load({ "two.pdf": pdf });
    expect((await rows()).map(({ title }) => title)).toEqual(["one", "three"]);
    expect(report.summary()).toBe("2 documents in, 2 known already");
  });

  it("queues them for reading, and stores the outcome of each", async () => {
    const pdf = buildPdf({ pages: [{ ...a4, lines: ["Harbour dues"] }] });
    await load({ "dues.pdf": pdf, "notes.txt": Buffer.from("Two ships"), "odd.docx": Buffer.from("odd") });
    await work();
    expect(await rows()).toMatchObject([
      { title: "dues", status: "success", page_count: 1, file_hash: sha1(pdf) },
      {
        title: "notes",
        status: "success",
        page_count: 1,
        file_hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
      { title: "odd", status: "error", page_count: 0, file_hash: "" },
    ]);
    const receipts = await context.database.reader
      .selectFrom("document_receipts")
      .innerJoin("documents", "documents.id", "document_id")
      .select(["title", "step", "outcome", "details"])
      .orderBy("document_receipts.id")
      .execute();
    const of = (title: string): string[] =>
      receipts.filter((one) => one.title === title).map(({ step, outcome }) => `${step} ${outcome}`);
    expect(of("dues")).toEqual([
      "received done",
      "stored done",
      "read done",
      "rendered done",
      "indexed done",
    ]);
    expect(of("notes")).toEqual([
      "received done",
      "stored done",
      "converted done",
      "read done",
      "rendered done",
      "indexed done",
    ]);
    expect(of("odd")).toEqual(["received done", "stored done", "converted failed"]);
    const sha256 = createHash("sha256").update(pdf).digest("hex");
    expect(JSON.parse(receipts[0]?.details ?? "")).toEqual({ bytes: pdf.length, sha256 });
  });

  it("recognises a file whose document has another file by now", async () => {
    const files = { "one.pdf": buildPdf({ pages: [a4] }), "two.txt": Buffer.from("2") };
    await load(files);
    await work();
    // As after a redaction.
    await context.database.write((writer) =>
      writer
        .updateTable("documents")
        .set({ file_hash: "0".repeat(40), original_extension: "pdf" })
        .execute(),
    );
    await load(files);
    expect((await rows()).map(({ title }) => title)).toEqual(["one", "two"]);
    expect(report.summary()).toBe("2 documents in, 2 known already");
  });

  it("imports the same file once when several imports run at the same time", async () => {
    await writeFile(path.join(folder, "same.pdf"), buildPdf({ pages: [letter] }));
    await Promise.all(Array.from({ length: 3 }, () => load({ "same.pdf": null })));
    expect((await rows()).map(({ title }) => title)).toEqual(["same"]);
    expect(report.summary()).toBe("1 document in, 2 known already");
  });

  it("adds no document before its file is stored", async () => {
    const seen: number[] = [];
    const put: FileStore["put"] = async (key, source) => {
      seen.push((await rows()).length);
      await context.files.put(key, source);
      seen.push((await rows()).length);
    };
    await load({ "one.pdf": buildPdf({ pages: [a4] }) }, { store: storeWith(put) });
    expect(seen).toEqual([0, 0]);
    expect(await rows()).toHaveLength(1);
  });

  it("adds no document if its file cannot be stored, and never reuses its id", async () => {
    const store = storeWith(() => Promise.reject(new Error("disk full")));
    const before = await reserveDocumentId(context.database);
    await expect(load({ "one.pdf": buildPdf({ pages: [a4] }) }, { store })).rejects.toThrow("disk full");
    expect(await rows()).toEqual([]);
    await load({ "one.pdf": null });
    expect((await rows()).map(({ id }) => id)).toEqual([before + 2]);
  });

  it("does not keep a file that changes while it is imported", async () => {
    const put: FileStore["put"] = async (key, source) => {
      await writeFile(path.join(folder, "moving.pdf"), buildPdf({ pages: [a4, a4] }));
      await context.files.put(key, source);
    };
    await load({ "moving.pdf": buildPdf({ pages: [a4] }) }, { store: storeWith(put) });
    expect(reasons()).toEqual(["moving.pdf: changed while it was read"]);
    expect(await rows()).toEqual([]);
  });

  it("reserves another id if a record was imported with the reserved one", async () => {
    const put: FileStore["put"] = async (key, source) => {
      await context.files.put(key, source);
      const id = Number(key.split("/")[1]);
      if ((await rows()).length > 0) return;
      const [user] = await context.database.reader.selectFrom("users").select("id").execute();
      const [organization] = await context.database.reader.selectFrom("organizations").select("id").execute();
      const owners = { user_id: user?.id as number, organization_id: organization?.id as number };
      const between = { id, access: "private", status: "nofile", title: "In between", ...owners };
      await context.database.write((writer) =>
        writer.insertInto("documents").values(documentRow(between)).execute(),
      );
    };
    await load({ "one.pdf": buildPdf({ pages: [a4] }) }, { store: storeWith(put) });
    const [other, own] = await rows();
    expect([other?.title, own?.title, own?.id]).toEqual(["In between", "one", (other?.id as number) + 1]);
    expect(await original(`documents/${own?.id}/one.pdf`)).not.toBeNull();
    expect(await readdir(path.join(storage.config.data, "files", "documents", String(other?.id)))).toEqual(
      [],
    );
  });

  it("stops on its signal", async () => {
    const stop = new AbortController();
    stop.abort(new Error("Ctrl-C"));
    await expect(load({ "one.pdf": null }, { signal: stop.signal })).rejects.toThrow("Ctrl-C");
  });
});
