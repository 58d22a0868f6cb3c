import { createHash } from "node:crypto";
import { mkdtemp, readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type ArchiveOptions, exportArchive } from "../src/archive/export-archive.ts";
import { routes } from "../src/routes.ts";
import { exportedRecords } from "../src/resources/documents/record/export-documents.ts";
import { addBackup, openRepository } from "../src/testing/backups.ts";
import { addDocuments, addProject } from "../src/testing/factories.ts";
import { buildPdfWithFiles } from "../src/testing/inserted-files.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { selectionOn } from "../src/testing/runs.ts";
import { scanOf } from "../src/testing/scan.ts";
import { startS3Server } from "../src/testing/s3-server.ts";
import { engines, useApp, useStarted } from "../src/testing/test-app.ts";
import { useFolder } from "../src/testing/use-folder.ts";
import { useWorker } from "../src/testing/use-worker.ts";

/*
 * The hash of an unredacted file confirms a guess of what was redacted: guess, make the file, hash it, compare. So
 * after a redaction, only those who may change the document may learn any hash or tag of the file as it was.
 */

const never = new AbortController().signal;
const wholePage = { x1: 0, x2: 1, y1: 0, y2: 1, page_number: 0 };
const names = ["viewer", "anonymous", "stranger", "administrator"];
const pdf = Buffer.from(buildPdf({ pages: [{ width: 480, height: 250, lines: ["The code is", "4711"] }] }));
/** A file that is attached to a PDF, and a document of its own until the PDF is redacted. */
const attached = "The code is 4711";
const withFiles = buildPdfWithFiles({ attached: { "code.txt": attached } });
/** The file of a document that is not a PDF, no larger than its line. */
const image = await scanOf(["The code is 4711"], { width: 200, height: 100 });

/** Each hash of the bytes in every form in which an answer may have it. */
function hashesOf(bytes: Uint8Array): string[] {
  return ["sha1", "sha256", "md5"].flatMap((algorithm) => {
    const digest = createHash(algorithm).update(bytes).digest();
    return [digest.toString("hex"), unpadded(digest.toString("base64")), digest.toString("base64url")];
  });
}

const unpadded = (digest: string): string => digest.replaceAll("=", "");
const sha1Of = (bytes: Uint8Array): string => createHash("sha1").update(bytes).digest("hex");

interface Redacted {
  id: number;
  slug: string;
  access: string;
  /** The SHA-1 of the file as it arrived. */
  received: string;
  /** The hashes and tags of the files that it had before. */
  secrets: readonly string[];
  /** The SHA-1 of each of those files. */
  hashes: readonly string[];
  tags: readonly { name: string; etag: string }[];
}

/** A stream that ends after minutes, of the events that `/api/events/` lists. */
const endlessPath = "/api/events/stream/";

describe.each(engines)("the hashes of files before their redaction, on %s", (engine) => {
  const store = engine === "postgres" ? useStarted(startS3Server) : null;
  const app = useApp(engine, () => store?.environment ?? {});
  const worker = useWorker(app);
  const folders = useFolder("hashes");
  let owner: Person;
  let others: Readonly<Record<string, Person | null>>;
  let project: number;
  let documents: Redacted[];
  beforeAll(async () => {
    await addDocuments(app.context, []);
    project = await addProject(app.context, {}, []);
    owner = await addPerson(app.context, {
      username: "owner",
      organizations: [1],
      projects: { [project]: "admin" },
    });
    others = {
      anonymous: null,
      stranger: await addPerson(app.context, { username: "stranger", organizations: [2] }),
      viewer: await addPerson(app.context, { username: "viewer", projects: { [project]: "view" } }),
      administrator: await addPerson(app.context, { username: "boss", isAdministrator: true }),
    };
    documents = [];
    for (const [name, file, access] of [
      ["told.pdf", pdf, "public"],
      ["files.pdf", withFiles, "public"],
      ["note.png", image, "private"],
    ] as const)
      documents.push(await redacted(name, file, access));
  });

  const fileOf = async (id: number, name: string): Promise<Response> =>
    app.fetch(`/files/documents/${id}/${name}`, { headers: owner.headers });

  async function redacted(name: string, file: Buffer, access: string): Promise<Redacted> {
    const form = new FormData();
    form.set("access", access);
    form.set("file", new Blob([new Uint8Array(file)]), name);
    const answer = await app.fetch("/api/documents/", { method: "POST", headers: owner.headers, body: form });
    const { id, slug } = (await answer.json()) as { id: number; slug: string };
    await worker.drain();
    await sendAs(app, owner, "POST", `/api/projects/${project}/documents/`, {
      document: id,
      edit_access: true,
    });
    const secrets = file === withFiles ? hashesOf(Buffer.from(attached)) : [];
    const hashes = file === withFiles ? [sha1Of(Buffer.from(attached))] : [];
    const tags: { name: string; etag: string }[] = [];
    const note = async (asset: string): Promise<void> => {
      const before = await fileOf(id, asset);
      const etag = before.headers.get("etag") ?? "";
      const bytes = Buffer.from(await before.arrayBuffer());
      secrets.push(...hashesOf(bytes), etag.replaceAll('"', ""));
      hashes.push(sha1Of(bytes));
      tags.push({ name: asset, etag });
    };
    await note(`${slug}.pdf`);
    if (!name.endsWith(".pdf")) {
      await note(`original/${name}`);
      // The history then has the hash of the file that was rotated.
      const pages = [{ page: "0", modifications: [{ type: "rotate", angle: "hw" }] }];
      await sendAs(app, owner, "POST", `/api/documents/${id}/modifications/`, pages);
      await worker.drain();
      await note(`${slug}.pdf`);
    }
    expect(hashes).toContain(sha1Of(file));
    await sendAs(app, owner, "POST", `/api/documents/${id}/redactions/`, [wholePage]);
    await worker.drain();
    const record = (await sendAs(app, owner, "GET", `/api/documents/${id}/`)).body;
    expect([record.status, hashes.includes(record.file_hash)]).toEqual(["success", false]);
    return { id, slug, access, received: sha1Of(file), secrets, hashes, tags };
  }

  const found = async (person: Person | null, hashes: readonly string[]): Promise<unknown> =>
    (
      await sendAs(
        app,
        person,
        "GET",
        `/api/documents/duplicates/?${hashes.map((one) => `sha1=${one}`).join("&")}`,
      )
    ).body.results;

  /** Documents that the person may not change. Administrators may change every document that they see. */
  const othersFor = (name: string): Redacted[] =>
    documents.filter(({ access }) => name !== "administrator" || access !== "public");
  const secretsIn = (content: string, among = documents): string[] => {
    const folded = content.toLowerCase();
    return among.flatMap(({ secrets }) => secrets).filter((secret) => folded.includes(secret.toLowerCase()));
  };

  /** The address with the ids of a document, and names for what has none. */
  function filled(address: string, { id, slug }: Redacted): string[] {
    const parts: Record<string, string> = {
      "page.json": "1.json",
      key: "k",
      user: String(owner.id),
      name: `${project}-x`,
    };
    const isOfProject = /^\/(api\/)?projects\//.test(address);
    const target = address.replaceAll(/:([a-z]+(?:\.json)?)/g, (_all, name: string) =>
      name === "id"
        ? String(isOfProject ? project : id)
        : (parts[name] ?? (name === "document" ? String(id) : "1")),
    );
    if (!target.endsWith("*")) return [target];
    const inFolder = target.startsWith("/documents/")
      ? [`${id}-${slug}/`]
      : [`${slug}.pdf`, `original/${slug}.png`, `${slug}.txt`, `${slug}.txt.json`].concat(
          [".txt", ".position.json", "-normal.gif"].map((end) => `pages/${slug}-p1${end}`),
        );
    return inFolder.map((name) => target.slice(0, -1) + name);
  }

  it.each(selectionOn(engine, names))("are in no answer to a reader: %s", async (name) => {
    const person = others[name] ?? null;
    const mine = othersFor(name);
    const targets = mine.flatMap((document) =>
      routes.flatMap(([addresses]) =>
        addresses
          .filter((address) => address !== endlessPath)
          .flatMap((address) => filled(address, document)),
      ),
    );
    const queries = mine.flatMap(({ id }) => [
      `/api/documents/${id}/?expand=~all`,
      `/api/documents/?expand=~all`,
      `/api/documents/search/?q=id:${id}`,
      `/api/documents/zip/?id__in=${id}`,
      `/api/documents/process/events/?id__in=${id}`,
    ]);
    let readable = 0;
    for (const target of new Set([...targets, ...queries]))
      for (const accept of ["application/json", "text/html"]) {
        const answer = await app.fetch(target, {
          headers: { ...person?.headers, accept },
          redirect: "manual",
        });
        const headers = JSON.stringify([...answer.headers]);
        const body = Buffer.from(await answer.arrayBuffer()).toString("latin1");
        expect([target, accept, secretsIn(headers + body, mine)]).toEqual([target, accept, []]);
        if (answer.ok) readable += 1;
      }
    expect(readable).toBeGreaterThan(20);
  });

  it.each(names)("are not confirmed to a reader: %s", async (name) => {
    const person = others[name] ?? null;
    const mine = othersFor(name);
    expect(
      await found(
        person,
        mine.flatMap(({ hashes }) => hashes),
      ),
    ).toEqual([]);
    for (const { id, tags } of mine)
      for (const { name: file, etag } of tags) {
        const headers = { ...person?.headers, "if-none-match": etag };
        expect((await app.fetch(`/files/documents/${id}/${file}`, { headers })).status).not.toBe(304);
      }
  });

  it("find the document for those who may change it, whose old file would publish what was redacted", async () => {
    for (const { id, received } of documents)
      expect(await found(owner, [received])).toMatchObject([{ sha1: received, document: id, count: 1 }]);
  });

  it("are in no file that others get: an export, an archive of public documents or of a project", async () => {
    const baseUrls = { web: app.url, assets: `${app.url}/files/` };
    let records = "";
    for await (const { text: lines } of exportedRecords(app.context.database, baseUrls)) records += lines;
    expect([records.split("\n").length - 1, secretsIn(records)]).toEqual([documents.length, []]);
    for (const selection of [
      { user: null, project: null, isPublic: true },
      { user: null, project, isPublic: false },
      { user: others["stranger"]?.id ?? 0, project, isPublic: false },
    ])
      expect(secretsIn(await archiveOf(selection))).toEqual([]);
    // The owner's own archive keeps them, so that an import finds the documents of files that arrived before.
    const own = await archiveOf({ user: owner.id, project: null, isPublic: false });
    expect(secretsIn(own)).toEqual(expect.arrayContaining(documents.map(({ received }) => received)));
  });

  it("do not name the files of a backup that is made afterwards", async () => {
    const folder = path.join(folders, "backup");
    await addBackup(app.context, await openRepository(app.context.config, { folder }));
    const listing = (await readdir(folder, { recursive: true })).join("\n");
    expect(listing.split("\n").length).toBeGreaterThan(documents.length);
    expect(secretsIn(`${listing}\n${listing.replaceAll("/", "")}`)).toEqual([]);
  });

  /** The names and the content of all files of an archive of these documents. */
  async function archiveOf(selection: ArchiveOptions["selection"]): Promise<string> {
    const folder = await mkdtemp(path.join(folders, "archive-"));
    const baseUrls = { web: app.url, assets: `${app.url}/files/` };
    await exportArchive(app.context, {
      folder,
      selection,
      baseUrls,
      agent: "Quire",
      signal: never,
      progress: () => undefined,
    });
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
    const contents = await Promise.all(files.map((file) => readFile(file, "latin1")));
    return [...files, ...contents].join("\n");
  }
});
