import { randomBytes, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, readdir, utimes, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import * as fc from "fast-check";
import { Upload } from "tus-js-client";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { Gate } from "../../../testing/gate.ts";
import { type Person, addPerson, beginSession } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { sendAs } from "../../../testing/requests.ts";
import { TusHand, tusEndpoint, tusMetadata } from "../../../testing/tus-hand.ts";
import { serveOn } from "../../../testing/served.ts";
import { defaultEngines, engines, startAppOn, testStorage, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { changeActive } from "../../users/change-account.ts";
import { isInFull, runsOn } from "../../../testing/runs.ts";

const pdf = Buffer.from(buildPdf({ pages: [{ width: 612, height: 792, lines: ["Sent in parts"] }] }));
const list = "/api/documents/";

describe.each(engines)("resumable uploads on %s", (engine) => {
  const app = useApp(engine, { QUIRE_UPLOAD_LIMIT_MB: "1", QUIRE_UNFINISHED_UPLOADS: "3" });
  let hand: TusHand;
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const worker = useWorker(app);
  beforeAll(async () => {
    hand = new TusHand(app, owner.headers);
  });

  const folder = (): string => path.join(app.context.config.data, "uploads");
  /** The notes of all uploads, as they are stored. */
  const notes = async (): Promise<string> => {
    const names = await readdir(folder(), { recursive: true });
    const files = names.filter((name) => name.endsWith(".json"));
    return (await Promise.all(files.map((name) => readFile(path.join(folder(), name), "utf8")))).join();
  };
  const count = async (): Promise<number> =>
    (await app.context.database.reader.selectFrom("documents").select("id").execute()).length;
  const bytesOf = async (id: number): Promise<Buffer> => {
    const { body } = await sendAs(app, owner, "GET", `${list}${id}/`);
    const ending = body.original_extension === "pdf" ? "" : "original/";
    const key = `documents/${id}/${ending}${body.slug}.${body.original_extension}`;
    const chunks: Buffer[] = [];
    for await (const chunk of (await app.context.files.read(key)) ?? []) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };

  it("become the file of a document that waits for one", async () => {
    const made = await sendAs(app, owner, "POST", list, { title: "Waits" });
    const { id } = made.body;
    const target = await hand.begun(pdf.length, { document: String(id) });
    const last = await hand.append(target, 0, pdf);
    expect(last.headers.get("quire-document")).toBe(String(id));
    await worker.drain();
    expect((await sendAs(app, owner, "GET", `${list}${id}/`)).body.status).toBe("success");
    for (const [person, other, fault] of [
      [owner, id, "It has its file already."],
      [owner, 99_999, 'Invalid pk "99999" - object does not exist.'],
      [stranger, id, `Invalid pk "${id}" - object does not exist.`],
    ] as const) {
      const refused = await new TusHand(app, person.headers).begin(9, { document: String(other) });
      expect([refused.status, await refused.json()]).toEqual([400, { document: [fault] }]);
    }
  });

  it("are refused and removed if their document has got its file in the meantime", async () => {
    const { id } = (await sendAs(app, owner, "POST", list, { title: "Contested" })).body;
    const [one, other] = [
      await hand.begun(pdf.length, { document: String(id) }),
      await hand.begun(pdf.length, { document: String(id) }),
    ];
    expect((await hand.append(one, 0, pdf)).status).toBe(204);
    const late = await hand.append(other, 0, pdf);
    expect([late.status, await late.json()]).toEqual([400, { document: ["It has its file already."] }]);
    expect((await hand.head(other)).status).toBe(404);
    await worker.drain();
  });

  it("are finished once, however many requests arrive at the same time", async () => {
    const target = await hand.begun(pdf.length);
    await writeFile(path.join(folder(), path.basename(target)), pdf);
    const before = await count();
    const answers = await Promise.all([1, 2, 3].map(() => hand.head(target)));
    expect(new Set(answers.map(({ headers }) => headers.get("quire-document"))).size).toBe(1);
    expect(await count()).toBe(before + 1);
    await worker.drain();
  });

  it("are finished by the next request if a process died while finishing them", async () => {
    for (const when of ["before the file", "after the start", "before the row"]) {
      const target = await hand.begun(pdf.length);
      const name = path.basename(target);
      const before = await count();
      const { uploads, files } = app.context;
      const killed = new Error("killed");
      const write = uploads.write.bind(uploads);
      const spies =
        when === "before the file"
          ? [vi.spyOn(files, "put").mockRejectedValueOnce(killed)]
          : when === "before the row"
            ? [vi.spyOn(uploads, "find").mockRejectedValueOnce(killed)]
            : [vi.spyOn(uploads, "write").mockImplementationOnce(write).mockRejectedValueOnce(killed)];
      if (when === "before the row") await writeFile(uploads.pathOf(name), pdf);
      expect(
        (when === "before the row" ? await hand.head(target) : await hand.append(target, 0, pdf)).status,
      ).toBe(500);
      for (const spy of spies) spy.mockRestore();
      const found = await hand.head(target);
      expect([when, found.status, await count()]).toEqual([when, 200, before + 1]);
      expect((await bytesOf(Number(found.headers.get("quire-document")))).equals(pdf)).toBe(true);
      await worker.drain();
    }
  });

  // The protocol and the files of uploads, which no engine can change.
  if (!isInFull(engine)) return;

  /** Two people, of whom the id of the second begins with the id of the first. */
  async function namesakes(): Promise<[TusHand, TusHand]> {
    const people = [owner, stranger];
    for (;;) {
      for (const short of people) {
        const long = people.find(({ id }) => id > short.id && String(id).startsWith(String(short.id)));
        if (long !== undefined) return [new TusHand(app, short.headers), new TusHand(app, long.headers)];
      }
      const username = `namesake-${people.length}`;
      people.push(await addPerson(app.context, { username, organizations: [1] }));
    }
  }

  it("end when the account that began them is closed, like a file in a form", async () => {
    const leaver = await addPerson(app.context, {
      username: "leaver",
      organizations: [1],
      password: "a long password",
    });
    const theirs = new TusHand(app, leaver.headers);
    const target = await theirs.begun(pdf.length, { filename: "Left.pdf" });
    expect((await theirs.append(target, 0, pdf.subarray(0, 100))).status).toBe(204);
    await changeActive(app.context, "leaver", false);
    const before = await count();
    expect((await theirs.append(target, 100, pdf.subarray(100))).status).toBe(403);
    const form = new FormData();
    form.set("title", "Left");
    form.set("file", new Blob([pdf]), "left.pdf");
    const sent = await app.fetch(list, { method: "POST", headers: leaver.headers, body: form });
    expect([sent.status, await count()]).toEqual([403, before]);
  });

  it("are not the file of a document that their sender may no longer change when the file is stored", async () => {
    const project = await addProject(app.context, {}, []);
    const editor = await addPerson(app.context, { username: "editor", projects: { [project]: "edit" } });
    const { id } = (await sendAs(app, owner, "POST", list, { title: "Shared" })).body;
    await app.context.database.write((writer) =>
      writer
        .insertInto("project_memberships")
        .values({ project_id: project, document_id: id, edit_access: true })
        .execute(),
    );
    const theirs = new TusHand(app, editor.headers);
    const target = await theirs.begun(pdf.length, { document: String(id) });
    const { files, database } = app.context;
    const put = vi.spyOn(files, "put").mockImplementationOnce(async (...parameters) => {
      // A public document is changed by its owner and the owner's organization alone.
      await database.write((writer) =>
        writer.updateTable("documents").set({ access: "public" }).where("id", "=", id).execute(),
      );
      return files.put(...parameters);
    });
    expect((await theirs.append(target, 0, pdf)).status).toBe(403);
    put.mockRestore();
    expect((await sendAs(app, editor, "GET", `${list}${id}/`)).body.status).toBe("nofile");
    expect((await theirs.head(target)).status).toBe(404);
  });

  it("replace the file of a document that has one, if they are told to", async () => {
    const first = await hand.begun(pdf.length, { filename: "First.pdf" });
    const answer = await hand.append(first, 0, pdf);
    const id = Number(answer.headers.get("quire-document"));
    await worker.drain();
    const other = Buffer.from(buildPdf({ pages: [{ width: 500, height: 700, lines: ["Sent later"] }] }));
    const metadata = { filename: "Other.pdf", document: String(id), replace: "true" };
    const refused = await new TusHand(app, stranger.headers).begin(other.length, metadata);
    expect([refused.status, (await hand.begin(9, { ...metadata, filename: "x.exe" })).status]).toEqual([
      404, 400,
    ]);
    const target = await hand.begun(other.length, metadata);
    await hand.append(target, 0, other.subarray(0, 100));
    const last = await hand.append(target, 100, other.subarray(100));
    expect([last.status, last.headers.get("quire-document")]).toEqual([204, String(id)]);
    await worker.drain();
    expect((await sendAs(app, owner, "GET", `${list}${id}/`)).body).toMatchObject({
      title: "First",
      status: "success",
      page_spec: "500.00x700.00:0",
    });
    expect((await bytesOf(id)).equals(other)).toBe(true);
    expect((await hand.head(target)).headers.get("quire-document")).toBe(String(id));

    const locked = Buffer.from(
      buildPdf({
        pages: [{ width: 400, height: 600, lines: ["Sent locked"] }],
        encrypted: { kind: "aes-256", userPassword: "the word" },
      }),
    );
    const tooLong = await hand.begin(9, { ...metadata, password: "x".repeat(256) });
    expect([tooLong.status, await tooLong.json()]).toEqual([400, { password: [expect.any(String)] }]);
    const opened = await hand.begun(locked.length, { ...metadata, password: "the word" });
    await hand.append(opened, 0, locked.subarray(0, 100));
    expect((await hand.head(opened)).headers.get("upload-metadata")).not.toContain("password");
    expect(await notes()).toMatch(/sealedPassword/);
    expect(await notes()).not.toMatch(/the word|dGhlIHdvcmQ/);
    await hand.append(opened, 100, locked.subarray(100));
    expect(await notes()).not.toMatch(/sealedPassword/);
    await worker.drain();
    expect((await sendAs(app, owner, "GET", `${list}${id}/`)).body).toMatchObject({
      status: "success",
      page_spec: "400.00x600.00:0",
    });
  });

  it("become documents, which the response to the last part names", async () => {
    const target = await hand.begun(pdf.length, {
      filename: "In Parts.PDF",
      access: "public",
      data: '{"a":["b"]}',
    });
    const first = await hand.append(target, 0, pdf.subarray(0, 100));
    expect([first.status, first.headers.get("upload-offset"), first.headers.get("quire-document")]).toEqual([
      204,
      "100",
      null,
    ]);
    expect(Date.parse(first.headers.get("upload-expires") ?? "")).toBeGreaterThan(
      Date.now() + 23 * 3_600_000,
    );
    const head = await hand.head(target);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      "upload-offset": "100",
      "upload-length": String(pdf.length),
      "tus-resumable": "1.0.0",
      "cache-control": "no-store",
    });
    const last = await hand.append(target, 100, pdf.subarray(100));
    const id = Number(last.headers.get("quire-document"));
    expect([last.status, last.headers.get("location")]).toEqual([204, `${app.url}${list}${id}/`]);
    await worker.drain();
    expect((await sendAs(app, owner, "GET", `${list}${id}/`)).body).toMatchObject({
      title: "In Parts",
      access: "public",
      data: { a: ["b"] },
      status: "success",
      page_count: 1,
      user: owner.id,
    });
    expect((await bytesOf(id)).equals(pdf)).toBe(true);
    // A client that missed that response gets it again, and nothing is created twice.
    const before = await count();
    const again = await hand.head(target);
    expect([again.headers.get("upload-offset"), again.headers.get("quire-document")]).toEqual([
      String(pdf.length),
      String(id),
    ]);
    const nothing = await hand.append(target, pdf.length, new Uint8Array());
    expect([nothing.status, nothing.headers.get("quire-document")]).toEqual([204, String(id)]);
    expect((await hand.append(target, pdf.length, pdf)).status).toBe(413);
    expect(await count()).toBe(before);
  });

  it("can be sent in the request that begins them", async () => {
    const headers = {
      "upload-length": String(pdf.length),
      "upload-metadata": tusMetadata({ filename: "one.pdf" }),
      "content-type": "application/offset+octet-stream",
    };
    const answer = await hand.send("POST", tusEndpoint, headers, pdf);
    expect([answer.status, answer.headers.get("upload-offset")]).toEqual([201, String(pdf.length)]);
    const { pathname } = new URL(answer.headers.get("location") ?? "");
    expect(pathname).toMatch(/^\/uploads\/tus\/[\w-]+$/);
    expect((await hand.head(pathname)).headers.get("quire-document")).toBe(
      answer.headers.get("quire-document"),
    );
    expect((await bytesOf(Number(answer.headers.get("quire-document")))).equals(pdf)).toBe(true);
    await worker.drain();
  });

  it("do not begin if their first request is refused: the client never learns their address", async () => {
    const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    const send = (length: number): Promise<Response> =>
      hand.send(
        "POST",
        tusEndpoint,
        {
          "upload-length": String(length),
          "upload-metadata": tusMetadata({ filename: "refused.pdf" }),
          "content-type": "application/offset+octet-stream",
        },
        pdf,
      );
    const before = [await readdir(folder()), await count()];
    expect((await send(1)).status).toBe(413);
    const append = vi.spyOn(app.context.uploads, "append").mockRejectedValueOnce(full);
    expect((await send(pdf.length)).status).toBe(507);
    append.mockRestore();
    const put = vi.spyOn(app.context.files, "put").mockRejectedValueOnce(full);
    expect((await send(pdf.length)).status).toBe(507);
    put.mockRestore();
    expect([await readdir(folder()), await count()]).toEqual(before);
  });

  it.each<[string, number, Record<string, string>, number, object]>([
    [
      "an unsupported file type",
      9,
      { filename: "a.exe" },
      400,
      { original_extension: ['"exe" is not a valid choice.'] },
    ],
    [
      "a fault in a field",
      9,
      { filename: "a.pdf", access: "all" },
      400,
      { access: ['"all" is not a valid choice.'] },
    ],
    ["foreign projects", 9, { filename: "a.pdf", projects: "7,8" }, 400, { projects: [expect.any(String)] }],
    ["no document's id", 9, { document: "x" }, 400, { document: [expect.any(String)] }],
    ["an empty file", 0, { filename: "a.pdf" }, 400, ["The file is empty."]],
    ["too large a file", 1024 * 1024 + 1, { filename: "a.pdf" }, 413, { detail: "Maximum size exceeded" }],
  ])("refuse %s before any byte", async (_what, size, values, status, body) => {
    const answer = await hand.begin(size, values);
    expect([answer.status, await answer.json()]).toEqual([status, body]);
    expect(answer.headers.get("tus-resumable")).toBe("1.0.0");
  });

  it("refuse requests that the protocol refuses", async () => {
    const target = await hand.begun(10);
    expect((await hand.append(target, 3, Buffer.from("abc"))).status).toBe(409);
    expect((await hand.append(target, 0, Buffer.alloc(11))).status).toBe(413);
    expect(await hand.offset(target)).toBe(0);
    const withoutVersion = await app.fetch(target, { method: "HEAD", headers: owner.headers });
    expect(withoutVersion.status).toBe(412);
    expect((await hand.send("POST", tusEndpoint, { "upload-defer-length": "1" })).status).toBe(400);
    expect((await hand.send("POST", tusEndpoint, {})).status).toBe(400);
    expect((await hand.send("PATCH", target, { "upload-offset": "0" }, Buffer.from("a"))).status).toBe(403);
    const options = await app.fetch(tusEndpoint, { method: "OPTIONS" });
    expect([
      options.status,
      options.headers.get("tus-extension"),
      options.headers.get("tus-max-size"),
    ]).toEqual([204, "creation,creation-with-upload,expiration,termination", String(1024 * 1024)]);
    expect((await hand.send("DELETE", target, {})).status).toBe(204);
    expect((await hand.head(target)).status).toBe(404);
  });

  it("are only accessible to the user who began them, with the right to write", async () => {
    const target = await hand.begun(10);
    const other = new TusHand(app, stranger.headers);
    for (const send of [
      () => other.head(target),
      () => other.append(target, 0, Buffer.from("abc")),
      () => other.send("DELETE", target, {}),
      () => hand.head(`${tusEndpoint}${owner.id}-../../quire`),
      () => hand.head(`${tusEndpoint}${owner.id}-%2e%2e%2fquire`),
      () => hand.head(`${tusEndpoint}nothing`),
    ]) {
      expect((await send()).status).toBe(404);
    }
    const reader = await addPerson(app.context, { username: "reader", organizations: [1], mayWrite: false });
    const homeless = await addPerson(app.context, { username: "homeless" });
    const { cookie, "x-csrftoken": token } = await beginSession(app.context, owner);
    for (const headers of [{}, reader.headers, homeless.headers, { cookie }] as Record<string, string>[]) {
      expect((await new TusHand(app, headers).begin(10, { filename: "a.pdf" })).status).toBe(403);
    }
    expect(await hand.offset(target)).toBe(0);
    const page = new TusHand(app, { cookie, "x-csrftoken": token });
    expect((await page.append(target, 0, Buffer.from("abc"))).status).toBe(204);
    await hand.send("DELETE", target, {});
    expect(await readdir(folder())).not.toContain(path.basename(target));
  });

  it("are not those of a user whose id begins with the same digits", async () => {
    const [short, long] = await namesakes();
    for (const [own, other] of [
      [short, long],
      [long, short],
    ] as const) {
      const targets = [await own.begun(10), await own.begun(10), await own.begun(10)];
      for (const target of targets) {
        const statuses = [
          await other.head(target),
          await other.append(target, 0, Buffer.from("abc")),
          await other.send("DELETE", target, {}),
        ].map(({ status }) => status);
        expect(statuses).toEqual([404, 404, 404]);
        expect(await own.offset(target)).toBe(0);
      }
      // Neither do they count towards the other user's limit, which three of their own would reach.
      await other.send("DELETE", await other.begun(10), {});
      for (const target of targets) expect((await own.send("DELETE", target, {})).status).toBe(204);
    }
  });

  it("may be as large as a file may be, and no larger", async () => {
    const largest = Buffer.alloc(1024 * 1024, "x");
    const target = await hand.begun(largest.length, { filename: "largest.txt" });
    expect((await hand.append(target, 0, largest.subarray(0, 1000))).status).toBe(204);
    const answer = await hand.append(target, 1000, largest.subarray(1000));
    expect(answer.status).toBe(204);
    const id = Number(answer.headers.get("quire-document"));
    expect((await bytesOf(id)).equals(largest)).toBe(true);
    expect((await hand.begin(largest.length + 1, { filename: "larger.txt" })).status).toBe(413);
    await sendAs(app, owner, "DELETE", `${list}${id}/`);
    await worker.drain();
  });

  it("are limited in number until one is finished or cancelled", async () => {
    const person = await addPerson(app.context, { username: "busy", organizations: [1] });
    const busy = new TusHand(app, person.headers);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => busy.begin(1, { filename: "a.txt" })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 429, 429]);
    const targets = answers.flatMap(({ headers }) => headers.get("location") ?? []);
    const [one = "", two = ""] = targets.map((address) => new URL(address).pathname);
    expect((await busy.append(one, 0, Buffer.from("x"))).status).toBe(204);
    expect((await busy.begin(1, { filename: "a.txt" })).status).toBe(201);
    expect((await busy.begin(1, { filename: "a.txt" })).status).toBe(429);
    await busy.send("DELETE", two, {});
    expect((await busy.begin(1, { filename: "a.txt" })).status).toBe(201);
    await worker.drain();
  });

  it("expire when nobody continues them", async () => {
    const target = await hand.begun(10);
    await hand.append(target, 0, Buffer.from("abc"));
    const long = Date.now() / 1000 - 25 * 3600;
    const partialFile = path.join(folder(), path.basename(target));
    for (const file of [partialFile, `${partialFile}.json`]) await utimes(file, long, long);
    expect((await hand.append(target, 3, Buffer.from("def"))).status).toBe(410);
    await using _again = await startAppOn(app.context.config);
    expect((await hand.head(target)).status).toBe(404);
    expect((await readdir(folder())).filter((name) => name.startsWith(path.basename(target)))).toEqual([]);
  });

  it("do not count towards the limit once they have expired", async () => {
    const person = await addPerson(app.context, { username: "forgetful", organizations: [1] });
    const own = new TusHand(app, person.headers);
    const targets = [await own.begun(10), await own.begun(10), await own.begun(10)];
    expect((await own.begin(10, { filename: "a.pdf" })).status).toBe(429);
    const long = Date.now() / 1000 - 25 * 3600;
    for (const target of targets.slice(1)) {
      const partialFile = path.join(folder(), path.basename(target));
      for (const file of [partialFile, `${partialFile}.json`]) await utimes(file, long, long);
    }
    expect((await own.begin(10, { filename: "a.pdf" })).status).toBe(201);
    expect((await own.begin(10, { filename: "a.pdf" })).status).toBe(201);
    expect((await own.begin(10, { filename: "a.pdf" })).status).toBe(429);
  });

  it("keep the answer for their client if they expire while they are being finished", async () => {
    const person = await addPerson(app.context, { username: "late", organizations: [1] });
    const own = new TusHand(app, person.headers);
    const [target] = [await own.begun(pdf.length), await own.begun(10), await own.begun(10)];
    const { files, uploads } = app.context;
    const gate = new Gate();
    const put = files.put.bind(files);
    const storing = vi.spyOn(files, "put").mockImplementationOnce(async (...parameters) => {
      await gate.pass();
      return put(...parameters);
    });
    const finished = own.append(target, 0, pdf);
    await gate.reached;
    const long = Date.now() / 1000 - 25 * 3600;
    const partialFile = path.join(folder(), path.basename(target));
    for (const file of [partialFile, `${partialFile}.json`]) await utimes(file, long, long);
    const isOlder = uploads.isOlder.bind(uploads);
    const looked = Promise.withResolvers<boolean>();
    const looking = vi.spyOn(uploads, "isOlder").mockImplementation(async (name, than) => {
      const answer = await isOlder(name, than);
      if (name === path.basename(target)) looked.resolve(answer);
      return answer;
    });
    // The limit is reached, so this request removes what has expired.
    const begun = own.begin(10, { filename: "a.pdf" });
    expect(await looked.promise).toBe(true);
    gate.open();
    expect((await finished).status).toBe(204);
    expect((await begun).status).toBe(201);
    storing.mockRestore();
    looking.mockRestore();
    const known = (await own.head(target)).headers.get("quire-document");
    expect(known).toBe((await finished).headers.get("quire-document"));
    expect(known).toMatch(/^\d+$/);
    await worker.drain();
  });

  it("are not read again once they are done, and are removed when they expire", async () => {
    const { uploads } = app.context;
    const note = { size: 1, metadata: {}, documentId: 1, isDone: true };
    const names = Array.from({ length: 40 }, () => `${owner.id}-${randomUUID()}`);
    for (const name of names) {
      await uploads.begin(name, { ...note, isDone: false }, { user: owner.id, max: 40 });
      await uploads.write(name, note);
    }
    const looks = [vi.spyOn(uploads, "find"), vi.spyOn(uploads, "isOlder")];
    await hand.send("DELETE", await hand.begun(10), {});
    const looked = looks.flatMap(({ mock }) => mock.calls.map(([name]) => name));
    for (const spy of looks) spy.mockRestore();
    expect(looked.filter((name) => names.includes(name))).toEqual([]);
    expect((await hand.head(`${tusEndpoint}${names[0]}`)).headers.get("quire-document")).toBe("1");
    const long = Date.now() / 1000 - 25 * 3600;
    for (const name of names) await utimes(path.join(folder(), "done", `${name}.json`), long, long);
    await using _again = await startAppOn(app.context.config);
    expect((await uploads.list()).filter((name) => names.includes(name))).toEqual([]);
  });

  it("continue where they broke off when the connection breaks", async () => {
    const target = await hand.begun(pdf.length);
    const { hostname, port } = new URL(app.url);
    const partialFile = path.join(folder(), path.basename(target));
    const socket = connect(Number(port), hostname);
    socket.write(
      `PATCH ${target} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${owner.headers.authorization}\r\n` +
        `tus-resumable: 1.0.0\r\nupload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\n` +
        `content-length: ${pdf.length}\r\n\r\n`,
    );
    socket.write(pdf.subarray(0, 300));
    const written = async (): Promise<number> => {
      let size = 0;
      for await (const chunk of createReadStream(partialFile)) size += (chunk as Buffer).length;
      return size;
    };
    await vi.waitUntil(async () => (await written()) === 300, 60_000);
    // A client that asks while the old connection still seems open is answered at once.
    expect(await hand.offset(target)).toBe(300);
    socket.destroy();
    const last = await hand.append(target, 300, pdf.subarray(300));
    expect((await bytesOf(Number(last.headers.get("quire-document")))).equals(pdf)).toBe(true);
    await worker.drain();
  });

  it("have the same bytes, however they are split", async () => {
    const parts = fc.array(fc.nat({ max: 5000 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(parts, fc.boolean(), async (sizes, asks) => {
        const bytes = randomBytes(sizes.reduce((sum, size) => sum + size, 1));
        const target = await hand.begun(bytes.length, { filename: "split.txt" });
        let at = 0;
        let answer: Response | null = null;
        for (const size of [...sizes, 1]) {
          expect(asks ? await hand.offset(target) : at).toBe(at);
          answer = await hand.append(target, at, bytes.subarray(at, at + size));
          at += size;
          expect([answer.status, answer.headers.get("upload-offset")]).toEqual([204, String(at)]);
        }
        expect((await bytesOf(Number(answer?.headers.get("quire-document")))).equals(bytes)).toBe(true);
      }),
      { numRuns: runsOn(engine, 15) },
    );
    await worker.drain();
  });

  it("report a full disk, and continue when there is room", async () => {
    const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    const begin = vi.spyOn(app.context.uploads, "begin").mockRejectedValueOnce(full);
    expect((await hand.begin(10, { filename: "a.pdf" })).status).toBe(507);
    begin.mockRestore();
    const target = await hand.begun(pdf.length);
    const append = vi.spyOn(app.context.uploads, "append").mockRejectedValueOnce(full);
    const refused = await hand.append(target, 0, pdf.subarray(0, 10));
    expect([refused.status, await refused.json()]).toEqual([
      507,
      { detail: expect.stringContaining("no room") },
    ]);
    append.mockRestore();
    const before = await count();
    const put = vi.spyOn(app.context.files, "put").mockRejectedValueOnce(full);
    expect((await hand.append(target, 0, pdf)).status).toBe(507);
    put.mockRestore();
    expect(await count()).toBe(before);
    const found = await hand.head(target);
    expect([found.status, await count()]).toEqual([200, before + 1]);
    expect((await bytesOf(Number(found.headers.get("quire-document")))).equals(pdf)).toBe(true);
    await worker.drain();
  });
});

describe.each(defaultEngines)("a client of tus on %s", (engine) => {
  it("continues an upload after the server was killed and started again", async () => {
    await using storage = await testStorage(engine);
    let owner: Person;
    {
      await using app = await startAppOn(storage.config);
      await addDocuments(app.context, []);
      // The account has a password, so that the server does not create an administrator itself.
      const password = "a long sentence of their own";
      owner = await addPerson(app.context, { username: "owner", organizations: [1], password });
    }
    const bytes = randomBytes(3_000_000);
    const options = {
      chunkSize: 500_000,
      retryDelays: null,
      headers: owner.headers,
      metadata: { filename: "large.txt", title: "Large" },
    };
    const first = await serveOn(storage.config);
    const { promise: address, resolve: stop } = Promise.withResolvers<string>();
    const broken = new Upload(bytes, {
      ...options,
      endpoint: `${first.url}${tusEndpoint}`,
      onError: () => undefined,
      onChunkComplete(_size, accepted) {
        if (accepted < 1_000_000) return;
        void first.kill();
        stop(new URL(broken.url ?? "").pathname);
      },
    });
    broken.start();
    const target = await address;
    await broken.abort();
    await using second = await serveOn(storage.config);
    const offset = await new TusHand(second, owner.headers).offset(target);
    expect(offset).toBeGreaterThanOrEqual(1_000_000);
    let sent = 0;
    const id = await new Promise<string>((resolve, reject) => {
      new Upload(bytes, {
        ...options,
        uploadUrl: `${second.url}${target}`,
        onChunkComplete: (size) => void (sent += size),
        onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader("Quire-Document") ?? ""),
        onError: reject,
      }).start();
    });
    expect(sent).toBe(bytes.length - offset);
    const got = await second.fetch(`/files/documents/${id}/original/large.txt`, { headers: owner.headers });
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
  });
});
