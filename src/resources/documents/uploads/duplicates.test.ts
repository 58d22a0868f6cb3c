import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { buildPdf } from "../../../testing/pdf.ts";
import type { Person } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";

const bytes = Buffer.from(buildPdf({ pages: [{ width: 612, height: 792, lines: ["Twice"] }] }));
const text = Buffer.from("A note that becomes a PDF");
const sha1 = (file: Uint8Array): string => createHash("sha1").update(file).digest("hex");
const address = (...hashes: string[]): string =>
  `/api/documents/duplicates/?${hashes.map((hash) => `sha1=${hash}`).join("&")}`;

describe.each(engines)("the duplicates of a file on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const member = app.person("member", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const worker = useWorker(app);

  async function upload(name: string, file: Buffer, access: string): Promise<number> {
    const form = new FormData();
    form.set("access", access);
    form.set("file", new Blob([new Uint8Array(file)]), name);
    const answer = await app.fetch("/api/documents/", { method: "POST", headers: owner.headers, body: form });
    return ((await answer.json()) as { id: number }).id;
  }
  const found = async (person: Person | null, ...hashes: string[]) =>
    (await sendAs(app, person, "GET", address(...hashes))).body.results.map(
      ({ document, count }: { document: number; count: number }) => [document, count],
    );

  it("are the documents with the same bytes that the viewer may see, the newest by name", async () => {
    const hash = sha1(bytes);
    expect(await found(owner, hash)).toEqual([]);
    const hidden = await upload("hidden.pdf", bytes, "private");
    expect([await found(owner, hash), await found(member, hash), await found(null, hash)]).toEqual([
      [[hidden, 1]],
      [],
      [],
    ]);
    const shared = await upload("shared.pdf", bytes, "organization");
    await worker.drain();
    expect([await found(owner, hash), await found(member, hash), await found(stranger, hash)]).toEqual([
      [[shared, 2]],
      [[shared, 1]],
      [],
    ]);
    await sendAs(app, owner, "PATCH", `/api/documents/${hidden}/`, { access: "public" });
    expect([await found(member, hash), await found(null, hash)]).toEqual([[[shared, 2]], [[hidden, 1]]]);
    const { body } = await sendAs(app, null, "GET", address(hash.toUpperCase()));
    expect(body.results).toEqual([
      {
        sha1: hash,
        count: 1,
        document: hidden,
        title: "hidden",
        status: expect.stringMatching(/^(?:success|pending|nofile|error)$/),
        canonical_url: expect.stringContaining("/documents/"),
      },
    ]);
    await sendAs(app, owner, "DELETE", `/api/documents/${shared}/`);
    expect(await found(member, hash)).toEqual([[hidden, 1]]);
  });

  it("are found by the file as it arrived, and by the PDF made from it", async () => {
    const id = await upload("note.txt", text, "private");
    await worker.drain();
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/`);
    expect(body.file_hash).not.toBe(sha1(text));
    expect(await found(owner, sha1(text), body.file_hash, "0".repeat(40))).toEqual([
      [id, 1],
      [id, 1],
    ]);
  });

  it("are found by the file as it arrived only by those who may change them", async () => {
    const file = Buffer.from("A note that everyone may read");
    const id = await upload("notice.txt", file, "public");
    await worker.drain();
    const { body } = await sendAs(app, null, "GET", `/api/documents/${id}/`);
    for (const person of [owner, member])
      expect(await found(person, sha1(file), body.file_hash)).toHaveLength(2);
    for (const person of [stranger, null]) {
      expect(await found(person, sha1(file))).toEqual([]);
      expect(await found(person, sha1(file), body.file_hash)).toEqual([[id, 1]]);
    }
  });

  it("need valid hashes, up to a hundred", async () => {
    const refused = async (target: string) => {
      const { status, body } = await sendAs(app, owner, "GET", target);
      return [status, body];
    };
    expect(await refused("/api/documents/duplicates/")).toEqual([400, { sha1: ["This field is required."] }]);
    expect(await refused(address("xyz"))).toEqual([400, { sha1: ["Must have 40 hexadecimal digits."] }]);
    const many = Array.from({ length: 101 }, (_, index) => String(index).padStart(40, "0"));
    expect(await refused(address(...many))).toEqual([400, { sha1: ["Must not have more than 100 values."] }]);
    expect(await found(owner, ...many.slice(1))).toEqual([]);
  });
});
