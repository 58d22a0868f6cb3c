import { beforeAll, describe, expect, it } from "vitest";
import type { ApiOperation, OpenApiDocument } from "../src/http/schema/openapi-types.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { addPerson } from "../src/testing/people.ts";
import { answerFaults, answerOf } from "../src/testing/published-answers.ts";
import { defaultEngines, startTestApp, useApp } from "../src/testing/test-app.ts";

/*
 * Uploads of bytes are compared with the published document: the statuses, the headers, and the bodies of refusals.
 */

const version = { "tus-resumable": "1.0.0" };
const partType = { "content-type": "application/offset+octet-stream" };
const name = `filename ${Buffer.from("minutes.txt").toString("base64")}`;

const pathOf = (response: Response): string => new URL(response.headers.get("location") ?? "").pathname;

describe.each(defaultEngines)("a published upload on %s", (engine) => {
  const app = useApp(engine);
  let document: OpenApiDocument;
  const person = app.person("mara", { organizations: [1] });
  beforeAll(async () => {
    document = (await (await app.fetch("/api/schema/")).json()) as OpenApiDocument;
  });

  /** Sends a request to an operation and compares the answer with the document. */
  async function send(
    template: string,
    method: string,
    target: string,
    { status, ...init }: RequestInit & { status: number },
  ): Promise<Response> {
    const operation = document.paths[template]?.[method.toLowerCase()] as ApiOperation;
    const headers = { ...person.headers, ...(init.headers as Record<string, string>) };
    const response = await app.fetch(target, { ...init, method, headers });
    const answer = await answerOf(response.clone());
    expect([method, target, answer.status, answer.answer]).toEqual([method, target, status, answer.answer]);
    expect([method, status, Object.keys(operation.responses)]).toEqual([
      method,
      status,
      expect.arrayContaining([String(status)]),
    ]);
    expect(answerFaults(document, operation, answer)).toEqual([]);
    const promised = Object.entries(operation.responses[status]?.headers ?? {});
    const missing = promised.filter(([, { required }]) => required).map(([header]) => header);
    expect(missing.filter((header) => !response.headers.has(header))).toEqual([]);
    return response;
  }

  const at = (method: string, target: string, init: RequestInit & { status: number }) =>
    send("/uploads/tus/{upload}", method, target, init);
  const begin = (status: number, headers: Record<string, string>) =>
    send("/uploads/tus/", "POST", "/uploads/tus/", { status, headers });

  it("in parts has the statuses and headers of the document", async () => {
    const begun = { ...version, "upload-length": "6", "upload-metadata": name };
    const upload = pathOf(await begin(201, begun));
    const other = pathOf(await begin(201, begun));
    const part = (offset: number) => ({ ...version, ...partType, "upload-offset": String(offset) });

    const asked = await at("HEAD", upload, { status: 200, headers: version });
    expect([asked.headers.get("upload-offset"), asked.headers.get("upload-length")]).toEqual(["0", "6"]);
    await at("PATCH", upload, { status: 204, headers: part(0), body: "abc" });
    await at("PATCH", upload, { status: 409, headers: part(0), body: "abc" });
    await at("PATCH", upload, { status: 413, headers: part(3), body: "abcdefg" });
    await at("PATCH", upload, { status: 403, headers: { ...version, ...partType }, body: "abc" });
    await at("PATCH", upload, { status: 412, headers: { ...partType, "upload-offset": "3" }, body: "abc" });
    const last = await at("PATCH", upload, { status: 204, headers: part(3), body: "def" });
    expect(last.headers.get("quire-document")).toMatch(/^\d+$/);
    await at("DELETE", other, { status: 412 });
    await at("DELETE", other, { status: 204, headers: version });
    for (const method of ["HEAD", "PATCH", "DELETE"]) {
      const init = { headers: part(0), ...(method === "PATCH" && { body: "abc" }) };
      await at(method, other, { status: 404, ...init });
      await at(method, other, {
        status: 403,
        ...init,
        headers: { ...init.headers, authorization: "Bearer x" },
      });
    }
  });

  it("in parts is refused as the document says", async () => {
    const begun = { ...version, "upload-length": "6", "upload-metadata": name };
    const refused: [number, Record<string, string>][] = [
      [412, { "upload-length": "6" }],
      [400, version],
      [400, { ...begun, "upload-length": "0" }],
      [400, { ...begun, "upload-metadata": `${name},access eA==` }],
      [400, { ...begun, "upload-metadata": "a b c" }],
      [403, { ...begun, authorization: "Bearer x" }],
      [413, { ...begun, "upload-length": String(1e12) }],
    ];
    for (const [status, headers] of refused) expect((await begin(status, headers)).ok).toBe(false);
  });

  it("in parts has no more unfinished uploads than the document says", async () => {
    const begun = { ...version, "upload-length": "6", "upload-metadata": name };
    await using small = await startTestApp(engine, { QUIRE_UNFINISHED_UPLOADS: "1" });
    await addDocuments(small.context, []);
    const sender = await addPerson(small.context, { username: "mara", organizations: [1] });
    const headers = { ...begun, ...sender.headers };
    await small.fetch("/uploads/tus/", { method: "POST", headers });
    const answer = await answerOf(await small.fetch("/uploads/tus/", { method: "POST", headers }));
    expect(answer.status).toBe(429);
    const operation = document.paths["/uploads/tus/"]?.["post"] as ApiOperation;
    expect(Object.keys(operation.responses)).toContain("429");
    expect(answerFaults(document, operation, answer)).toEqual([]);
  });

  it("to a presigned address has the statuses of the document", async () => {
    const template = "/uploads/documents/{id}/{path}";
    const made = await app.fetch("/api/documents/", {
      method: "POST",
      headers: { ...person.headers, "content-type": "application/json" },
      body: JSON.stringify({ title: "Minutes" }),
    });
    const { presigned_url } = (await made.json()) as { presigned_url: string };
    const { pathname, search } = new URL(presigned_url);
    const put = (status: number, target: string, body: string) =>
      send(template, "PUT", target, { status, body });
    const refused: [number, string, string][] = [
      [403, pathname, "%PDF-"],
      [403, `${pathname.replace(/\/\d+\//, "/999999/")}${search}`, "%PDF-"],
      [404, `${pathname.replace(/\/\d+\//, "/x/")}${search}`, "%PDF-"],
      [400, `${pathname}${search}`, ""],
    ];
    for (const sent of refused) expect((await put(...sent)).ok).toBe(false);
    expect((await put(200, `${pathname}${search}`, "%PDF-")).ok).toBe(true);
  });
});
