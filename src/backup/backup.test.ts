import { rm, mkdtemp, readFile, writeFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../context.ts";
import { type StoreAddress, openFilesAt } from "../files/open-files.ts";
import { documentFileKey } from "../files/keys.ts";
import { examineDocuments } from "../resources/documents/processing/examine-documents.ts";
import { addDocuments } from "../testing/factories.ts";
import { addFullWorld } from "../testing/full-world.ts";
import { addPerson } from "../testing/people.ts";
import { startS3Server } from "../testing/s3-server.ts";
import {
  emptyStorage,
  engines,
  startAppOn,
  startTestApp,
  type TestApp,
  type TestStorage,
} from "../testing/test-app.ts";
import { type BackupOutcome, backUp, filesUsedBy } from "./back-up.ts";
import { BackupPlace } from "./backup-place.ts";
import { findBackup, restore, verify } from "./restore.ts";

const silent = { files: () => undefined, rows: () => undefined, indexed: () => undefined };
const never = new AbortController().signal;
const url = { QUIRE_URL: "https://docs.example.org" };

async function add(context: Context, place: BackupPlace, signal = never): Promise<BackupOutcome> {
  return backUp(context, place, { quire: "1.2.3", signal, progress: silent });
}

async function restoreTo(to: TestStorage, place: BackupPlace, name: string | null = null): Promise<void> {
  const { data, databaseUrl } = to.config;
  const files = await openFilesAt(to.config, { folder: path.join(data, "files") });
  const target = { database: { dataFolder: data, databaseUrl }, files, secretFolder: data };
  await restore(place, await findBackup(place, name), target, { signal: never, progress: silent });
}

describe.each(engines)("a backup of %s", (engine) => {
  const other = engine === "sqlite" ? "postgres" : "sqlite";
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-backup-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function placeAt(context: Context, address: StoreAddress = { folder }): Promise<BackupPlace> {
    return new BackupPlace(await openFilesAt(context.config, address));
  }

  it("is restored to a service with byte-for-byte the same responses, on either engine", async () => {
    await using app = await startTestApp(engine, url);
    const { context } = app;
    const [draw] = fc.sample(fc.gen(), { numRuns: 1, seed: 7 });
    if (draw === undefined) throw new Error("no world");
    await addFullWorld(context, draw);
    const maria = await addPerson(context, { username: "maria", isAdministrator: true });
    const asked = await addressesOf(app);
    const before = await answersOf(app, asked, maria.headers);
    expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(15);
    const place = await placeAt(context);
    await add(context, place);
    for (const target of [engine, other] as const) {
      await using storage = await emptyStorage(target);
      await restoreTo(storage, place);
      await using restored = await startAppOn({
        ...storage.config,
        url: url.QUIRE_URL,
        assetUrl: context.config.assetUrl,
        webUrl: context.config.webUrl,
      });
      expect(await answersOf(restored, asked, maria.headers)).toEqual(before);
      expect(await differences(restored.context)).toEqual(await differences(context));
    }
  });

  it("copies only new content, and is verified: complete, or with each damaged file", async () => {
    await using app = await startTestApp(engine);
    const { context } = app;
    await addFiles(context, 3);
    const place = await placeAt(context);
    const first = await add(context, place);
    expect(first).toMatchObject({ newFiles: 3, faults: [], manifest: { files: { rows: 3 } } });
    await addFiles(context, 1);
    const second = await add(context, place);
    expect(second).toMatchObject({ newFiles: 1, manifest: { files: { rows: 4 } } });
    expect(
      await Array.fromAsync(verify(place, second.manifest, { signal: never, progress: silent })),
    ).toEqual([]);
    const [hash = ""] = await Array.fromAsync(filesUsedBy(place, first.manifest));
    await writeFile(path.join(folder, "files", hash.slice(0, 2), hash), "damaged");
    const [rows] = second.manifest.tables["documents"]?.chunks ?? [];
    await rm(path.join(folder, "rows", rows?.sha256.slice(0, 2) ?? "", `${rows?.sha256}.ndjson.gz`));
    const found = await Array.fromAsync(verify(place, second.manifest, { signal: never, progress: silent }));
    expect(found.join("\n")).toMatch(
      /^table documents: rows\/.* is missing\ntable documents: 0 of 4 rows can be read\n.*its content has changed/,
    );
    await using storage = await emptyStorage(other);
    await expect(restoreTo(storage, place)).rejects.toThrow(/content has changed|is missing/);
    await expect(startAppOn(storage.config)).rejects.toThrow("quire restore --backup");
  });

  it("can be removed without losing any content of newer ones", async () => {
    await using app = await startTestApp(engine);
    const { context } = app;
    const place = await placeAt(context);
    const ids = await addFiles(context, 2);
    const names: string[] = [];
    for (let time = 0; time < 3; time++) {
      const { manifest } = await add(context, place);
      // The names of backups are precise to the second.
      const at = `2026-01-0${time + 1}T00:00:00.000Z`;
      names.push(await place.finish({ ...manifest, at }));
      await context.database.write((writer) =>
        writer
          .deleteFrom("documents")
          .where("id", "=", ids[time] ?? 0)
          .execute(),
      );
      await context.files.deleteFolder(`documents/${ids[time]}`);
    }
    const all = await place.names();
    await place.keepOnly(all.length - 1, (kept) => filesUsedBy(place, kept));
    expect(await place.names()).toEqual(all.slice(1));
    const newest = all.at(-1) ?? "";
    await place.keepOnly(1, (kept) => filesUsedBy(place, kept));
    expect(await place.names()).toEqual([newest]);
    const { manifest } = await findBackup(place, null);
    expect(await Array.fromAsync(verify(place, manifest, { signal: never, progress: silent }))).toEqual([]);
    expect(names).toHaveLength(3);
    await expect(findBackup(place, "2020-01-01T00-00-00Z")).rejects.toThrow(`The newest ones are ${newest}`);
  });

  it("does not count if it was interrupted, and its files are not copied again", async () => {
    await using app = await startTestApp(engine);
    const { context } = app;
    await addFiles(context, 5);
    const place = await placeAt(context);
    const interrupted = new AbortController();
    const progress = { ...silent, rows: () => interrupted.abort(new Error("the power went out")) };
    const failing = backUp(context, place, { quire: "1.2.3", signal: interrupted.signal, progress });
    await expect(failing).rejects.toThrow("the power went out");
    expect(await place.names()).toEqual([]);
    await expect(findBackup(place, null)).rejects.toThrow("The only backup there has not finished");
    expect(await place.findUnfinished()).not.toBeNull();
    expect(await add(context, place)).toMatchObject({ newFiles: 0, manifest: { files: { rows: 5 } } });
    expect(await place.findUnfinished()).toBeNull();
  });

  it("has the files of one moment, even if some are deleted or replaced meanwhile", async () => {
    await using app = await startTestApp(engine);
    const { context } = app;
    const ids = await addFiles(context, 6);
    const place = await placeAt(context);
    let isDone = false;
    const progress = {
      ...silent,
      rows: () => {
        if (isDone) return;
        isDone = true;
        // After the moment of the backup, while its rows are copied.
        void context.database.write((writer) =>
          writer
            .deleteFrom("documents")
            .where("id", "=", ids[0] ?? 0)
            .execute(),
        );
        void context.files.deleteFolder(`documents/${ids[0]}`);
      },
    };
    const { manifest, faults } = await backUp(context, place, { quire: "1.2.3", signal: never, progress });
    expect(faults).toEqual([]);
    expect(manifest.files.rows).toBe(6);
    expect(manifest.tables["documents"]?.rows).toBe(6);
  });

  it("can be in a bucket, even if the service's files are in a bucket too", async () => {
    await using s3 = await startS3Server();
    await using app = await startTestApp(engine, { ...s3.environment, QUIRE_S3_PREFIX: "live" });
    const { context } = app;
    await addFiles(context, 2);
    const address = { bucket: s3.environment["QUIRE_S3_BUCKET"] ?? "", prefix: "kept/backups" };
    const place = await placeAt(context, address);
    expect(await add(context, place)).toMatchObject({ newFiles: 2, faults: [] });
    expect(await add(context, place)).toMatchObject({ newFiles: 0, faults: [] });
    await using storage = await emptyStorage(other);
    await restoreTo(storage, place);
    await using restored = await startAppOn(storage.config);
    expect(await differences(restored.context)).toEqual(await differences(context));
  });

  it("is as private as the database", async () => {
    await using app = await startTestApp(engine);
    const inside = path.join(folder, "new");
    const place = await placeAt(app.context, { folder: inside });
    const { manifest } = await add(app.context, place);
    expect((await stat(inside)).mode & 0o077).toBe(0);
    const secret = await readFile(path.join(app.context.config.data, "secret"), "utf8");
    const kept = path.join(inside, "files", manifest.secret?.slice(0, 2) ?? "", manifest.secret ?? "");
    expect(await readFile(kept, "utf8")).toBe(secret);
  });
});

/** Adds documents, each with a different PDF, and returns their ids. */
async function addFiles(context: Context, count: number): Promise<number[]> {
  const rows = Array.from({ length: count }, () => ({ slug: "a", status: "readable" }));
  const ids = await addDocuments(context, rows);
  for (const id of ids)
    await context.files.put(documentFileKey(id, "a", "pdf"), bytesOf(`the file of ${id}`));
  return ids;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function differences(context: Context): Promise<string[]> {
  const found = await Array.fromAsync(examineDocuments(context, { hashes: true }));
  // A server removes these files when it starts.
  return found.map(({ what }) => what).filter((what) => !what.endsWith("is deleted, but its files are not"));
}

/** The addresses of every list and of each document's record, parts and files. */
async function addressesOf({ context }: TestApp): Promise<string[]> {
  const { reader } = context.database;
  const documents = await reader.selectFrom("documents").select(["id", "slug"]).execute();
  const users = await reader.selectFrom("users").select("id").execute();
  const lists = ["documents", "projects", "users", "organizations", "entities", "documents/search"].map(
    (name) => `/api/${name}/`,
  );
  return [
    ...lists,
    "/api/documents/?expand=user,organization,projects,notes,sections&per_page=100",
    "/api/documents/?ordering=-updated_at",
    "/api/documents/search/?q=x*",
    ...users.map(({ id }) => `/api/users/${id}/`),
    ...documents.flatMap(({ id, slug }) => [
      `/api/documents/${id}/?expand=user,notes,sections`,
      `/api/documents/${id}/notes/`,
      `/api/documents/${id}/sections/`,
      `/api/documents/${id}/entities/`,
      `/api/documents/${id}/data/`,
      `/files/documents/${id}/${slug}.pdf`,
      `/files/documents/${id}/${slug}.txt`,
    ]),
  ];
}

interface Answer {
  address: string;
  status: number;
  etag: string | null;
  body: string;
}

async function answersOf(
  app: TestApp,
  addresses: readonly string[],
  headers: Record<string, string>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const address of addresses) {
    for (const credentials of [{}, headers]) {
      const response = await app.fetch(address, { headers: { ...credentials, accept: "application/json" } });
      const body = Buffer.from(await response.arrayBuffer()).toString("base64");
      answers.push({ address, status: response.status, etag: response.headers.get("etag"), body });
    }
  }
  return answers;
}
