import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request as sendRequest } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import pino from "pino";
import { describe, expect, it, vi } from "vitest";
import { openContext } from "../../../context.ts";
import { documentFileKey } from "../../../files/keys.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { type TestApp, defaultEngines, useApp } from "../../../testing/test-app.ts";

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
const fileHash = "0123456789abcdef0123456789abcdef01234567";

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Requests exactly this path; `fetch` would normalise it first. */
async function ask(
  app: TestApp,
  path: string,
  { method = "GET", ...headers }: Record<string, string> = {},
): Promise<Answer> {
  const { hostname, port } = new URL(app.url);
  const request = sendRequest({ hostname, port, path, method, headers, agent: false }).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

/** Adds a document with a file, and returns the file's path. */
async function addFile(
  app: TestApp,
  {
    extension = "pdf",
    slug = "a-report",
    ...row
  }: { extension?: string; slug?: string; file_hash?: string; access?: string } = {},
): Promise<{ id: number; path: string }> {
  const [id = 0] = await addDocuments(app.context, [{ slug, original_extension: extension, ...row }]);
  const key = documentFileKey(id, slug, extension);
  await app.context.files.put(key, Readable.from([bytes]));
  return { id, path: `/files/${key}` };
}

describe.each(defaultEngines)("the file of a document, on %s", (engine) => {
  const app = useApp(engine);

  it("is below the record's asset_url", async () => {
    const { id, path } = await addFile(app);
    const record = (await (await app.fetch(`/api/documents/${id}/`)).json()) as Record<string, string>;
    expect(`${record["asset_url"]}documents/${id}/${record["slug"]}.pdf`).toBe(`${app.url}${path}`);
  });

  it("is served whole, byte for byte", async () => {
    const { path } = await addFile(app, { file_hash: fileHash });
    const { status, headers, body } = await ask(app, path);
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "no-cache",
      "content-disposition": "inline",
      "content-length": "1000",
      "content-type": "application/pdf",
      etag: expect.stringMatching(/^"[^"]+"$/),
      "x-content-type-options": "nosniff",
    });
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none';/);
    expect(headers["content-range"]).toBeUndefined();
  });

  it.each([
    ["bytes=0-0", 0, 0],
    ["bytes=0-99", 0, 99],
    ["bytes=500-", 500, 999],
    ["bytes=-1", 999, 999],
    ["bytes=-5000", 0, 999],
    ["bytes=999-99999999999999999999", 999, 999],
  ])("is served in part for %s", async (range, start, end) => {
    const { path } = await addFile(app);
    const { status, headers, body } = await ask(app, path, { range });
    expect(status).toBe(206);
    expect(body.equals(bytes.subarray(start, end + 1))).toBe(true);
    expect(headers).toMatchObject({
      "content-range": `bytes ${start}-${end}/1000`,
      "content-length": String(end - start + 1),
      "content-type": "application/pdf",
    });
  });

  it.each(["bytes=1000-", "bytes=2000-3000", "bytes=-0"])("answers 416 for %s", async (range) => {
    const { path } = await addFile(app);
    const { status, headers, body } = await ask(app, path, { range });
    expect([status, headers["content-range"], body.length]).toEqual([416, "bytes */1000", 0]);
  });

  it.each(["bytes=0-1,5-6", "bytes=9-1", "bytes=a-b", "bytes", "lines=0-1", ""])(
    "is served whole for invalid and multiple ranges: %s",
    async (range) => {
      const { path } = await addFile(app);
      const { status, body } = await ask(app, path, { range });
      expect([status, body.length]).toEqual([200, 1000]);
    },
  );

  it("is not sent again to a client with a current copy", async () => {
    const { path } = await addFile(app);
    const { etag = "" } = (await ask(app, path)).headers;
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, headers, body } = await ask(app, path, { "if-none-match": known, range: "bytes=0-9" });
      expect([status, headers.etag, body.length]).toEqual([304, etag, 0]);
    }
    const changed = await ask(app, path, { "if-none-match": `"other"` });
    expect([changed.status, changed.body.length]).toEqual([200, 1000]);
  });

  it("is served in part only if the client's part is of the same version", async () => {
    const { path } = await addFile(app, { file_hash: fileHash });
    const { etag = "" } = (await ask(app, path)).headers;
    const range = "bytes=0-9";
    expect((await ask(app, path, { range, "if-range": etag })).status).toBe(206);
    for (const other of [`"other"`, `W/${etag}`, "Wed, 21 Oct 2015 07:28:00 GMT"]) {
      const { status, body } = await ask(app, path, { range, "if-range": other });
      expect([other, status, body.length]).toEqual([other, 200, 1000]);
    }
  });

  it.each(["", fileHash])(
    "has another tag once it is replaced, whatever hash the record has: %j",
    async (hash) => {
      const { id, path } = await addFile(app, { file_hash: hash });
      const { etag } = (await ask(app, path)).headers;
      await app.context.files.put(
        documentFileKey(id, "a-report", "pdf"),
        Readable.from([Buffer.from("%PDF")]),
      );
      const changed = await ask(app, path, { "if-none-match": etag ?? "" });
      expect([changed.status, changed.body.toString()]).toEqual([200, "%PDF"]);
      expect(changed.headers.etag).not.toBe(etag);
    },
  );

  it("is consistent if it is replaced after its length was read", async () => {
    const { id, path } = await addFile(app, { file_hash: fileHash });
    const { files } = app.context;
    for (const [range, status, part] of [
      ["", 200, "%PDF, shorter"],
      ["bytes=0-3", 206, "%PDF"],
      ["bytes=900-999", 416, ""],
    ] as const) {
      await files.put(documentFileKey(id, "a-report", "pdf"), Readable.from([bytes]));
      const reading = vi.spyOn(files, "read").mockImplementationOnce(async (...parameters) => {
        await files.put(
          documentFileKey(id, "a-report", "pdf"),
          Readable.from([Buffer.from("%PDF, shorter")]),
        );
        return files.read(...parameters);
      });
      const { headers, ...answer } = await ask(app, path, { range });
      expect([answer.status, answer.body.toString()]).toEqual([status, part]);
      const stat = await files.stat(documentFileKey(id, "a-report", "pdf"));
      expect(headers.etag).toBe(`"${stat?.version}"`);
      expect(Number(headers["content-length"] ?? 0)).toBe(part.length);
      reading.mockRestore();
    }
  });

  it("is described by HEAD as a whole, whatever the range", async () => {
    const { path } = await addFile(app, { file_hash: fileHash });
    const { headers: ofGet } = await ask(app, path);
    const { status, headers, body } = await ask(app, path, { method: "HEAD", range: "bytes=0-9" });
    expect([status, body.length]).toEqual([200, 0]);
    const { date: _date, "x-request-id": _id, ...same } = ofGet;
    expect(headers).toMatchObject(same);
    const known = await ask(app, path, { method: "HEAD", "if-none-match": ofGet.etag ?? "" });
    expect(known.status).toBe(304);
  });

  it.each([
    ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "attachment"],
    ["png", "image/png", "inline"],
    ["txt", "text/plain", "attachment"],
    ["html", "application/octet-stream", "attachment"],
    ["svg", "application/octet-stream", "attachment"],
    ["xml", "application/octet-stream", "attachment"],
    ["constructor", "application/octet-stream", "attachment"],
  ])("has a content type that runs nothing: %s", async (extension, contentType, disposition) => {
    const { path } = await addFile(app, { extension });
    const { status, headers } = await ask(app, path);
    expect(path).toContain("/original/");
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": contentType,
      "content-disposition": disposition,
      "x-content-type-options": "nosniff",
    });
  });

  it("is at no other path, and all other paths give the same 404", async () => {
    const { id, path } = await addFile(app, { slug: "shown" });
    const hidden = await addFile(app, { slug: "hidden", access: "private" });
    const [lost] = await addDocuments(app.context, [{ slug: "lost" }]);
    const [elsewhere] = await addDocuments(app.context, [{ slug: "x", asset_url: "https://files.a.org/" }]);
    const absent = [
      hidden.path,
      `/files/documents/${lost}/lost.pdf`,
      `/files/documents/${elsewhere}/x.pdf`,
      "/files/documents/999999/shown.pdf",
      "/files/documents/one/shown.pdf",
      "/files/",
      "/files/documents/",
      `/files/documents/${id}/`,
      `/files/documents/0${id}/shown.pdf`,
      `${path}/`,
      `${path}/..`,
      `${path}.txt`,
      path.replace(".pdf", ".PDF"),
      path.replace(".pdf", ""),
      path.replace(".pdf", ".pdf%00"),
      path.replace("shown", "sho%00wn"),
      path.replace("shown", ".%2fshown"),
      path.replace("shown", "./shown"),
      path.replace("shown", "%2e%2e/shown"),
      path.replace("/shown", "//shown"),
      path.replace("/shown", "%5cshown"),
      `/files/documents/${id}/../${hidden.id}/hidden.pdf`,
      `/files/documents/${id}/..%2f${hidden.id}%2fhidden.pdf`,
      `/files/documents/${id}/%2e%2e/%2e%2e/quire.sqlite`,
      `/files/documents/${id}/..%5c..%5cquire.sqlite`,
      `/files/documents/${id}/%252e%252e/quire.sqlite`,
      `/files/documents/..%2f..%2fquire.sqlite/x`,
      "/files/../quire.sqlite",
      "/files//etc/passwd",
    ];
    for (const address of absent) {
      const { status, headers, body } = await ask(app, address);
      expect([address, status, body.toString()]).toEqual([address, 404, `{"detail":"Not found."}`]);
      expect([address, headers.etag, headers["content-disposition"]]).toEqual([
        address,
        undefined,
        undefined,
      ]);
    }
    expect((await ask(app, path)).status).toBe(200);
  });

  it("cannot be read from the moment at which its document is hidden, in any process", async () => {
    const { id, path } = await addFile(app, { file_hash: fileHash });
    const other = await openContext(app.context.config, pino({ level: "silent" }));
    const change = (row: { access?: string; status?: string }): Promise<unknown> =>
      other.database.write((writer) =>
        writer.updateTable("documents").set(row).where("id", "=", id).execute(),
      );
    const { etag = "" } = (await ask(app, path)).headers;
    const statuses = async (): Promise<number[]> => [
      (await ask(app, path)).status,
      (await ask(app, path, { "if-none-match": etag })).status,
      (await ask(app, path, { range: "bytes=0-0" })).status,
      (await ask(app, path, { method: "HEAD" })).status,
    ];
    try {
      for (const hiding of [{ access: "private" }, { access: "organization" }, { status: "deleted" }]) {
        await change({ access: "public", status: "success" });
        expect(await statuses()).toEqual([200, 304, 206, 200]);
        await change(hiding);
        expect(await statuses()).toEqual([404, 404, 404, 404]);
      }
    } finally {
      await other.close();
    }
  });
});
