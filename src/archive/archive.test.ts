import { createHash } from "node:crypto";
import { mkdtemp, readFile, readdir, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text as textIn } from "node:stream/consumers";
import * as fc from "fast-check";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Context, openContext } from "../context.ts";
import type { FileStore } from "../files/file-store.ts";
import { documentFileKey } from "../files/keys.ts";
import { ImportReport } from "../import/report.ts";
import { examineDocuments } from "../resources/documents/processing/examine-documents.ts";
import { addApiToken } from "../resources/users/credentials/api-token-store.ts";
import { addPasswordLink, findPasswordLink } from "../resources/users/credentials/password-link-store.ts";
import { addDocuments, addProject } from "../testing/factories.ts";
import { addFullWorld } from "../testing/full-world.ts";
import { addPerson } from "../testing/people.ts";
import { runs } from "../testing/runs.ts";
import { startS3Server } from "../testing/s3-server.ts";
import { type TestApp, engines, startAppOn, testStorage } from "../testing/test-app.ts";
import { Archive } from "./archive.ts";
import { type ArchiveOptions, type ArchiveOutcome, exportArchive } from "./export-archive.ts";
import { importArchive } from "./import-archive.ts";
import type { NewAccount } from "./import-lists.ts";

const url = "https://docs.example.org";
const baseUrls = { web: url, assets: `${url}/files/` };
const never = new AbortController().signal;

async function writeArchive(
  context: Pick<Context, "database" | "files">,
  folder: string,
  options: Partial<ArchiveOptions> = {},
): Promise<ArchiveOutcome> {
  const selection = { user: null, project: null, isPublic: false };
  return exportArchive(context, {
    folder,
    selection,
    baseUrls,
    agent: "Quire 1.2.3",
    signal: never,
    progress: () => undefined,
    ...options,
  });
}

interface Imported {
  accounts: readonly NewAccount[];
  summary: string;
  /** The lines of the report about single documents. */
  notes: string[];
}

async function readArchive(
  context: Pick<Context, "database" | "files">,
  folder: string,
  signal = never,
): Promise<Imported> {
  const notes: string[] = [];
  let atEnd = "";
  const report = new ImportReport({
    update: () => undefined,
    note: (line) => notes.push(line),
    finish: (summary) => (atEnd = summary ?? ""),
  });
  let accounts: readonly NewAccount[] = [];
  const onAccounts = (made: readonly NewAccount[]): void => void (accounts = made);
  const archive = await Archive.open(folder);
  await importArchive(context, archive, { signal, report, onVerified: () => undefined, onAccounts });
  expect(atEnd).toBe("");
  return { accounts, summary: report.summary(), notes };
}

const open = async (engine: (typeof engines)[number], environment: Record<string, string> = {}) => {
  const storage = await testStorage(engine, environment);
  const context = await openContext(storage.config, pino({ level: "silent" }));
  return {
    context,
    config: storage.config,
    async [Symbol.asyncDispose]() {
      await context.close();
      await storage[Symbol.asyncDispose]();
    },
  };
};

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Adds documents, each with a different PDF, and returns their ids. */
async function addFiles(context: Context, count: number): Promise<number[]> {
  const contents = Array.from({ length: count }, (_, index) => `the PDF ${index} of this test`);
  const hashes = contents.map((content) => createHash("sha1").update(content).digest("hex"));
  const ids = await addDocuments(
    context,
    hashes.map((file_hash) => ({ slug: "a", file_hash })),
  );
  for (const [index, id] of ids.entries())
    await context.files.put(documentFileKey(id, "a", "pdf"), bytesOf(contents[index] ?? ""));
  return ids;
}

/** All files below a folder, by path. */
async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return [path.relative(folder, file), await readFile(file)] as const;
  });
  return new Map(await Promise.all(read));
}

/**
 * The rules of RFC 8493, sections 2 and 3, that a folder breaks. This function shares no code with the writer of bags.
 */
async function brokenRulesOf(folder: string): Promise<string[]> {
  const broken: string[] = [];
  const rule = (holds: boolean, sentence: string): void => void (holds || broken.push(sentence));
  const files = await filesBelow(folder);
  const textOf = (name: string): string => files.get(name)?.toString("utf8") ?? "";
  const sha256 = (name: string): string =>
    createHash("sha256")
      .update(files.get(name) ?? "")
      .digest("hex");
  rule(
    /^BagIt-Version: \d+\.\d+\nTag-File-Character-Encoding: UTF-8\n?$/.test(textOf("bagit.txt")),
    "2.1.1: bagit.txt has the version, and then the encoding",
  );
  const manifest = (name: string): Map<string, string> => {
    const lines = textOf(name).split("\n").slice(0, -1);
    rule(
      lines.every((line) => /^[0-9a-f]{64} [ \t]*\S.*$/.test(line)),
      `2.1.3: ${name} has a hash and a path on each line`,
    );
    const listed = lines.map((line) => [line.slice(64).trim(), line.slice(0, 64)] as const);
    rule(new Set(listed.map(([file]) => file)).size === listed.length, `2.1.3: ${name} lists no file twice`);
    return new Map(listed);
  };
  const payload = manifest("manifest-sha256.txt");
  const inData = [...files.keys()].filter((name) => name.startsWith("data/"));
  rule(
    [...payload.keys()].every((name) => name.startsWith("data/")),
    "2.1.3: paths begin at the bag's folder",
  );
  rule(
    inData.every((name) => payload.has(name)),
    "3: every file of the payload is in a manifest",
  );
  for (const [name, hash] of [...payload, ...manifest("tagmanifest-sha256.txt")])
    rule(files.has(name) && sha256(name) === hash, `3: ${name} is there and has its hash`);
  const tags = manifest("tagmanifest-sha256.txt");
  for (const name of ["bagit.txt", "bag-info.txt", "manifest-sha256.txt"])
    rule(tags.has(name), `2.2.1: the manifest of tag files has ${name}`);
  rule(!tags.has("tagmanifest-sha256.txt"), "2.2.1: a manifest of tag files does not list itself");
  const info = textOf("bag-info.txt").split("\n").slice(0, -1);
  rule(
    info.every((line) => /^[^\s:]+: \S/.test(line)),
    "2.2.2: each line of bag-info.txt has a label and a value",
  );
  const bytes = inData.reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0);
  rule(
    info.includes(`Payload-Oxum: ${bytes}.${inData.length}`),
    "2.2.2: Payload-Oxum is the size and the count",
  );
  const others = [...files.keys()].filter(
    (name) => !inData.includes(name) && !tags.has(name) && name !== "tagmanifest-sha256.txt",
  );
  rule(others.length === 0, `nothing else is there: ${others.join(", ")}`);
  return broken;
}

/** The addresses that any viewer may request: lists, and each document's record, parts and files. */
async function addressesOf({ database }: Pick<Context, "database">): Promise<string[]> {
  const { reader } = database;
  const documents = await reader
    .selectFrom("documents")
    .select(["id", "slug", "original_extension"])
    .where("status", "<>", "deleted")
    .execute();
  const users = await reader.selectFrom("users").select("id").execute();
  const projects = await reader.selectFrom("projects").select("id").execute();
  const lists = ["projects", "users", "organizations", "entities", "documents/search"];
  return [
    ...lists.map((name) => `/api/${name}/?per_page=100`),
    "/api/documents/?expand=user,organization,projects,notes,sections,notes.user,notes.organization&per_page=100",
    "/api/documents/?ordering=-updated_at&per_page=100",
    "/api/users/me/?expand=organization",
    "/api/documents/search/?q=x*",
    ...users.map(({ id }) => `/api/users/${id}/`),
    ...projects.flatMap(({ id }) => [
      `/api/projects/${id}/users/`,
      `/api/projects/${id}/documents/?expand=document`,
    ]),
    ...documents.flatMap(({ id, slug, original_extension: extension }) => [
      `/api/documents/${id}/?expand=user,organization,projects,notes,sections`,
      `/api/documents/${id}/notes/?expand=user`,
      `/api/documents/${id}/sections/`,
      `/api/documents/${id}/entities/?expand=entity`,
      `/api/documents/${id}/data/`,
      `/files/documents/${id}/${slug}.pdf`,
      `/files/documents/${id}/${slug}.txt`,
      `/files/documents/${id}/${slug}.txt.json`,
      `/api/documents/${id}/original/${slug}.${extension}`,
    ]),
  ];
}

/** The responses by viewer and address: for an anonymous visitor and for every user who is not disabled. */
async function answersOf(app: TestApp, addresses: readonly string[]): Promise<Record<string, string>> {
  const { database } = app.context;
  const users = await database.reader
    .selectFrom("users")
    .select("id")
    .where("is_active", "=", true)
    .execute();
  const viewers: (readonly [string, Record<string, string>])[] = [["anonymous", {}]];
  for (const { id } of users) {
    const token = { name: "a test", mayWrite: false, expiresAt: null };
    const added = await database.write((writer) => addApiToken(writer, id, token));
    viewers.push([`user ${id}`, { authorization: `Bearer ${added.token}` }]);
  }
  const answers: Record<string, string> = {};
  for (const [viewer, headers] of viewers) {
    for (const address of addresses) {
      const response = await app.fetch(address, { headers: { ...headers, accept: "application/json" } });
      const body = await response.text();
      const isFile = response.ok && address.startsWith("/files/");
      const answer = isFile ? await fileAt(app, JSON.parse(body) as { location: string }) : body;
      answers[`${viewer}: ${address}`] = `${response.status} ${answer}`;
    }
  }
  return answers;
}

/** The hash of a file, because its address has a signature that differs each time. */
async function fileAt(app: TestApp, { location }: { location: string }): Promise<string> {
  const { pathname, search } = new URL(location);
  const response = await app.fetch(pathname + search);
  const sha256 = createHash("sha256").update(Buffer.from(await response.arrayBuffer()));
  return `${response.status} ${response.headers.get("content-type")} ${sha256.digest("hex")}`;
}

/** History and receipts, whose ids an import assigns again. */
async function accountsOf({ database }: Pick<Context, "database" | "files">): Promise<unknown> {
  const live = await database.reader
    .selectFrom("documents")
    .select("id")
    .where("status", "<>", "deleted")
    .execute();
  const ids = live.map(({ id }) => id);
  const history = database.reader
    .selectFrom("document_history")
    .select(["document_id", "at", "user_id", "action", "changes"]);
  const receipts = database.reader
    .selectFrom("document_receipts")
    .select(["document_id", "at", "step", "outcome", "milliseconds", "details"]);
  const corrections = database.reader.selectFrom("mention_corrections").selectAll();
  return {
    corrections: await corrections
      .where("document_id", "in", ids)
      .orderBy("document_id")
      .orderBy("value")
      .execute(),
    history: await history.where("document_id", "in", ids).orderBy("document_id").orderBy("id").execute(),
    receipts: await receipts.where("document_id", "in", ids).orderBy("document_id").orderBy("id").execute(),
    received: await database.reader
      .selectFrom("received_files")
      .selectAll()
      .where("document_id", "in", ids)
      .orderBy("document_id")
      .execute(),
    searches: await database.reader
      .selectFrom("saved_searches")
      .select(["uuid", "user_id", "name", "query", "created_at", "updated_at"])
      .orderBy("uuid")
      .execute(),
  };
}

describe.each(engines)("an archive of %s", (engine) => {
  const other = engine === "sqlite" ? "postgres" : "sqlite";
  let folder: string;

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), "quire-archive-")), "archive");
  });

  afterEach(() => rm(path.dirname(folder), { recursive: true }));

  it("is imported to a service with the same responses for every viewer, on the other engine", async () => {
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (draw) => {
        await rm(folder, { recursive: true, force: true });
        await using from = await open(engine, { QUIRE_URL: url });
        await addFullWorld(from.context, draw);
        const outcome = await writeArchive(from.context, folder);
        expect(outcome.faults).toEqual([]);
        expect(await brokenRulesOf(folder)).toEqual([]);
        await using to = await open(other, { QUIRE_URL: url });
        const { summary, notes } = await readArchive(to.context, folder);
        const added = `${outcome.documents} document${outcome.documents === 1 ? "" : "s"} in`;
        expect({ summary, notes }).toEqual({ summary: added, notes: [] });
        await using before = await startAppOn(from.config);
        await using after = await startAppOn(to.config);
        const addresses = await addressesOf(from.context);
        const answers = await answersOf(before, addresses);
        expect(Object.values(answers).filter((answer) => answer.startsWith("200 ")).length).toBeGreaterThan(
          5,
        );
        expect(await answersOf(after, addresses)).toEqual(answers);
        expect(await accountsOf(to.context)).toEqual(await accountsOf(from.context));
        const differences = await Array.fromAsync(examineDocuments(to.context, { hashes: true }));
        // The test world's documents have the texts of two pages.
        const unexpected = differences.filter(({ what }) => !what.endsWith("pages, but the text of 2"));
        expect(unexpected).toEqual([]);
        // A second import changes nothing.
        const again = await readArchive(to.context, folder);
        expect(again).toMatchObject({ accounts: [], notes: [] });
        expect(again.summary.split("\n")[0]).toBe(`0 documents in, ${outcome.documents} known already`);
        expect(await answersOf(after, addresses)).toEqual(answers);
      }),
      { numRuns: runs(2), endOnFailure: true },
    );
  });

  it("contains no passwords, tokens or secrets", async () => {
    await using from = await open(engine);
    await addFiles(from.context, 1);
    const maria = await addPerson(from.context, { username: "maria", password: "correct horse battery" });
    await from.context.database.write((writer) => addPasswordLink(writer, maria.id));
    const { leftOut } = await writeArchive(from.context, folder);
    expect(leftOut.text()).toBe("Left out: API tokens (1), passwords (1)");
    const { reader } = from.context.database;
    const { password_hash } = await reader
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", maria.id)
      .executeTakeFirstOrThrow();
    const tokens = await reader.selectFrom("api_tokens").select("digest").execute();
    const links = await reader.selectFrom("password_links").select("digest").execute();
    const secrets = [password_hash ?? "", ...[...tokens, ...links].map(({ digest }) => digest)];
    expect(secrets).toHaveLength(3);
    const files = [...(await filesBelow(folder)).values()].map(String);
    for (const secret of secrets) expect(files.filter((file) => file.includes(secret))).toEqual([]);
    expect((await stat(folder)).mode & 0o077).toBe(0);
    await using to = await open(other);
    const { accounts } = await readArchive(to.context, folder);
    expect(accounts.map(({ username }) => username)).toEqual(["maria"]);
    const link = await findPasswordLink(to.context.database.reader, accounts[0]?.token ?? "");
    expect(link).toEqual({ id: maria.id, username: "maria" });
  });

  it("is not valid after an interrupted export, and the next run adds the missing files", async () => {
    await using from = await open(engine);
    const ids = await addFiles(from.context, 70);
    const interrupted = new AbortController();
    const progress = (done: number): void => {
      if (done === 66) interrupted.abort(new Error("the power went out"));
    };
    const failing = writeArchive(from.context, folder, { signal: interrupted.signal, progress });
    await expect(failing).rejects.toThrow("the power went out");
    await expect(Archive.open(folder)).rejects.toThrow("has not finished. Run it again");
    const selection = { user: 1, project: null, isPublic: false };
    await expect(writeArchive(from.context, folder, { selection })).rejects.toThrow(
      "has an unfinished archive of all documents: finish that one, or name another folder",
    );
    // Since then, one document was deleted, and another one got a new file under a new name.
    const [gone = 0, renamed = 0] = ids;
    await from.context.database.write(async (writer) => {
      await writer.deleteFrom("documents").where("id", "=", gone).execute();
      await writer
        .updateTable("documents")
        .set({ slug: "b", file_hash: "" })
        .where("id", "=", renamed)
        .execute();
    });
    await from.context.files.put(documentFileKey(renamed, "b", "pdf"), bytesOf("another file"));
    const read: string[] = [];
    const { files } = from.context;
    const counting = watched(files, (name, key) => {
      if (name === "read") read.push(key);
    });
    const outcome = await writeArchive({ ...from.context, files: counting }, folder);
    expect(outcome).toMatchObject({ documents: 69, faults: [] });
    expect(read.length).toBeLessThan(10);
    expect(read).toContain(documentFileKey(renamed, "b", "pdf"));
    expect(await brokenRulesOf(folder)).toEqual([]);
    const names = [...(await filesBelow(folder)).keys()];
    expect(names.filter((name) => name.includes(`documents/${gone}/`))).toEqual([]);
    expect(names.filter((name) => name.includes(`documents/${renamed}/`) && name.endsWith(".pdf"))).toEqual([
      `data/documents/${renamed}/b.pdf`,
    ]);
    await expect(writeArchive(from.context, folder)).rejects.toThrow("has a finished archive already");
  });

  it("has the files of one moment: the export starts again if a file is replaced meanwhile", async () => {
    await using from = await open(engine);
    const [first = 0, ...others] = await addFiles(from.context, 3);
    const last = others.at(-1) ?? 0;
    let isDone = false;
    const content = "another file";
    const file_hash = createHash("sha1").update(content).digest("hex");
    const { files, database } = from.context;
    const replacing = watched(files, async (name, key) => {
      if (isDone || name !== "stat" || key !== documentFileKey(last, "a", "pdf")) return;
      isDone = true;
      await files.put(documentFileKey(last, "a", "pdf"), bytesOf(content));
      await database.write(async (writer) => {
        await writer.updateTable("documents").set({ file_hash }).where("id", "=", last).execute();
        await writer.deleteFrom("documents").where("id", "=", first).execute();
      });
      await files.deleteFolder(`documents/${first}`);
    });
    const outcome = await writeArchive({ database, files: replacing }, folder);
    expect(outcome).toMatchObject({ documents: 2, faults: [] });
    expect(await brokenRulesOf(folder)).toEqual([]);
    expect(await readFile(path.join(folder, "data/documents", String(last), "a.pdf"), "utf8")).toBe(content);
  });

  it("reports files that are missing or damaged in the service itself", async () => {
    await using from = await open(engine);
    const [lost = 0, damaged = 0] = await addFiles(from.context, 2);
    await from.context.files.delete(documentFileKey(lost, "a", "pdf"));
    await from.context.files.put(documentFileKey(damaged, "a", "pdf"), bytesOf("damaged"));
    expect((await writeArchive(from.context, folder)).faults.toSorted()).toEqual([
      `document ${lost}: its file is missing`,
      `document ${damaged}: its PDF has changed since it was read`,
    ]);
    expect(await brokenRulesOf(folder)).toEqual([]);
  });

  it("is compared with its checksums before anything is imported", async () => {
    await using from = await open(engine);
    const [id = 0] = await addFiles(from.context, 2);
    await writeArchive(from.context, folder);
    await using to = await open(other);
    const isEmpty = async (): Promise<boolean> =>
      (await to.context.database.reader.selectFrom("users").select("id").execute()).length === 0;
    const pdf = path.join(folder, "data/documents", String(id), "a.pdf");
    const before = await readFile(pdf);
    await writeFile(pdf, "damaged");
    const refused = readArchive(to.context, folder);
    await expect(refused).rejects.toThrow(
      `Nothing was imported, because the archive is damaged: data/documents/${id}/a.pdf: its content has changed; data has`,
    );
    await rm(pdf);
    await expect(readArchive(to.context, folder)).rejects.toThrow("a.pdf is missing");
    await writeFile(pdf, before);
    await writeFile(path.join(folder, "data/people.txt"), "x");
    await expect(readArchive(to.context, folder)).rejects.toThrow("data/people.txt is in no manifest");
    await rm(path.join(folder, "data/people.txt"));
    await symlink("/etc/hosts", path.join(folder, "data/link"));
    await expect(readArchive(to.context, folder)).rejects.toThrow("data/link is no file");
    await rm(path.join(folder, "data/link"));
    expect(await isEmpty()).toBe(true);
    expect(await readArchive(to.context, folder)).toMatchObject({ summary: "2 documents in", notes: [] });
  });

  it("is refused if its data folder is a link, or if its description is no small file", async () => {
    await using from = await open(engine);
    await addFiles(from.context, 1);
    await writeArchive(from.context, folder);
    const data = path.join(folder, "data");
    await rename(data, path.join(folder, "elsewhere"));
    await symlink("elsewhere", data);
    await expect(Archive.open(folder)).rejects.toThrow("data is missing, or no folder");
    await rm(data);
    await expect(Archive.open(folder)).rejects.toThrow("data is missing, or no folder");
    await rename(path.join(folder, "elsewhere"), data);
    await Archive.open(folder);
    await truncate(path.join(folder, "bag-info.txt"), 2 ** 33);
    await expect(Archive.open(folder)).rejects.toThrow("bag-info.txt is no file, or too long");
  });

  it("counts the entries of histories of deleted documents, which it does not have", async () => {
    await using from = await open(engine);
    const { context } = from;
    const [kept = 0, inTrash = 0, gone = 0] = await addFiles(context, 3);
    await context.database.write(async (writer) => {
      const at = "2020-01-01T00:00:00.000000Z";
      for (const document_id of [kept, inTrash, gone, gone])
        await writer
          .insertInto("document_history")
          .values({ document_id, at, user_id: null, action: "changed", changes: "{}" })
          .execute();
      await writer.updateTable("documents").set({ status: "deleted" }).where("id", "=", inTrash).execute();
      await writer.deleteFrom("documents").where("id", "=", gone).execute();
    });
    const entries = async (selection: ArchiveOptions["selection"]): Promise<string | null> => {
      const target = await mkdtemp(path.join(tmpdir(), "quire-archive-"));
      const outcome = await writeArchive(context, target, { selection });
      await rm(target, { recursive: true });
      return /history entries of deleted documents \((\d+)\)/.exec(outcome.leftOut.text() ?? "")?.[1] ?? null;
    };
    const { user_id: user } = await context.database.reader
      .selectFrom("documents")
      .select("user_id")
      .where("id", "=", inTrash)
      .executeTakeFirstOrThrow();
    expect(await entries({ user: null, project: null, isPublic: false })).toBe("3");
    expect(await entries({ user, project: null, isPublic: false })).toBe("1");
    expect(await entries({ user: null, project: null, isPublic: true })).toBeNull();
  });

  it("is refused as a whole if one of its ids or names is already taken", async () => {
    await using from = await open(engine);
    await addFiles(from.context, 2);
    await addPerson(from.context, { username: "maria" });
    await writeArchive(from.context, folder);
    await using to = await open(other);
    const maria = await addPerson(to.context, { username: "Maria" });
    const [one = 0] = await addDocuments(to.context, [
      {
        title: "Another",
        created_at: "2020-01-01T00:00:00.000000Z",
        user_id: maria.id,
        organization_id: await ownOrganization(to.context),
      },
    ]);
    await expect(readArchive(to.context, folder)).rejects.toThrow(
      /^Nothing was imported, because something else is here already: user 1 is "Maria", and in the archive "user-1"; the username "maria" is that of user 1, and in the archive of user 3; .*document 1 is "Another", and in the archive "A document"$/,
    );
    const { reader } = to.context.database;
    expect(await reader.selectFrom("documents").select("id").execute()).toEqual([{ id: one }]);
    expect(await reader.selectFrom("users").select("id").execute()).toEqual([{ id: maria.id }]);
  });

  it("is imported completely after an interruption, and later changes stay as they are", async () => {
    await using from = await open(engine);
    const ids = await addFiles(from.context, 110);
    await addProject(from.context, { title: "Together" }, ids);
    await writeArchive(from.context, folder);
    await using to = await open(other);
    const interrupted = new AbortController();
    const { files } = to.context;
    let stored = 0;
    const interrupting = watched(files, (name) => {
      if (name === "put" && (stored += 1) === 100) interrupted.abort(new Error("the power went out"));
    });
    const failing = readArchive({ ...to.context, files: interrupting }, folder, interrupted.signal);
    await expect(failing).rejects.toThrow("the power went out");
    const [first = 0] = ids;
    await to.context.database.write((writer) =>
      writer.updateTable("documents").set({ title: "Mine" }).where("id", "=", first).execute(),
    );
    expect((await readArchive(to.context, folder)).summary).toBe("10 documents in, 100 known already");
    const { reader } = to.context.database;
    const titles = await reader.selectFrom("documents").select("title").orderBy("id").execute();
    expect(titles.map(({ title }) => title)).toEqual(["Mine", ...ids.slice(1).map(() => "A document")]);
    expect(await reader.selectFrom("project_memberships").select("document_id").execute()).toHaveLength(110);
  });

  it("adds no administrators to a service that has accounts", async () => {
    await using from = await open(engine);
    await addFiles(from.context, 1);
    await addPerson(from.context, { username: "root", isAdministrator: true, password: "correct horse" });
    await writeArchive(from.context, folder);
    await using to = await open(other);
    await to.context.database.write((writer) =>
      writer
        .insertInto("users")
        .values({
          id: 99,
          username: "here",
          name: "",
          password_hash: "unset",
          created_at: "",
          updated_at: "",
        })
        .execute(),
    );
    const { summary } = await readArchive(to.context, folder);
    expect(summary).toBe("1 document in\nLeft out: rights of administrators (1)");
    const root = await to.context.database.reader
      .selectFrom("users")
      .select("is_administrator")
      .where("username", "=", "root")
      .executeTakeFirstOrThrow();
    expect(Boolean(root.is_administrator)).toBe(false);
  });

  it("of one user's documents contains no secrets of other users", async () => {
    await using from = await open(engine);
    const { context } = from;
    const [mine = 0, foreign = 0] = await addFiles(context, 2);
    const maria = await addPerson(context, { username: "maria", password: "correct horse" });
    const note = {
      document_id: mine,
      page_number: 0,
      content: "",
      content_html: "",
      created_at: "",
      updated_at: "",
    };
    const at = { created_at: "2020-01-01T00:00:00.000000Z", updated_at: "2020-01-01T00:00:00.000000Z" };
    await context.database.write(async (writer) => {
      await writer.updateTable("documents").set({ user_id: maria.id }).where("id", "=", mine).execute();
      for (const [part, access, title] of [
        [524_288, "private", "secret"],
        [524_289, "public", "for all"],
      ] as const)
        await writer
          .insertInto("notes")
          .values({ ...note, ...at, user_id: 2, access, title, part })
          .execute();
      await writer.updateTable("users").set({ email: "two@example.org" }).where("id", "=", 2).execute();
    });
    const outcome = await writeArchive(context, folder, {
      selection: { user: maria.id, project: null, isPublic: false },
    });
    expect(outcome).toMatchObject({ documents: 1, faults: [] });
    expect(outcome.leftOut.text()).toBe("Left out: passwords (1), private notes of others (1)");
    expect(await brokenRulesOf(folder)).toEqual([]);
    const files = await filesBelow(folder);
    const all = [...files.values()].map(String).join("\n");
    for (const secret of ["two@example.org", '"secret"']) expect(all).not.toContain(secret);
    expect([...files.keys()].some((name) => name.includes(`documents/${foreign}/`))).toBe(false);
    await using to = await open(other);
    const { accounts, summary } = await readArchive(to.context, folder);
    expect({ accounts: accounts.length, summary }).toEqual({ accounts: 1, summary: "1 document in" });
    const notes = await to.context.database.reader.selectFrom("notes").select(["title", "user_id"]).execute();
    expect(notes).toEqual([{ title: "for all", user_id: 2 }]);
  });

  it("of what is public contains nothing else, and counts what it leaves out", async () => {
    await using from = await open(engine);
    const { context } = from;
    const [shown = 0, hidden = 0, failed = 0] = await addFiles(context, 3);
    const maria = await addPerson(context, {
      username: "maria",
      organizations: [2],
      password: "correct horse",
    });
    const inPublic = await addProject(context, { title: "Open" }, [shown, hidden]);
    await addProject(context, { title: "Closed secret", private: true }, [shown]);
    const at = { created_at: "2020-01-01T00:00:00.000000Z", updated_at: "2020-01-01T00:00:00.000000Z" };
    await context.database.write(async (writer) => {
      const set = async (id: number, values: { access?: "private"; status?: "error"; user_id?: number }) =>
        writer.updateTable("documents").set(values).where("id", "=", id).execute();
      await set(shown, { user_id: maria.id });
      await set(hidden, { access: "private" });
      await set(failed, { status: "error" });
      for (const [index, access] of (["private", "organization", "public"] as const).entries())
        await writer
          .insertInto("notes")
          .values({
            ...at,
            document_id: shown,
            page_number: 0,
            content: "",
            content_html: "",
            user_id: maria.id,
            access,
            title: access === "public" ? "for all" : "note secret",
            part: 524_288 + index,
          })
          .execute();
      await writer
        .insertInto("project_collaborators")
        .values({ project_id: inPublic, user_id: 2, access: "admin" })
        .execute();
      await writer
        .insertInto("document_history")
        .values({
          document_id: shown,
          at: at.created_at,
          user_id: 2,
          action: "changed",
          changes: '{"title":["history secret","A document"]}',
        })
        .execute();
      await writer
        .insertInto("mention_corrections")
        .values({ document_id: shown, kind: "email", value: "secret@example.org", becomes: null })
        .execute();
    });
    const selection = { user: null, project: null, isPublic: true };
    const outcome = await writeArchive(context, folder, { selection });
    expect(outcome).toMatchObject({ documents: 1, faults: [] });
    expect(outcome.leftOut.text()).toBe(
      "Left out: accounts of others (1), collaborators of projects (1), corrections of mentions (1), " +
        "documents that are not public (2), entries of histories (1), notes that are not public (2), projects that are not public (1)",
    );
    expect(await brokenRulesOf(folder)).toEqual([]);
    const files = await filesBelow(folder);
    const all = [...files.values()].map(String).join("\n");
    for (const secret of ["secret", "maria@example.org", '"user-2"']) expect(all).not.toContain(secret);
    await using to = await open(other);
    expect(await readArchive(to.context, folder)).toMatchObject({
      accounts: [],
      summary: "1 document in",
      notes: [],
    });
    const { reader } = to.context.database;
    expect(await reader.selectFrom("notes").select("title").execute()).toEqual([{ title: "for all" }]);
    expect(await reader.selectFrom("projects").select("title").execute()).toEqual([{ title: "Open" }]);
    expect(await reader.selectFrom("documents").select("id").execute()).toEqual([{ id: shown }]);
  });

  it("can be exported from a service whose files are in a bucket, and imported into another bucket", async () => {
    await using s3 = await startS3Server();
    await using from = await open(engine, { ...s3.environment, QUIRE_S3_PREFIX: "from" });
    const ids = await addFiles(from.context, 3);
    expect(await writeArchive(from.context, folder)).toMatchObject({ documents: 3, faults: [] });
    await using to = await open(other, { ...s3.environment, QUIRE_S3_PREFIX: "to" });
    expect(await readArchive(to.context, folder)).toMatchObject({ summary: "3 documents in" });
    const key = documentFileKey(ids[1] ?? 0, "a", "pdf");
    const [before, after] = [await from.context.files.read(key), await to.context.files.read(key)];
    if (before === null || after === null) throw new Error("the file is missing");
    expect(await textIn(after)).toBe(await textIn(before));
  });
});

/** The same store, which calls this function before each operation. */
function watched(
  files: FileStore,
  before: (method: "put" | "read" | "stat", key: string) => void | Promise<void>,
): FileStore {
  const store = Object.create(files) as FileStore;
  return Object.assign(store, {
    put: async (...[key, source]: Parameters<FileStore["put"]>) => {
      await before("put", key);
      return files.put(key, source);
    },
    read: async (...given: Parameters<FileStore["read"]>) => {
      await before("read", given[0]);
      return files.read(...given);
    },
    stat: async (key: string) => {
      await before("stat", key);
      return files.stat(key);
    },
  });
}

async function ownOrganization({ database }: Pick<Context, "database">): Promise<number> {
  const { id } = await database.write((writer) =>
    writer
      .insertInto("organizations")
      .values({ name: "Here", slug: "here", individual: false, created_at: "", updated_at: "" })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  return id;
}
