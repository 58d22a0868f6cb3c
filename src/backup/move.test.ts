import path from "node:path";
import * as fc from "fast-check";
import pino from "pino";
import { describe, expect, it } from "vitest";
import type { Config } from "../config.ts";
import { type Context, openContext } from "../context.ts";
import { countRows, findSchemaFacts, rowsOf } from "../database/transfer/snapshot.ts";
import { copiedTables } from "../database/transfer/tables.ts";
import type { FileSource, FileStore } from "../files/file-store.ts";
import { documentFileKey } from "../files/keys.ts";
import { LocalFileStore } from "../files/local-file-store.ts";
import { isKept } from "../resources/events/store.ts";
import { examineDocuments } from "../resources/documents/processing/examine-documents.ts";
import { addDocuments } from "../testing/factories.ts";
import { addFullWorld } from "../testing/full-world.ts";
import { addPerson } from "../testing/people.ts";
import { runs } from "../testing/runs.ts";
import { type TestStorage, emptyStorage, engines, testStorage } from "../testing/test-app.ts";
import { type MoveOutcome, move } from "./move.ts";

const silent = { files: () => undefined, rows: () => undefined, indexed: () => undefined };

const open = (config: Config): Promise<Context> => openContext(config, pino({ level: "silent" }));

const storeOf = ({ config }: TestStorage): Promise<FileStore> =>
  LocalFileStore.open(path.join(config.data, "files"));

async function moveTo(
  to: TestStorage,
  context: Context,
  { files, signal = new AbortController().signal }: { files?: FileStore; signal?: AbortSignal } = {},
): Promise<MoveOutcome> {
  const { data, databaseUrl } = to.config;
  const target = {
    database: { dataFolder: data, databaseUrl },
    files: files ?? (await storeOf(to)),
    secretFolder: data,
  };
  return move(context, target, { signal, progress: silent });
}

/** All rows of all tables, the assigned ids, and the findings of `quire doctor`. */
async function contentsOf(context: Context): Promise<unknown> {
  const { reader } = context.database;
  const tables: Record<string, unknown> = {};
  for (const table of copiedTables)
    tables[table.name] = (await Array.fromAsync(rowsOf(reader, table))).flat();
  const differences = await Array.fromAsync(examineDocuments(context, { hashes: true }));
  return {
    tables,
    ...(await findSchemaFacts(reader, copiedTables)),
    doctor: differences.map(({ what }) => what),
  };
}

describe.each(engines)("a move from %s", (first) => {
  const second = first === "sqlite" ? "postgres" : "sqlite";

  it("keeps every row of every table and every file, to the other engine and back", async () => {
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (draw) => {
        await using from = await testStorage(first);
        const context = await open(from.config);
        await addFullWorld(context, draw);
        const empty: string[] = [];
        for (const table of copiedTables) {
          if ((await countRows(context.database.reader, table)) === 0) empty.push(table.name);
        }
        // A new table has rows by src/testing/drawn-rows.ts. If they do not fit it, add others to full-world.ts.
        expect(empty).toEqual([]);
        const before = await contentsOf(context);
        await using over = await emptyStorage(second);
        await moveTo(over, context);
        expect(await contentsOf(context)).toEqual(before);
        await context.close();
        const there = await open(over.config);
        expect(await contentsOf(there)).toEqual(before);
        await using back = await emptyStorage(first);
        await moveTo(back, there);
        await there.close();
        const again = await open(back.config);
        expect(await contentsOf(again)).toEqual(before);
        await again.close();
      }),
      { numRuns: runs(2), endOnFailure: true },
    );
  });

  it("continues after an interruption with the missing files, and until then nothing opens the copy", async () => {
    await using from = await testStorage(first);
    const context = await open(from.config);
    const [one, other] = await addDocuments(context, [{ slug: "one" }, { slug: "other" }]);
    const keys = [documentFileKey(one ?? 0, "one", "pdf"), documentFileKey(other ?? 0, "other", "pdf")];
    for (const key of keys) await context.files.put(key, bytesOf(key));
    await using over = await emptyStorage(second);

    const interrupted = new AbortController();
    const store = await storeOf(over);
    const putOnce = async (key: string, source: FileSource): Promise<void> => {
      interrupted.signal.throwIfAborted();
      await store.put(key, source);
      interrupted.abort(new Error("the power went out"));
    };
    const failing = moveTo(over, context, { files: overriding(store, putOnce), signal: interrupted.signal });
    await expect(failing).rejects.toThrow("the power went out");
    await expect(open(over.config)).rejects.toThrow(
      /incomplete: quire move began to fill it on .*Run that command again/,
    );
    const arrived: string[] = [];
    for (const key of keys) if ((await store.stat(key)) !== null) arrived.push(key);
    expect(arrived).not.toEqual([]);

    // A file that was deleted from the old store since then: it does not stay in the new one.
    await store.put("documents/77/gone.pdf", bytesOf("gone"));
    const put: string[] = [];
    const counting = overriding(store, (key, source) => {
      put.push(key);
      return store.put(key, source);
    });
    expect(await moveTo(over, context, { files: counting })).toMatchObject({
      files: { count: 2 },
      faults: [],
    });
    expect([...put, ...arrived].toSorted()).toEqual(keys.toSorted());
    expect(await store.stat("documents/77/gone.pdf")).toBeNull();
    const before = await contentsOf(context);
    await context.close();
    const there = await open(over.config);
    expect(await contentsOf(there)).toEqual(before);
    await there.close();
  });

  it("begins a feed of events in which nobody goes on at a position of the old one", async () => {
    await using from = await testStorage(first);
    const context = await open(from.config);
    await addDocuments(context, [{}, {}]);
    const { id: user_id } = await addPerson(context, { username: "owner" });
    const position = await context.database.reader
      .selectFrom("events")
      .select(["transaction_id", "id"])
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    const at = { transaction_id: position.transaction_id, event_id: position.id };
    const times = { created_at: "2026-01-01T00:00:00.000000Z", updated_at: "2026-01-01T00:00:00.000000Z" };
    await context.database.write(async (writer) => {
      const hook = { name: "", url: "https://example.org/", types: "[]", secret: "", is_enabled: false };
      await writer
        .insertInto("webhooks")
        .values({ user_id, ...hook, ...at, ...times })
        .execute();
      const search = { uuid: "u", name: "a", query: "a", alert: "page" as const };
      await writer
        .insertInto("saved_searches")
        .values({ user_id, ...search, ...at, ...times })
        .execute();
    });
    await using over = await emptyStorage(first);
    await moveTo(over, context);
    await context.close();
    const there = await open(over.config);
    const none = { transaction_id: null, event_id: null };
    for (const table of ["webhooks", "saved_searches"] as const)
      expect(
        await there.database.reader.selectFrom(table).select(["transaction_id", "event_id"]).execute(),
      ).toEqual([none]);
    await addDocuments(there, [{}, {}, {}, {}]);
    expect(await isKept(there.database, position)).toBe(false);
    await there.close();
  });

  it("stops when it is told to, also while it indexes what it has copied", async () => {
    await using from = await testStorage(first);
    const context = await open(from.config);
    await addDocuments(context, [{ slug: "one" }]);
    await using over = await emptyStorage(second);
    const stopped = new AbortController();
    const reason = new Error("told to stop");
    const target = {
      database: { dataFolder: over.config.data, databaseUrl: over.config.databaseUrl },
      files: await storeOf(over),
      secretFolder: over.config.data,
    };
    const progress = { ...silent, indexed: () => stopped.abort(reason) };
    await expect(move(context, target, { signal: stopped.signal, progress })).rejects.toBe(reason);
    await expect(open(over.config)).rejects.toThrow(/incomplete: quire move began to fill it/);
    expect(await moveTo(over, context)).toMatchObject({ files: { count: 0 } });
    await context.close();
    await (await open(over.config)).close();
  });

  it("requires an empty target, and reports missing files", async () => {
    await using from = await testStorage(first);
    const context = await open(from.config);
    await addDocuments(context, [{ slug: "lost" }]);
    await using used = await testStorage(second);
    await expect(moveTo(used, context)).rejects.toThrow("has tables already");
    await using over = await emptyStorage(second);
    const store = await storeOf(over);
    await store.put("documents/1/other.pdf", bytesOf("x"));
    await expect(moveTo(over, context)).rejects.toThrow("has files of documents already");
    await store.deleteFolder("documents/1");
    expect(await moveTo(over, context)).toMatchObject({ faults: ["document 1: its file is missing"] });
    await context.close();
  });
});

/** The same store with a different `put`. */
function overriding(store: FileStore, put: FileStore["put"]): FileStore {
  return {
    put,
    stat: (key) => store.stat(key),
    read: (key) => store.read(key),
    borrow: (key) => store.borrow(key),
    signedAddress: (...asked) => store.signedAddress(...asked),
    folders: (key) => store.folders(key),
    names: (key) => store.names(key),
    list: (key) => store.list(key),
    listInOrder: (...asked) => store.listInOrder(...asked),
    changedAt: (key) => store.changedAt(key),
    deleteFolder: (key) => store.deleteFolder(key),
    delete: (key) => store.delete(key),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
