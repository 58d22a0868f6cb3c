import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { type Entry, type ZipFile, fromBuffer } from "yauzl";
import { documentFileKey } from "../../../files/keys.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";

/** The names in an archive, with the beginning of each file. */
async function unpacked(archive: Uint8Array): Promise<Record<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(Buffer.from(archive), { lazyEntries: false }, (error, file) =>
      error ? reject(error) : resolve(file),
    );
  });
  const names: string[] = [];
  const reading: Promise<string>[] = [];
  zip.on("entry", (entry: Entry) => {
    reading.push(
      new Promise((resolve, reject) => {
        zip.openReadStream(entry, (error, stream) => {
          if (error) reject(error);
          else resolve(text(stream));
        });
      }),
    );
    names.push(entry.fileName);
  });
  await once(zip, "end");
  const contents = await Promise.all(reading);
  return Object.fromEntries(names.map((name, index) => [name, contents[index]?.slice(0, 200) ?? ""]));
}

const address = (ids: readonly number[]): string => `/api/documents/zip/?id__in=${ids.join(",")}`;
const leftOut = "you may not see it, or it does not exist";

describe.each(defaultEngines)("an archive of originals on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });

  /** Adds documents of the owner with their originals; `null` is a document without a file. */
  async function add(
    documents: { title: string; access?: string; extension?: string; bytes: Buffer | null }[],
  ): Promise<number[]> {
    const rows = documents.map(({ title, access = "public", extension = "pdf" }) => ({
      title,
      slug: "file",
      access,
      user_id: owner.id,
      organization_id: 1,
      original_extension: extension,
    }));
    const ids = await addDocuments(app.context, rows);
    for (const [index, { bytes, extension = "pdf" }] of documents.entries())
      if (bytes !== null)
        await app.context.files.put(
          documentFileKey(ids[index] ?? 0, "file", extension),
          Readable.from([bytes]),
        );
    return ids;
  }
  const asked = (person: Person | null, ids: readonly number[], method = "GET"): Promise<Response> =>
    app.fetch(address(ids), { method, headers: { ...person?.headers } });
  const archiveFor = async (person: Person | null, ids: readonly number[]): Promise<Record<string, string>> =>
    unpacked(new Uint8Array(await (await asked(person, ids)).arrayBuffer()));

  it("has the originals under their titles, and lists what the viewer may not see or what has no file", async () => {
    const [one = 0, two = 0, three = 0, hidden = 0, empty = 0] = await add([
      { title: "Minutes", bytes: Buffer.from("first") },
      { title: "minutes", bytes: Buffer.from("second") },
      { title: "../Budget/2024", extension: "xlsx", bytes: Buffer.from("third") },
      { title: "Secret", access: "private", bytes: Buffer.from("secret") },
      { title: "Nothing", bytes: null },
    ]);
    const ids = [one, two, three, hidden, empty, 999_999];
    const files = { "Minutes.pdf": "first", "minutes (2).pdf": "second", "_Budget_2024.xlsx": "third" };
    expect(await archiveFor(owner, ids)).toEqual({
      ...files,
      "Secret.pdf": "secret",
      "Left out.txt": `2 of 6 documents are not in this archive:\n\n${empty}: its file is not here\n999999: ${leftOut}\n`,
    });
    for (const person of [stranger, null])
      expect(await archiveFor(person, ids)).toEqual({
        ...files,
        "Left out.txt": `3 of 6 documents are not in this archive:\n\n${hidden}: ${leftOut}\n${empty}: its file is not here\n999999: ${leftOut}\n`,
      });
    expect(Object.keys(await archiveFor(owner, [one, one]))).toEqual(["Minutes.pdf"]);
  });

  it("leaves out what is hidden while it is sent, and everything once the account is closed", async () => {
    // More than the buffers between server and client hold.
    const large = Buffer.alloc(24 * 1024 * 1024, "x");
    const [first = 0, second = 0] = await add([
      { title: "Large", access: "organization", bytes: large },
      { title: "Small", access: "organization", bytes: Buffer.from("small") },
    ]);
    const member = await addPerson(app.context, { username: "member", organizations: [1] });
    const hiding = await asked(member, [first, second]);
    await sendAs(app, owner, "PATCH", `/api/documents/${second}/`, { access: "private" });
    const closing = await asked(member, [first, second]);
    const unbegun = await unpacked(new Uint8Array(await hiding.arrayBuffer()));
    expect(Object.keys(unbegun)).toEqual(["Large.pdf", "Left out.txt"]);
    await sendAs(app, owner, "PATCH", `/api/documents/${second}/`, { access: "organization" });
    await app.context.database.write((writer) =>
      writer.updateTable("users").set({ is_active: false }).where("id", "=", member.id).execute(),
    );
    const closed = await unpacked(new Uint8Array(await closing.arrayBuffer()));
    expect(closed["Left out.txt"]).toContain(`${second}: ${leftOut}`);
  });

  it("stops reading when the client leaves, and makes room for the next archive", async () => {
    const [large = 0] = await add([{ title: "Large", bytes: Buffer.alloc(24 * 1024 * 1024, "x") }]);
    for (let round = 1; round <= 6; round++) {
      const leaving = new AbortController();
      const options = { headers: owner.headers, signal: leaving.signal };
      // Each client may have four archives at a time: the server notices only after a moment that one has left.
      const answer = await expect
        .poll(async () => (await app.fetch(address([large]), options)).status, { timeout: 60_000 })
        .toBe(200)
        .then(() => leaving);
      answer.abort();
    }
  });

  it("refuses a request without ids, with too many, or with another method", async () => {
    expect((await app.fetch("/api/documents/zip/")).status).toBe(400);
    const many = Array.from({ length: 1001 }, (_, index) => index + 1);
    expect((await asked(owner, many)).status).toBe(400);
    expect((await asked(owner, [1], "DELETE")).status).toBe(405);
    const head = await asked(owner, [1], "HEAD");
    expect([head.status, head.headers.get("content-type"), head.headers.get("content-disposition")]).toEqual([
      200,
      "application/zip",
      'attachment; filename="documents.zip"',
    ]);
  });
});
