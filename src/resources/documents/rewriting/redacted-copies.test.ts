import { describe, expect, it, vi } from "vitest";
import { addProject } from "../../../testing/factories.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { addPerson } from "../../../testing/people.ts";
import type { Reply } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";

const record = (id: number): string => `/api/documents/${id}/`;
const copies = (id: number): string => `${record(id)}redacted_copies/`;

/** No larger than the lines need: every redacted page is drawn and recognised at 300 dots per inch. */
const pageSize = { width: 260, height: 125 };

const pdf = buildPdf({
  pages: [
    { ...pageSize, lines: ["The witness is Alexandrova"] },
    { ...pageSize, lines: ["The second page"] },
  ],
});

describe.each(engines)("redacted copies on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const worker = useWorker(app);

  const { send } = app;

  async function processed(values: object = {}, content: Uint8Array = pdf): Promise<number> {
    const fields = { title: "Minutes", source: "The archive", data: { topic: ["trial"] }, ...values };
    const { body } = await send(owner, "POST", "/api/documents/", fields);
    await fetch(body.presigned_url, { method: "PUT", body: content as NonNullable<RequestInit["body"]> });
    await send(owner, "POST", `${record(body.id)}process/`, {});
    await worker.drain();
    return body.id;
  }

  async function boxesFor(id: number, words: string): Promise<object[]> {
    const { body } = await send(owner, "GET", `${record(id)}mentions/?q=${words}`);
    return body.results.flatMap(({ page_number, mentions }: Reply["body"]) =>
      mentions.flatMap(({ boxes }: Reply["body"]) => boxes.map((box: object) => ({ ...box, page_number }))),
    );
  }

  const textOf = async (id: number): Promise<string> => {
    const { slug } = (await send(owner, "GET", record(id))).body;
    const answer = await app.fetch(`/files/documents/${id}/${slug}.txt`, { headers: owner.headers });
    return answer.text();
  };
  const fileOf = async (id: number): Promise<Buffer> => {
    const { slug } = (await send(owner, "GET", record(id))).body;
    const answer = await app.fetch(`/files/documents/${id}/${slug}.pdf`, { headers: owner.headers });
    return Buffer.from(await answer.arrayBuffer());
  };

  it("hide the words, and leave the original as it is", async () => {
    const id = await processed({ access: "public" });
    const before = [await fileOf(id), (await send(owner, "GET", record(id))).body] as const;
    const redactions = await boxesFor(id, "alexandrova");
    const { status, body } = await send(owner, "POST", copies(id), { redactions, access: "public" });
    expect(status).toBe(201);
    expect((await send(null, "GET", record(body.id))).status).toBe(404);
    await worker.drain();
    expect((await send(null, "GET", record(body.id))).body).toMatchObject({
      title: "Minutes (redacted)",
      source: "The archive",
      data: { topic: ["trial"] },
      status: "success",
      access: "public",
      page_count: 2,
    });
    expect(await textOf(body.id)).not.toContain("Alexandrova");
    expect(await textOf(body.id)).toContain("The second page");
    expect([await fileOf(id), (await send(owner, "GET", record(id))).body]).toEqual(before);
    const found = (await send(null, "GET", "/api/documents/search/?q=alexandrova")).body.results;
    expect(found.map((document: Reply["body"]) => document.id)).toContain(String(id));
    expect(found.map((document: Reply["body"]) => document.id)).not.toContain(String(body.id));
    expect((await send(null, "GET", copies(id))).body).toEqual({ original: null, copies: [body.id] });
    expect((await send(null, "GET", copies(body.id))).body).toEqual({ original: id, copies: [] });
    // A copy is a document like any other: it can be redacted itself.
    const again = await boxesFor(body.id, "second");
    await send(owner, "POST", `${record(body.id)}redactions/`, again);
    await worker.drain();
    expect((await send(owner, "GET", record(body.id))).body.status).toBe("success");
    expect(await textOf(body.id)).not.toContain("second");
    expect(await textOf(id)).toContain("second");
  });

  it("hide the numbers of a kind, whose places a request lists", async () => {
    const lines = ["Call +49 30 1234567", "or Alexandrova"];
    const id = await processed({}, buildPdf({ pages: [{ ...pageSize, lines }] }));
    const path = `${record(id)}mentions/`;
    expect(await send(owner, "GET", `${path}?kind=fax`)).toMatchObject({
      status: 400,
      body: { kind: ['"fax" is not a valid choice.'] },
    });
    expect((await send(stranger, "GET", `${path}?kind=phone`)).status).toBe(404);
    const { results } = (await send(owner, "GET", `${path}?kind=phone&q=alexandrova`)).body;
    expect(results).toMatchObject([{ page_number: 0, unplaced: 0, mentions: [{ text: "+49 30 1234567" }] }]);
    const redactions = [{ ...results[0].mentions[0].boxes[0], page_number: 0 }];
    const { body } = await send(owner, "POST", copies(id), { redactions });
    await worker.drain();
    expect(await textOf(body.id)).toContain("Alexandrova");
    expect(await textOf(body.id)).not.toMatch(/\d/);
  });

  it("hide the original from others if asked to, but not before the copy is there", async () => {
    const id = await processed({ access: "public" });
    const redactions = await boxesFor(id, "alexandrova");
    const wanted = { redactions, access: "public", original_access: "private", title: "For everyone" };
    const { body } = await send(owner, "POST", copies(id), wanted);
    expect((await send(null, "GET", record(id))).status).toBe(200);
    await worker.drain();
    expect((await send(null, "GET", record(id))).status).toBe(404);
    expect((await send(null, "GET", record(body.id))).body.title).toBe("For everyone");
    expect((await send(null, "GET", copies(body.id))).body).toEqual({ original: null, copies: [] });
    expect((await send(owner, "GET", copies(body.id))).body).toEqual({ original: id, copies: [] });
    const history = (await send(owner, "GET", `${record(id)}history/`)).body.results;
    expect(history[0]).toMatchObject({
      user: owner.id,
      changes: { access: { from: "public", to: "private" } },
    });
  });

  it("have no file and say why if the original changes before they are made, or if they are cancelled", async () => {
    const id = await processed();
    const redactions = await boxesFor(id, "alexandrova");
    await worker.stop();
    const made = [];
    for (let copy = 0; copy < 2; copy++)
      made.push((await send(owner, "POST", copies(id), { redactions })).body.id);
    const [late = 0, cancelled = 0] = made;
    expect((await send(owner, "DELETE", `${record(cancelled)}process/`)).status).toBe(200);
    await app.context.database.write((writer) =>
      writer
        .updateTable("documents")
        .set({ file_hash: "0".repeat(40) })
        .where("id", "=", id)
        .execute(),
    );
    worker.start();
    await worker.drain();
    for (const copy of made) {
      expect((await send(owner, "GET", record(copy))).body).toMatchObject({ status: "error", page_count: 0 });
      expect(await app.context.files.stat(`documents/${copy}/minutes-redacted.pdf`)).toBeNull();
    }
    const { results } = (await send(owner, "GET", `${record(late)}errors/`)).body;
    expect(results[0].message).toBe("The original document was changed or deleted in the meantime");
  });

  it("are in those projects of the original whose documents the person may change, and as hidden from searches", async () => {
    const mine = await addProject(app.context, {}, []);
    const theirs = await addProject(app.context, {}, []);
    const editor = await addPerson(app.context, {
      username: "editor",
      organizations: [1],
      projects: { [mine]: "edit", [theirs]: "view" },
    });
    const id = await processed({ access: "organization", noindex: true });
    await app.context.database.write((writer) =>
      writer
        .insertInto("project_memberships")
        .values([mine, theirs].map((project_id) => ({ project_id, document_id: id, edit_access: true })))
        .execute(),
    );
    const redactions = await boxesFor(id, "alexandrova");
    const { status, body } = await send(editor, "POST", copies(id), { redactions });
    expect(status).toBe(201);
    expect((await send(editor, "GET", record(body.id))).body).toMatchObject({
      projects: [mine],
      noindex: true,
    });
    await worker.drain();
  });

  it("are withheld if the original changes while they are made, and leave it hidden if it has been hidden", async () => {
    const id = await processed({ access: "public" });
    const redactions = await boxesFor(id, "alexandrova");
    const { ocr, database } = app.context;
    const meanwhile = (change: object): void => {
      vi.spyOn(ocr, "read").mockImplementationOnce(async (...parameters) => {
        await database.write((writer) =>
          writer.updateTable("documents").set(change).where("id", "=", id).execute(),
        );
        return ocr.read(...parameters);
      });
    };
    meanwhile({ access: "invisible" });
    const hidden = await send(owner, "POST", copies(id), { redactions, original_access: "private" });
    await worker.drain();
    expect((await send(owner, "GET", record(hidden.body.id))).body.status).toBe("success");
    expect((await send(owner, "GET", record(id))).status).toBe(404);
    await database.write((writer) =>
      writer.updateTable("documents").set({ access: "public" }).where("id", "=", id).execute(),
    );
    meanwhile({ file_hash: "0".repeat(40) });
    const { body } = await send(owner, "POST", copies(id), { redactions, access: "public" });
    await worker.drain();
    vi.restoreAllMocks();
    expect((await send(owner, "GET", record(body.id))).body).toMatchObject({
      status: "error",
      access: "private",
    });
  });

  it("are refused with all their faults, and to those who may not change the original", async () => {
    const id = await processed({ access: "public" });
    const redactions = await boxesFor(id, "alexandrova");
    const refused = [
      [{}, { redactions: ["This field is required."] }],
      [{ redactions: [] }, { redactions: ["This list may not be empty."] }],
      [{ redactions, access: "secret" }, { access: ['"secret" is not a valid choice.'] }],
      [{ redactions: [{ ...redactions[0], page_number: 7 }] }, { redactions: expect.anything() }],
    ] as const;
    for (const [body, expected] of refused)
      expect(await send(owner, "POST", copies(id), body)).toMatchObject({ status: 400, body: expected });
    expect((await send(stranger, "POST", copies(id), { redactions })).status).toBe(403);
    expect((await send(null, "POST", copies(id), { redactions })).status).toBe(403);
    await send(owner, "PATCH", record(id), { access: "private" });
    expect((await send(stranger, "POST", copies(id), { redactions })).status).toBe(404);
    expect((await send(stranger, "GET", copies(id))).status).toBe(404);
  });
});
