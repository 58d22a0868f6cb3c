import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { type BackupOptions, type BackupOutcome, backUp } from "../backup/back-up.ts";
import type { RepositoryKey } from "../backup/encryption.ts";
import { Repository } from "../backup/repository.ts";
import type { Manifest, ObjectFolder } from "../backup/repository-format.ts";
import { findBackup, restore } from "../backup/restore.ts";
import { verify } from "../backup/verify.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import { type StoreAddress, openFilesAt } from "../files/open-files.ts";
import { documentFileKey } from "../files/keys.ts";
import { addDocuments } from "./factories.ts";
import type { TestStorage } from "./test-app.ts";

export const silentProgress = {
  readBack: () => undefined,
  files: () => undefined,
  rows: () => undefined,
  indexed: () => undefined,
};

export const never = new AbortController().signal;

export async function openRepository(
  config: Config,
  address: StoreAddress,
  key: RepositoryKey | null = null,
): Promise<Repository> {
  return Repository.open(await openFilesAt(config, address), key);
}

export async function addBackup(
  context: Context,
  repository: Repository,
  options: Partial<BackupOptions> = {},
): Promise<BackupOutcome> {
  return backUp(context, repository, { quire: "1.2.3", signal: never, progress: silentProgress, ...options });
}

/** Restores a backup, by default the newest one. Returns the sentences about everything that could not be restored. */
export async function restoreTo(
  to: TestStorage,
  repository: Repository,
  name: string | null = null,
): Promise<string[]> {
  const { data, databaseUrl } = to.config;
  const files = await openFilesAt(to.config, { folder: path.join(data, "files") });
  const target = { database: { dataFolder: data, databaseUrl }, files, secretFolder: data };
  const faults: string[] = [];
  await restore(repository, await findBackup(repository, name), target, {
    signal: never,
    progress: silentProgress,
    onFault: (fault) => faults.push(fault),
  });
  return faults;
}

/** The differences between a backup and its manifest, as sentences. */
export async function differencesIn(repository: Repository, manifest: Manifest): Promise<string[]> {
  const found = await Array.fromAsync(
    verify(repository, manifest, { signal: never, progress: silentProgress }),
  );
  return found.map(({ text }) => text);
}

/** Adds documents, each with a different PDF, and returns their ids. */
export async function addFiles(context: Context, count: number): Promise<number[]> {
  const rows = Array.from({ length: count }, () => ({ slug: "a", status: "readable" }));
  const ids = await addDocuments(context, rows);
  for (const id of ids) await context.files.put(keyOfFile(id), bytesOf(`the file of ${id}`));
  return ids;
}

export const keyOfFile = (id: number): string => documentFileKey(id, "a", "pdf");

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** The keys of all objects in a repository. */
export async function objectKeys(repository: Repository, folder: ObjectFolder): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of repository.store.list(folder)) keys.push(key);
  return keys.toSorted();
}

/** What can happen to an object on a disk. Each returns after the file has changed. */
export const damages = {
  "is missing": (file) => rm(file),
  "is shorter": async (file) => writeFile(file, Buffer.alloc((await stat(file)).size - 1, "x")),
  "is empty": (file) => writeFile(file, ""),
  "has other content of the same length": async (file) =>
    writeFile(file, Buffer.alloc((await stat(file)).size, "x")),
} as const satisfies Record<string, (file: string) => Promise<void>>;

/** Makes all files of a folder older. */
export async function makeOlder(folder: string, hours: number): Promise<void> {
  const time = new Date(Date.now() - hours * 3600 * 1000);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await utimes(path.join(entry.parentPath, entry.name), time, time);
}
