import { utimes } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { buildPdf } from "../../../testing/pdf.ts";
import { sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { examineDocuments } from "./examine-documents.ts";

const pdf = buildPdf({ pages: [{ width: 400, height: 300, lines: ["Herring and tar"] }] });

describe.each(engines)("the examination of documents on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const worker = useWorker(app);

  async function processed(): Promise<number> {
    const { body } = await sendAs(app, owner, "POST", "/api/documents/", { title: "Accounts" });
    await fetch(body.presigned_url, { method: "PUT", body: new Uint8Array(pdf) });
    await sendAs(app, owner, "POST", `/api/documents/${body.id}/process/`, {});
    await worker.drain();
    return body.id;
  }

  async function differences(options: { hashes?: boolean } = {}): Promise<string[]> {
    const found: string[] = [];
    for await (const { what } of examineDocuments(app.context, options)) found.push(what);
    return found;
  }

  async function repaired(): Promise<void> {
    for await (const { repair } of examineDocuments(app.context)) await repair?.();
    await worker.drain();
  }

  /** Removes a document at once, without leaving it in the trash. */
  async function remove(id: number): Promise<void> {
    await sendAs(app, owner, "DELETE", `/api/documents/${id}/`);
    await sendAs(app, owner, "DELETE", `/api/documents/trash/?id__in=${id}`);
    await worker.drain();
  }

  const change = (statement: ReturnType<typeof sql>): Promise<unknown> =>
    app.context.database.write((writer) => statement.execute(writer));

  it("finds nothing after ordinary work, including deletions", async () => {
    const id = await processed();
    await processed();
    await sendAs(app, owner, "DELETE", `/api/documents/${id}/`);
    expect(await differences()).toEqual([]);
  });

  it("finds and repairs a stored record that is not what the list should show", async () => {
    const id = await processed();
    await change(sql`update document_records set projects = '77' where document_id = ${id}`);
    const said = `document ${id}: its stored record is not what the list should show`;
    expect(await differences()).toEqual([said]);
    await repaired();
    expect(await differences()).toEqual([]);
    const { body } = await sendAs(app, owner, "GET", `/api/documents/?id__in=${id}`);
    expect(body.results[0].projects).toEqual([]);
  });

  it("goes on from where an earlier examination ended", async () => {
    const [one, other] = [await processed(), await processed()];
    await change(sql`update documents set status = 'pending' where id in (${one}, ${other})`);
    const found: string[] = [];
    const positions: (number | null)[] = [];
    const onBatch = async (_: number, position: number | null): Promise<void> =>
      void positions.push(position);
    for await (const { what } of examineDocuments(app.context, { after: one, onBatch })) found.push(what);
    expect(found).toEqual([`document ${other} is pending, but has no job`]);
    expect(positions).toEqual([other]);
    await change(sql`update documents set status = 'success' where id in (${one}, ${other})`);
  });

  it("finds and repairs busy documents without a job", async () => {
    const [one, other] = [await processed(), await processed()];
    await change(sql`update documents set status = 'pending' where id in (${one}, ${other})`);
    await app.context.files.deleteFolder(`documents/${other}`);
    expect(await differences()).toEqual([
      `document ${one} is pending, but has no job`,
      `document ${other} is pending, but has no job`,
    ]);
    await repaired();
    expect((await sendAs(app, owner, "GET", `/api/documents/${one}/`)).body.status).toBe("success");
    expect((await sendAs(app, owner, "GET", `/api/documents/${other}/`)).body.status).toBe("error");
    expect(await differences()).toEqual([`document ${other}: its file is missing`]);
    await remove(other);
  });

  it("reports nothing for a document whose file never arrived", async () => {
    const { body } = await sendAs(app, owner, "POST", "/api/documents/", {
      title: "From nowhere",
      file_url: "http://127.0.0.1:9/a.pdf",
    });
    await worker.drain();
    const record = `/api/documents/${body.id}/`;
    expect((await sendAs(app, owner, "GET", record)).body.status).toBe("error");
    expect(await differences()).toEqual([]);
    await remove(body.id);
  });

  it("finds changed files and missing originals", async () => {
    const id = await processed();
    const made = await sendAs(app, owner, "POST", "/api/documents/", {
      title: "Words",
      original_extension: "txt",
    });
    await fetch(made.body.presigned_url, { method: "PUT", body: "Bread and butter" });
    await sendAs(app, owner, "POST", `/api/documents/${made.body.id}/process/`, {});
    await worker.drain();
    expect(await differences({ hashes: true })).toEqual([]);
    const { files } = app.context;
    await files.put(
      `documents/${id}/accounts.pdf`,
      bytesOf(Buffer.concat([Buffer.from(pdf), Buffer.from(" ")])),
    );
    await files.delete(`documents/${made.body.id}/original/words.txt`);
    const original = `document ${made.body.id}: the file that its PDF was made from is missing`;
    expect(await differences()).toEqual([original]);
    expect(await differences({ hashes: true })).toEqual([
      `document ${id}: its PDF has changed since it was read`,
      original,
    ]);
    for (const one of [id, made.body.id]) await remove(one);
  });

  it("finds and repairs missing texts, and missing and surplus index entries", async () => {
    const [one, other] = [await processed(), await processed()];
    await change(sql`delete from document_pages where document_id = ${one}`);
    await change(sql`update documents set title = '...' where id = ${other}`);
    expect(await differences()).toEqual([
      `document ${one} has 1 pages, but the text of 0`,
      `document ${one}: the index lacks 0 of its texts, and has 1 too many`,
      `document ${other}: the index lacks 0 of its texts, and has 1 too many`,
    ]);
    await repaired();
    expect(await differences()).toEqual([]);
    const { body } = await sendAs(app, owner, "GET", `/api/documents/search/?q=herring+id:${one}`);
    expect(body.count).toBe(1);
  });

  it("finds faults before and after a document that has more pages than are compared at once", async () => {
    const [one, long, other] = [await processed(), await processed(), await processed()];
    await change(sql`insert into document_pages (document_id, page, text)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1001)
      select ${long}, n, '' from numbers`);
    await change(sql`update documents set title = '...' where id in (${one}, ${other})`);
    expect(await differences()).toEqual([
      `document ${one}: the index lacks 0 of its texts, and has 1 too many`,
      `document ${long} has 1 pages, but the text of 1002`,
      `document ${other}: the index lacks 0 of its texts, and has 1 too many`,
    ]);
    await repaired();
    expect(await differences()).toEqual([]);
  });

  it("finds and repairs counts of words that differ from the texts", async () => {
    const [one, other] = [await processed(), await processed()];
    await change(
      engine === "sqlite"
        ? sql`delete from word_counts where rowid % 1099511627776 = ${one}`
        : sql`delete from word_counts where document_id = ${one}`,
    );
    await change(sql`update document_pages set text = text || ' uncounted' where document_id = ${other}`);
    expect(await differences()).toEqual([
      `document ${one}: the index counts the words of 2 wrongly`,
      `document ${other}: the index counts the words of 1 wrongly`,
    ]);
    await repaired();
    expect(await differences()).toEqual([]);
    for (const q of [`herring+id:${one}`, `uncounted+id:${other}`]) {
      const { body } = await sendAs(app, owner, "GET", `/api/documents/search/?q=${q}`);
      expect([q, body.count]).toEqual([q, 1]);
    }
  });

  it("does not restore words that are removed before the repair", async () => {
    const id = await processed();
    await change(
      engine === "sqlite"
        ? sql`delete from document_words where rowid between ${id} * 1048576 and ${id} * 1048576 + 1048575`
        : sql`delete from document_words where document_id = ${id}`,
    );
    for await (const { what, repair } of examineDocuments(app.context)) {
      expect(what).toBe(`document ${id}: the index lacks 2 of its texts, and has 0 too many`);
      await change(sql`update document_pages set text = 'Bread' where document_id = ${id}`);
      await repair?.();
    }
    const found = async (word: string): Promise<number> =>
      (await sendAs(app, owner, "GET", `/api/documents/search/?q=${word}+id:${id}`)).body.count;
    expect([await found("herring"), await found("bread"), await found("accounts")]).toEqual([0, 1, 1]);
    expect(await differences()).toEqual([]);
  });

  it("finds and repairs remains of deleted documents", async () => {
    await app.context.files.put("documents/4711/lost.pdf", bytesOf(pdf));
    await grewOld("documents/4711/lost.pdf", "documents/4711");
    const now = new Date().toISOString();
    await change(sql`insert into jobs (kind, subject, options, created_at, due_at)
      values ('process document', 4712, '{}', ${now}, ${"9999"})`);
    await change(sql`insert into file_removals (document_id, folder) values (4713, 'documents/4713')`);
    expect(await differences()).toEqual([
      "document 4713 is deleted, but its files are not",
      "there is a job (process document) for document 4712, which does not exist",
      "there are files of document 4711, which does not exist",
    ]);
    await repaired();
    expect(await differences()).toEqual([]);
  });

  it("leaves files whose document may still be created", async () => {
    await app.context.files.put("documents/4714/scan.pdf", bytesOf(pdf));
    await app.context.files.put("documents/4715/scan.pdf", bytesOf(pdf));
    await grewOld("documents/4715/scan.pdf", "documents/4715");
    for await (const { what, repair } of examineDocuments(app.context)) {
      expect(what).toBe("there are files of document 4715, which does not exist");
      await app.context.files.put("documents/4715/scan.pdf", bytesOf(pdf));
      await repair?.();
    }
    for (const id of [4714, 4715]) {
      expect(await app.context.files.stat(`documents/${id}/scan.pdf`)).not.toBeNull();
      await app.context.files.deleteFolder(`documents/${id}`);
    }
  });

  it("reports folders that belong to no document, and leaves them", async () => {
    const names = ["NaN", "notes", "0", "01", "1e3", "12345678901234567"];
    for (const name of names) await app.context.files.put(`documents/${name}/kept.txt`, bytesOf(pdf));
    for (const name of names) await grewOld(`documents/${name}/kept.txt`, `documents/${name}`);
    const found: string[] = [];
    for await (const { what, repair } of examineDocuments(app.context)) {
      found.push(what);
      expect(repair).toBeNull();
    }
    expect(found.toSorted()).toEqual(
      names.toSorted().map((name) => `"${name}" is among the folders of documents, but is not one`),
    );
    for (const name of names) {
      expect(await app.context.files.stat(`documents/${name}/kept.txt`)).not.toBeNull();
      await app.context.files.deleteFolder(`documents/${name}`);
    }
  });

  async function grewOld(...keys: string[]): Promise<void> {
    const twoHoursAgo = Date.now() / 1000 - 2 * 3600;
    for (const key of keys) {
      await utimes(path.join(app.context.config.data, "files", key), twoHoursAgo, twoHoursAgo);
    }
  }
});

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
