import { rm, mkdtemp, readFile, writeFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../context.ts";
import type { StoreAddress } from "../files/open-files.ts";
import { examineDocuments } from "../resources/documents/processing/examine-documents.ts";
import {
  addBackup,
  addFiles,
  differencesIn,
  makeOlder,
  objectKeys,
  openRepository,
  restoreTo,
  silentProgress,
} from "../testing/backups.ts";
import { addFullWorld } from "../testing/full-world.ts";
import { addPerson } from "../testing/people.ts";
import { startS3Server } from "../testing/s3-server.ts";
import { emptyStorage, engines, startAppOn, startTestApp, type TestApp } from "../testing/test-app.ts";
import type { Repository } from "./repository.ts";
import { findBackup } from "./restore.ts";
import { filesIn } from "./survey.ts";

const url = { QUIRE_URL: "https://docs.example.org" };

const keepLast = (last: number) => ({ last, daily: null, weekly: null, monthly: null, yearly: null });

describe.each(engines)("a backup of %s", (engine) => {
  const other = engine === "sqlite" ? "postgres" : "sqlite";
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-backup-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const repositoryAt = (context: Context, address: StoreAddress = { folder }): Promise<Repository> =>
    openRepository(context.config, address);

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
    const repository = await repositoryAt(context);
    await addBackup(context, repository);
    for (const target of [engine, other] as const) {
      await using storage = await emptyStorage(target);
      await restoreTo(storage, repository);
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
    const repository = await repositoryAt(context);
    const first = await addBackup(context, repository);
    expect(first).toMatchObject({ newFiles: 3, faults: [], manifest: { files: { rows: 3 } } });
    await addFiles(context, 1);
    const second = await addBackup(context, repository);
    expect(second).toMatchObject({ newFiles: 1, manifest: { files: { rows: 4 } } });
    expect(await differencesIn(repository, second.manifest)).toEqual([]);
    const [file] = await Array.fromAsync(filesIn(repository, first.manifest.files.chunks));
    await writeFile(path.join(folder, repository.objectKey("files", file?.sha256 ?? "")), "damaged");
    const [rows] = second.manifest.tables["documents"]?.chunks ?? [];
    await rm(path.join(folder, repository.objectKey("rows", rows?.sha256 ?? "")));
    const found = await differencesIn(repository, second.manifest);
    expect(found.join("\n")).toMatch(
      /^table documents: rows\/.* is missing\ntable documents: 0 of 4 rows can be read\n.*its content has changed/,
    );
  });

  it("can be removed without losing any content of newer ones", async () => {
    await using app = await startTestApp(engine);
    const { context } = app;
    const repository = await repositoryAt(context);
    const ids = await addFiles(context, 4);
    const deleted: string[] = [];
    for (let day = 1; day <= 3; day++) {
      const { manifest } = await addBackup(context, repository);
      // The names of backups are precise to the second.
      await repository.removeBackup((await repository.names()).at(-1) ?? "");
      await repository.finish({ ...manifest, at: `2026-01-0${day}T00:00:00.000Z` });
      const [lost] = await Array.fromAsync(filesIn(repository, manifest.files.chunks));
      const id = ids.shift() ?? 0;
      await context.database.write((writer) => writer.deleteFrom("documents").where("id", "=", id).execute());
      await context.files.deleteFolder(`documents/${id}`);
      deleted.push(repository.objectKey("files", lost?.sha256 ?? ""));
    }
    await makeOlder(folder, 25);
    const { pruning } = await addBackup(context, repository, { policy: keepLast(2) });
    expect(pruning).toEqual({
      incomplete: [],
      removed: ["2026-01-01T00-00-00Z", "2026-01-02T00-00-00Z"],
      postponed: null,
    });
    const [, third = "", newest = ""] = ["", ...(await repository.names())];
    expect(third).toBe("2026-01-03T00-00-00Z");
    for (const name of [third, newest])
      expect(await differencesIn(repository, await repository.manifest(name))).toEqual([]);
    const left = await objectKeys(repository, "files");
    expect(deleted.map((key) => left.includes(key))).toEqual([false, false, true]);
    await expect(findBackup(repository, "2020-01-01T00-00-00Z")).rejects.toThrow(
      `The newest ones are ${third}, ${newest}`,
    );
  });

  it("does not count if it was interrupted, and its files are not copied again", async () => {
    await using app = await startTestApp(engine);
    const { context } = app;
    await addFiles(context, 5);
    const repository = await repositoryAt(context);
    const interrupted = new AbortController();
    const progress = { ...silentProgress, rows: () => interrupted.abort(new Error("the power went out")) };
    const failing = addBackup(context, repository, { signal: interrupted.signal, progress });
    await expect(failing).rejects.toThrow("the power went out");
    expect(await repository.names()).toEqual([]);
    await expect(findBackup(repository, null)).rejects.toThrow("The only backup there has not finished");
    expect(await repository.findUnfinished()).not.toBeNull();
    expect(await addBackup(context, repository)).toMatchObject({
      newFiles: 0,
      manifest: { files: { rows: 5 } },
    });
    expect(await repository.findUnfinished()).toBeNull();
  });

  it("has the files of one moment, even if some are deleted or replaced meanwhile", async () => {
    await using app = await startTestApp(engine);
    const { context } = app;
    const ids = await addFiles(context, 6);
    const repository = await repositoryAt(context);
    let isDone = false;
    const progress = {
      ...silentProgress,
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
    const { manifest, faults } = await addBackup(context, repository, { progress });
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
    const repository = await repositoryAt(context, address);
    expect(await addBackup(context, repository)).toMatchObject({ newFiles: 2, faults: [] });
    expect(await addBackup(context, repository)).toMatchObject({ newFiles: 0, faults: [] });
    await using storage = await emptyStorage(other);
    await restoreTo(storage, repository);
    await using restored = await startAppOn(storage.config);
    expect(await differences(restored.context)).toEqual(await differences(context));
  });

  it("is as private as the database", async () => {
    await using app = await startTestApp(engine);
    const inside = path.join(folder, "new");
    const repository = await repositoryAt(app.context, { folder: inside });
    const { manifest } = await addBackup(app.context, repository);
    expect((await stat(inside)).mode & 0o077).toBe(0);
    const secret = await readFile(path.join(app.context.config.data, "secret"), "utf8");
    const kept = path.join(inside, "files", manifest.secret?.slice(0, 2) ?? "", manifest.secret ?? "");
    expect(await readFile(kept, "utf8")).toBe(secret);
  });
});

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
