import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Decrypter, generateHybridIdentity } from "age-encryption";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../context.ts";
import { openFilesAt } from "../files/open-files.ts";
import {
  addBackup,
  addFiles,
  bytesOf,
  differencesIn,
  objectKeys,
  openRepository,
  restoreTo,
} from "../testing/backups.ts";
import { runs } from "../testing/runs.ts";
import { startS3Server } from "../testing/s3-server.ts";
import { type TestApp, emptyStorage, startAppOn, startTestApp } from "../testing/test-app.ts";
import { type RepositoryKey, readKeyFile, writeKeyFile } from "./encryption.ts";
import { WrongContentError } from "./hashes.ts";
import { KeyFileError } from "./repository.ts";

describe("an encrypted repository", () => {
  let folder: string;
  let keyFile: string;
  let key: RepositoryKey;
  let app: TestApp;
  let context: Context;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-encrypted-"));
    keyFile = path.join(folder, "backup.key");
    await writeKeyFile(keyFile);
    key = await readKeyFile(keyFile);
    app = await startTestApp("sqlite");
    ({ context } = app);
  });
  afterEach(async () => {
    await app[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const address = () => ({ folder: path.join(folder, "repository") });
  const open = (using: RepositoryKey | null = key) => openRepository(context.config, address(), using);

  async function filesOnDisk(): Promise<string[]> {
    const entries = await readdir(address().folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
  }

  it("is restored, continued and healed with its key, in a folder and in a bucket", async () => {
    await using s3 = await startS3Server();
    const bucket = { bucket: s3.environment["QUIRE_S3_BUCKET"] ?? "", prefix: "backups" };
    const config = {
      ...context.config,
      backupS3Endpoint: s3.url,
      backupS3AccessKeyId: s3.environment["QUIRE_S3_ACCESS_KEY_ID"] ?? null,
      backupS3SecretAccessKey: s3.environment["QUIRE_S3_SECRET_ACCESS_KEY"] ?? null,
    };
    await addFiles(context, 3);
    for (const store of [address(), bucket]) {
      const again = () => openRepository(config, store, key);
      expect(await addBackup(context, await again())).toMatchObject({ newFiles: 3 });
      expect(await addBackup(context, await again())).toMatchObject({ newFiles: 0, newBytes: 0 });
      const repository = await again();
      const [first = "", second = ""] = await objectKeys(repository, "files");
      await repository.store.delete(first);
      await repository.store.put(second, bytesOf("x"));
      const { manifest, pruning } = await addBackup(context, repository);
      expect(pruning.incomplete).toEqual([]);
      expect(await differencesIn(repository, manifest)).toEqual([]);
      await using storage = await emptyStorage("sqlite");
      expect(await restoreTo(storage, repository)).toEqual([]);
      await using restored = await startAppOn(storage.config);
      const { results } = (await (await restored.fetch("/api/documents/")).json()) as { results: unknown[] };
      expect(results).toHaveLength(3);
    }
  });

  it("shows nothing of its content: no word, and no hash of a file", async () => {
    await addFiles(context, 2);
    const { manifest } = await addBackup(context, await open());
    const { reader } = context.database;
    const hash = manifest.files.chunks[0]?.sha256 ?? "";
    const users = await reader.selectFrom("users").select("username").execute();
    const words = [...users.map(({ username }) => username), "the file of", "documents/", hash, '"columns"'];
    for (const file of await filesOnDisk()) {
      const text = await readFile(file, "latin1");
      const isPlain = path.basename(file) === "config.json";
      expect(text.startsWith("age-encryption.org/v1\n")).toBe(!isPlain);
      for (const word of words) expect(`${file}\n${text}`).not.toContain(word);
    }
    expect((await filesOnDisk()).length).toBeGreaterThan(6);
  });

  it("can be read by any program that knows age, with the key file", async () => {
    await addFiles(context, 1);
    await addBackup(context, await open());
    const decrypter = new Decrypter();
    decrypter.addIdentity((await readFile(keyFile, "utf8")).trim().split("\n").at(-1) ?? "");
    const texts: string[] = [];
    for (const file of await filesOnDisk())
      if (file.includes("/files/")) texts.push(await decrypter.decrypt(await readFile(file), "text"));
    expect(texts).toContain("the file of 1");
  });

  it("is refused without its key, with another one, and if it is not encrypted", async () => {
    await addBackup(context, await open());
    await expect(open(null)).rejects.toThrow(/are encrypted: name their key file with --key-file/);
    const another = path.join(folder, "another.key");
    await writeKeyFile(another);
    await expect(open(await readKeyFile(another))).rejects.toThrow(KeyFileError);
    await rm(address().folder, { recursive: true });
    await addBackup(context, await open(null));
    await expect(open()).rejects.toThrow("The backups there are not encrypted");
  });

  it("takes no file that was not encrypted with its key", async () => {
    await addFiles(context, 1);
    const repository = await open();
    const { manifest } = await addBackup(context, repository);
    const other = path.join(folder, "other.key");
    await writeKeyFile(other);
    const { codec } = await readKeyFile(other);
    const store = await openFilesAt(context.config, address());
    for (const name of await objectKeys(repository, "files"))
      await store.put(name, codec.encode(bytesOf("the file of 1")));
    expect((await differencesIn(repository, manifest)).join("\n")).toMatch(
      /a\.pdf: files\/.* cannot be decrypted/,
    );
  });

  it("gives back any bytes, and knows how many are stored", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 4 }), async (sizes) => {
        const chunks = sizes.map((size, index) => Buffer.alloc(size, index + 1));
        const stored = await Array.fromAsync(key.codec.encode(iterated(chunks)));
        const length = stored.reduce((sum, chunk) => sum + chunk.length, 0);
        expect(length).toBe(key.codec.storedSize(sizes.reduce((sum, size) => sum + size, 0)));
        const read = await Array.fromAsync(key.codec.decode(iterated(stored), "a"));
        expect(Buffer.concat(read).equals(Buffer.concat(chunks))).toBe(true);
        const cut = Buffer.concat(stored).subarray(0, -1);
        await expect(Array.fromAsync(key.codec.decode(iterated([cut]), "a"))).rejects.toThrow(
          WrongContentError,
        );
      }),
      { numRuns: runs(20) },
    );
  });

  it("reads no more of a file than it has stored or given back", async () => {
    let read = 0;
    const source = async function* source(): AsyncGenerator<Uint8Array> {
      for (;;) {
        read += 1;
        yield Buffer.alloc(64 * 1024);
      }
    };
    let taken = 0;
    for await (const _ of key.codec.decode(key.codec.encode(source()), "a")) {
      if ((taken += 1) > 50) break;
      expect(read).toBeLessThan(taken + 10);
    }
  });

  it("passes on a failure to read as it is", async () => {
    const failure = new Error("the store is away");
    const failing = async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(0);
      throw failure;
    };
    await expect(Array.fromAsync(key.codec.decode(failing(), "a"))).rejects.toBe(failure);
    await expect(Array.fromAsync(key.codec.encode(failing()))).rejects.toBe(failure);
  });

  it("has a key file that is its owner's alone, is never replaced, and may have a post-quantum key", async () => {
    expect((await stat(keyFile)).mode & 0o077).toBe(0);
    await expect(writeKeyFile(keyFile)).rejects.toThrow("EEXIST");
    const hybrid = path.join(folder, "hybrid.key");
    await writeFile(hybrid, `# a comment\n\n${await generateHybridIdentity()}\n`);
    const { codec } = await readKeyFile(hybrid);
    const stored = Buffer.concat(await Array.fromAsync(codec.encode(bytesOf("text"))));
    expect(stored.length).toBe(codec.storedSize(4));
    expect(String(Buffer.concat(await Array.fromAsync(codec.decode(iterated([stored]), "a"))))).toBe("text");
    const first = (await readFile(keyFile, "utf8")).trim().split("\n").at(-1) ?? "";
    for (const text of ["", "secret", `${first}\n${first}`, first.slice(0, -3)]) {
      await writeFile(hybrid, text);
      await expect(readKeyFile(hybrid)).rejects.toThrow(/is not a key file/);
    }
  });
});

async function* iterated(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
