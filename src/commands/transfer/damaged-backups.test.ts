import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openContext } from "../../context.ts";
import type { FileStore } from "../../files/file-store.ts";
import { openFilesAt } from "../../files/open-files.ts";
import { bytesOf, keyOfFile, addFiles } from "../../testing/backups.ts";
import { type CommandRun, runCommandLine } from "../../testing/command-runs.ts";
import { startS3Server } from "../../testing/s3-server.ts";
import { isDeep } from "../../testing/runs.ts";
import { type TestStorage, emptyStorage, testStorage } from "../../testing/test-app.ts";
import { backup } from "./backup.ts";
import { readStoreAddress } from "./addresses.ts";
import { restore } from "./restore.ts";

/** What can happen to a file in a store. */
const damages: Readonly<Record<string, (store: FileStore, key: string) => Promise<void>>> = {
  "is missing": (store, key) => store.delete(key),
  "is empty": (store, key) => store.put(key, bytesOf("")),
  "is shorter": async (store, key) => store.put(key, bytesOf("x".repeat((await sizeOf(store, key)) - 1))),
  "has other content": async (store, key) => store.put(key, bytesOf("x".repeat(await sizeOf(store, key)))),
};

async function sizeOf(store: FileStore, key: string): Promise<number> {
  return (await store.stat(key))?.size ?? 0;
}

async function keysBelow(store: FileStore, folder: string): Promise<string[]> {
  const keys: string[] = [];
  for (const part of await Array.fromAsync(store.folders(folder)))
    for await (const name of store.names(`${folder}/${part}`)) keys.push(`${folder}/${part}/${name}`);
  return keys.toSorted();
}

describe.each(["a folder", "a bucket"])("a damaged repository in %s", (kind) => {
  let service: TestStorage;
  let ids: number[];
  let address: string;
  let environment: Record<string, string>;
  let store: FileStore;
  let close: () => Promise<void>;

  beforeEach(async () => {
    service = await testStorage("sqlite");
    environment = {};
    if (kind === "a folder") {
      address = await mkdtemp(path.join(tmpdir(), "quire-damaged-"));
      close = () => rm(address, { recursive: true });
    } else {
      const s3 = await startS3Server();
      address = `s3://${s3.environment["QUIRE_S3_BUCKET"]}/backups`;
      environment = {
        QUIRE_BACKUP_S3_ENDPOINT: s3.url,
        QUIRE_BACKUP_S3_ACCESS_KEY_ID: s3.environment["QUIRE_S3_ACCESS_KEY_ID"] ?? "",
        QUIRE_BACKUP_S3_SECRET_ACCESS_KEY: s3.environment["QUIRE_S3_SECRET_ACCESS_KEY"] ?? "",
      };
      close = async () => s3[Symbol.asyncDispose]();
    }
    const config = {
      ...service.config,
      backupS3Endpoint: environment["QUIRE_BACKUP_S3_ENDPOINT"] ?? null,
      backupS3AccessKeyId: environment["QUIRE_BACKUP_S3_ACCESS_KEY_ID"] ?? null,
      backupS3SecretAccessKey: environment["QUIRE_BACKUP_S3_SECRET_ACCESS_KEY"] ?? null,
    };
    store = await openFilesAt(config, readStoreAddress(address));
    const context = await openContext(service.config, pino({ level: "silent" }));
    ids = await addFiles(context, 4);
    await context.close();
  });

  afterEach(async () => {
    await store.close();
    await close();
    await service[Symbol.asyncDispose]();
  });

  const quire = (line: string, { config } = service): Promise<CommandRun> =>
    runCommandLine([backup, restore], line, { QUIRE_DATA: config.data, ...environment });

  /** Deletes a document of the service with its file. */
  async function deleteDocument(id: number): Promise<void> {
    const context = await openContext(service.config, pino({ level: "silent" }));
    await context.database.write((writer) => writer.deleteFrom("documents").where("id", "=", id).execute());
    await context.files.deleteFolder(`documents/${id}`);
    await context.close();
  }

  const noticed = Object.entries(damages).filter(([name]) => name !== "has other content");

  it.each(noticed)("is made whole by the next backup: everything in it %s", async (_, damage) => {
    expect(await quire(`backup ${address}`)).toMatchObject({ code: 0 });
    const all = [...(await keysBelow(store, "files")), ...(await keysBelow(store, "rows"))];
    expect(all.length).toBeGreaterThan(6);
    for (const key of all) await damage(store, key);
    expect(await quire(`restore --verify ${address}`)).toMatchObject({ code: 1 });
    expect(await quire(`backup ${address}`)).toMatchObject({ code: 0 });
    expect(await quire(`restore --verify ${address}`)).toMatchObject({ code: 0 });
    expect([...(await keysBelow(store, "files")), ...(await keysBelow(store, "rows"))]).toEqual(
      expect.arrayContaining(all),
    );
  });

  it("gives back everything that is whole, and names the rest", async () => {
    await quire(`backup ${address}`);
    const lost = keyOfFile(ids[1] ?? 0);
    const content = `the file of ${ids[1]}`;
    const [key = ""] = await keysWith(content);
    await damages["has other content"]?.(store, key);
    await using to = await emptyStorage("sqlite");
    const { code, stdout } = await quire(`restore ${address}`, to);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^${lost}: ${key}: its content has changed\nRestored what is whole of backup .*: 1 fault, `),
    );
    const context = await openContext(to.config, pino({ level: "silent" }));
    const { documents } = await context.database.reader
      .selectFrom("documents")
      .select((select) => select.fn.countAll<number>().as("documents"))
      .executeTakeFirstOrThrow();
    expect(documents).toBe(4);
    for (const id of ids) {
      const bytes = await context.files.read(keyOfFile(id));
      const text = bytes === null ? null : String(await buffer(bytes));
      expect([id, text]).toEqual([id, id === ids[1] ? null : `the file of ${id}`]);
    }
    await context.close();
  });

  /** The hashes of the lists of files of the newest backup. */
  async function listsOfFiles(): Promise<string[]> {
    const [newest = ""] = (await Array.fromAsync(store.names("backups"))).toSorted().toReversed();
    const manifest = await buffer((await store.read(`backups/${newest}`)) ?? bytesOf(""));
    const { files } = JSON.parse(String(manifest)) as { files: { chunks: { sha256: string }[] } };
    return files.chunks.map(({ sha256 }) => sha256);
  }

  async function keysWith(content: string): Promise<string[]> {
    const keys: string[] = [];
    for (const key of await keysBelow(store, "files"))
      if (String(await buffer((await store.read(key)) ?? bytesOf(""))) === content) keys.push(key);
    return keys;
  }

  // The others are about what a repository has, wherever that is.
  if (kind === "a bucket" && !isDeep) return;

  it("is made whole if content of the same length is found to be wrong: by verify, or by reading back", async () => {
    await quire(`backup ${address}`);
    for (const notice of [`restore --verify ${address}`, `backup --read-data-subset 100 ${address}`]) {
      const all = [...(await keysBelow(store, "files")), ...(await keysBelow(store, "rows"))];
      // A check of one backup needs its lists of files to find the others.
      const lists = notice.startsWith("restore") ? await listsOfFiles() : [];
      const keys = all.filter((key) => !lists.some((hash) => key.includes(hash)));
      const kept = new Map<string, Buffer>();
      for (const key of keys) {
        kept.set(key, await buffer((await store.read(key)) ?? bytesOf("")));
        await damages["has other content"]?.(store, key);
      }
      await quire(notice);
      const { code, stdout } = await quire(`backup --read-data-subset 0 ${address}`);
      expect({ code, stdout }).toMatchObject({ code: 0 });
      expect(await quire(`restore --verify ${address}`)).toMatchObject({ code: 0 });
      for (const [key, bytes] of kept)
        expect((await buffer((await store.read(key)) ?? bytesOf(""))).equals(bytes)).toBe(true);
    }
  });

  it("is reported by every backup as long as an earlier one lacks what the service no longer has", async () => {
    await quire(`backup ${address}`);
    const [first = ""] = await Array.fromAsync(store.names("backups"));
    const before = await keysBelow(store, "files");
    await deleteDocument(ids[0] ?? 0);
    const { stdout } = await quire(`restore --verify ${address}`);
    expect(stdout).toContain("is whole");
    for (const key of before) await store.delete(key);
    for (let run = 1; run <= 2; run++) {
      const { code, stderr } = await quire(`backup ${address}`);
      const name = first.replace(".json", "");
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `Backup ${name} is damaged: 1 object of it is missing or damaged, and the service no longer has it\n`,
      });
      expect(await quire(`restore --verify ${address}`)).toMatchObject({ code: 0 });
    }
  });

  it("is repaired from the service, except for what that no longer has", async () => {
    await quire(`backup ${address}`);
    const all = [...(await keysBelow(store, "files")), ...(await keysBelow(store, "rows"))];
    const manifests = await Array.fromAsync(store.names("backups"));
    for (const [index, key] of all.entries()) {
      const damage = Object.values(damages)[index % Object.keys(damages).length];
      await damage?.(store, key);
    }
    const repaired = await quire(`restore --verify --repair ${address}`);
    expect(repaired).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nRepaired: \d+ objects\.\n$/) as string,
    });
    expect(await Array.fromAsync(store.names("backups"))).toEqual(manifests);
    expect([...(await keysBelow(store, "files")), ...(await keysBelow(store, "rows"))]).toEqual(all);
    expect(await quire(`restore --verify ${address}`)).toMatchObject({ code: 0 });

    await deleteDocument(ids[0] ?? 0);
    for (const key of await keysBelow(store, "files")) await store.delete(key);
    const rest = await quire(`restore --verify --repair ${address}`);
    expect(rest.code).toBe(1);
    expect(rest.stdout).toMatch(
      /^Not repaired, because the service no longer has its content: .*a\.pdf: files\/.* is missing$/m,
    );
    expect(rest.stdout).toMatch(/\nRepaired: 4 objects\.\n$/);
    expect((await keysBelow(store, "files")).length).toBe(4);
  });
});
