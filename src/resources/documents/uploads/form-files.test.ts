import { readdir, utimes, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type Person, addPerson, beginSession } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { defaultEngines, startAppOn, useApp } from "../../../testing/test-app.ts";
import { discardJob, makeDocumentOfFile, readDocumentOfFile } from "./document-of-file.ts";
import { Publisher } from "../record/publisher.ts";
import { runsOn } from "../../../testing/runs.ts";
import { runJobs } from "../../../testing/use-worker.ts";

const pdf = Buffer.from(buildPdf({ pages: [{ width: 612, height: 792, lines: ["Sent in one"] }] }));
const list = "/api/documents/";

type Part = [name: string, value: string | Blob, fileName?: string];

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, fileName);
  }
  return form;
}

const file = (name: string, bytes: Uint8Array = pdf): Part => [
  "file",
  new Blob([new Uint8Array(bytes)]),
  name,
];

describe.each(defaultEngines)("a file in a form on %s", (engine) => {
  const app = useApp(engine, { QUIRE_UPLOAD_LIMIT_MB: "1" });
  const owner = app.person("owner", { organizations: [1] });

  async function post(
    parts: readonly Part[],
    headers: Record<string, string> = owner.headers,
  ): Promise<Reply> {
    const answer = await app.fetch(list, { method: "POST", body: formOf(parts), headers });
    const text = await answer.text();
    return { status: answer.status, body: JSON.parse(text), headers: answer.headers };
  }

  /** Runs all queued jobs. */
  const work = (): Promise<void> => runJobs(app.context);

  const uploading = async (): Promise<string[]> => {
    const names = await readdir(path.join(app.context.config.data, "uploads"));
    return names.filter((name) => name !== "done");
  };
  const stored = (): Promise<string[]> =>
    readdir(path.join(app.context.config.data, "files"), { recursive: true });
  const count = async (): Promise<number> =>
    (await app.context.database.reader.selectFrom("documents").select("id").execute()).length;

  /** Runs an action that must leave nothing behind. */
  async function leavingNothing(action: () => Promise<void>): Promise<void> {
    const before = [await count(), await stored(), await jobs()];
    await action();
    expect([await count(), await stored(), await jobs()]).toEqual(before);
    expect(await uploading()).toEqual([]);
  }

  async function jobs(): Promise<object[]> {
    return app.context.database.reader.selectFrom("jobs").selectAll().execute();
  }

  it("creates the document, stores the file and processes it", async () => {
    const { status, body, headers } = await post([
      ["access", "public"],
      file("Council minutes.PDF"),
      ["source", "after the file"],
    ]);
    expect([status, body]).toMatchObject([
      201,
      { title: "Council minutes", slug: "council-minutes", status: "pending", access: "public" },
    ]);
    expect(body).toMatchObject({ source: "after the file", original_extension: "pdf", user: owner.id });
    expect(headers.get("location")).toBe(`${app.url}${list}${body.id}/`);
    await work();
    const record = await sendAs(app, owner, "GET", `${list}${body.id}/`);
    expect(record.body).toMatchObject({ status: "success", page_count: 1 });
    const got = await app.fetch(`/files/documents/${body.id}/council-minutes.pdf`);
    expect(Buffer.from(await got.arrayBuffer()).equals(pdf)).toBe(true);
    const receipts = await sendAs(app, owner, "GET", `${list}${body.id}/receipts/`);
    expect(receipts.body.results[0]).toMatchObject({ step: "received", bytes: pdf.length });
    expect([await uploading(), await jobs()]).toEqual([[], []]);
  });

  it("takes two transactions, and leaves no lock", async () => {
    const write = vi.spyOn(app.context.database, "write");
    expect((await post([file("two.pdf")])).status).toBe(201);
    const transactions = write.mock.calls.length;
    write.mockRestore();
    expect(transactions).toBe(2);
    expect(await app.context.database.reader.selectFrom("file_locks").selectAll().execute()).toEqual([]);
    await work();
  });

  it("prefers the fields of the form to the file's name", async () => {
    const { body } = await post([
      file("x.exe", Buffer.from("Plain.")),
      ["title", "Said"],
      ["original_extension", "txt"],
    ]);
    expect(body).toMatchObject({ title: "Said", original_extension: "txt", status: "pending" });
    await work();
  });

  it.each<[string, Part[], object]>([
    ["no known extension", [file("setup.exe")], { original_extension: ['"exe" is not a valid choice.'] }],
    ["no extension", [file("report")], { original_extension: ['"" is not a valid choice.'] }],
    [
      "a fault before and one after it",
      [["language", "klingon"], file("a.pdf"), ["access", "all"]],
      { language: ['"klingon" is not a valid choice.'], access: ['"all" is not a valid choice.'] },
    ],
    ["a project of someone else", [file("a.pdf"), ["projects", "77"]], { projects: [expect.any(String)] }],
    ["another file", [file("a.pdf"), file("b.pdf")], { file: [expect.stringContaining("a single file")] }],
    [
      "an address as well",
      [file("a.pdf"), ["file_url", "http://example.org/a.pdf"]],
      { file_url: [expect.any(String)] },
    ],
    ["nothing in it", [file("a.pdf", Buffer.alloc(0))], ["The file is empty."]],
  ])("refuses a file with %s, and leaves nothing", async (_what, parts, fault) => {
    await leavingNothing(async () => expect(await post(parts)).toMatchObject({ status: 400, body: fault }));
  });

  it("refuses a file or other fields that are too large", async () => {
    await leavingNothing(async () => {
      for (const size of [1024 * 1024 + 1, 3 * 1024 * 1024]) {
        expect((await post([file("a.pdf", Buffer.alloc(size))])).status).toBe(413);
      }
      const long = "x".repeat(1024 * 1024);
      expect((await post([file("a.pdf"), ["description", long], ["source", "x"]])).status).toBe(413);
      expect((await post(Array.from({ length: 1001 }, (_, index): Part => [`a${index}`, ""]))).status).toBe(
        413,
      );
    });
  });

  it("takes a file of the largest allowed size", async () => {
    const { status, body } = await post([file("large.txt", Buffer.alloc(1024 * 1024, "x"))]);
    expect(status).toBe(201);
    expect(await app.context.files.stat(`documents/${body.id}/original/large.txt`)).toMatchObject({
      size: 1024 * 1024,
    });
    await work();
  });

  it("creates a document without a file from a form without one", async () => {
    const nobodyChose: Part = ["file", new Blob([]), ""];
    for (const more of [[], [nobodyChose], [["file", "a text"] as Part]]) {
      const { status, body } = await post([["title", "Alone"], ...more]);
      expect([status, body.status]).toEqual([201, "nofile"]);
      expect(body.presigned_url).toContain("/uploads/documents/");
    }
  });

  it("checks the credentials and the session's CSRF token before it reads the file", async () => {
    const reader = await addPerson(app.context, { username: "reader", organizations: [1], mayWrite: false });
    const homeless = await addPerson(app.context, { username: "homeless" });
    const { cookie, "x-csrftoken": token } = await beginSession(app.context, owner);
    const take = vi.spyOn(app.context.uploads, "take");
    await leavingNothing(async () => {
      for (const headers of [{}, reader.headers, homeless.headers, { cookie }]) {
        expect((await post([file("a.pdf")], headers)).status).toBe(403);
      }
      expect((await post([file("a.pdf"), ["csrfmiddlewaretoken", token]], { cookie })).status).toBe(403);
    });
    expect(take).not.toHaveBeenCalled();
    take.mockRestore();
    for (const [parts, headers] of [
      [[["csrfmiddlewaretoken", token], file("a.pdf")], { cookie }],
      [[file("a.pdf")], { cookie, "x-csrftoken": token }],
    ] as [Part[], Record<string, string>][]) {
      expect((await post(parts, headers)).status).toBe(201);
    }
    await work();
  });

  it("keeps nothing of a file if its sender loses the right to upload meanwhile", async () => {
    const leaving = await addPerson(app.context, { username: "leaving", organizations: [1] });
    const take = vi.spyOn(app.context.uploads, "take").mockImplementationOnce(async function (bytes) {
      await app.context.database.write((writer) =>
        writer.updateTable("users").set({ is_active: false }).where("id", "=", leaving.id).execute(),
      );
      return app.context.uploads.take(bytes);
    });
    await leavingNothing(async () => {
      expect((await post([file("a.pdf")], leaving.headers)).status).toBe(403);
    });
    take.mockRestore();
  });

  it.each(["in its head", "in the file", "after the file"])(
    "leaves nothing when the connection breaks %s",
    async (where) => {
      const boundary = "x-x-x";
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`;
      const whole = Buffer.concat([
        Buffer.from(head),
        Buffer.alloc(200_000, "x"),
        Buffer.from(`\r\n--${boundary}\r\ncontent-disposition: form-data; name="title"\r\n\r\nnever`),
      ]);
      const end = { "in its head": 30, "in the file": 150_000, "after the file": whole.length }[where];
      const { hostname, port } = new URL(app.url);
      await leavingNothing(async () => {
        const socket = connect(Number(port), hostname);
        socket.write(
          `POST ${list} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${owner.headers.authorization}\r\n` +
            `content-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: 900000\r\n\r\n`,
        );
        socket.write(whole.subarray(0, end));
        if (where === "in its head") await new Promise((resolve) => setImmediate(resolve));
        else await vi.waitUntil(async () => (await uploading()).length > 0, 60_000);
        socket.destroy();
        await vi.waitUntil(async () => (await uploading()).length === 0, 60_000);
        expect((await app.fetch(list)).status).toBe(200);
      });
    },
  );

  async function send(bytes: Uint8Array, type: string): Promise<number> {
    const headers = { ...owner.headers, "content-type": type };
    return (await app.fetch(list, { method: "POST", body: new Uint8Array(bytes), headers })).status;
  }

  it("handles truncated and malformed forms, and leaves nothing", async () => {
    const whole = Buffer.from(
      '--b\r\ncontent-disposition: form-data; name="title"\r\n\r\nx\r\n--b\r\n' +
        'content-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nxyz\r\n--b--',
    );
    await leavingNothing(async () => {
      for (const type of [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=c",
      ]) {
        expect([type, await send(whole, type)]).toEqual([type, 400]);
      }
      const ends = fc.integer({ min: 0, max: whole.length - 3 });
      await fc.assert(
        fc.asyncProperty(ends, async (end) => {
          expect(await send(whole.subarray(0, end), "multipart/form-data; boundary=b")).toBe(400);
        }),
        { numRuns: runsOn(engine, 30) },
      );
    });
  });

  it("reports a full disk, and leaves nothing", async () => {
    const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    for (const spy of [
      () => vi.spyOn(app.context.uploads, "take").mockRejectedValueOnce(full),
      () => vi.spyOn(app.context.files, "put").mockRejectedValueOnce(full),
    ]) {
      await leavingNothing(async () => {
        const mocked = spy();
        expect((await post([file("a.pdf")])).status).toBe(507);
        mocked.mockRestore();
      });
    }
  });

  it("removes a half-created document later", async () => {
    const viewer = await viewerOf(owner);
    const { context } = app;
    await leavingNothing(async () => {
      const document = readDocumentOfFile(viewer, new Map(), "half.pdf");
      // This is the state if the process dies: the row exists, and nothing cleans up.
      const write = context.database.write.bind(context.database);
      const killed = vi.spyOn(context.database, "write");
      killed.mockImplementationOnce(write).mockRejectedValue(new Error("killed"));
      const publisher = new Publisher(context.database, { isReadOnly: false });
      const localFile = path.join(context.config.data, "half.pdf");
      await writeFile(localFile, pdf);
      await expect(makeDocumentOfFile(context, publisher, viewer, document, localFile)).rejects.toThrow(
        "killed",
      );
      killed.mockRestore();
      expect(await jobs()).toMatchObject([{ kind: discardJob }]);
      await context.database.write((writer) =>
        writer.updateTable("jobs").set({ due_at: "2000-01-01T00:00:00.000000Z" }).execute(),
      );
      await work();
      expect(await app.context.database.reader.selectFrom("file_locks").selectAll().execute()).toEqual([]);
    });
    const abandoned = path.join(context.config.data, "uploads", "abandoned");
    const arriving = path.join(context.config.data, "uploads", "arriving");
    await Promise.all([writeFile(abandoned, "x"), writeFile(arriving, "x")]);
    await utimes(abandoned, 0, Date.now() / 1000 - 4000);
    await using _again = await startAppOn(context.config);
    expect(await uploading()).toEqual(["arriving"]);
  });

  async function viewerOf({ id }: Person) {
    const { findKnownUser } = await import("../../users/viewer-store.ts");
    const found = await findKnownUser(app.context.database, { id });
    if (found === null) throw new Error("nobody");
    return { ...found.viewer, mayWrite: true, hasPersonalToken: false, csrfToken: null };
  }
});
