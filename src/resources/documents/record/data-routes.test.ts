import { beforeEach, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import type { Person } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";

describe.each(defaultEngines)("a key of a document's data on %s", (engine) => {
  const app = useApp(engine);
  let data: string;
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  beforeEach(async () => {
    const [id] = await addDocuments(app.context, [{ user_id: owner.id, organization_id: 1 }]);
    data = `/api/documents/${id}/data/`;
    await sendAs(app, owner, "PUT", `${data}city/`, { values: ["Riga", "Oslo"] });
  });

  const page = async (person: Person | null): Promise<string> => {
    const headers = { ...person?.headers, accept: "text/html" };
    return (await app.fetch(`${data}city/`, { headers })).text();
  };

  it("is changed only if If-Match holds", async () => {
    const address = `${data}city/`;
    const { headers } = await sendAs(app, owner, "GET", address);
    const tag = { "if-match": headers.get("etag") ?? "" };
    // Other keys are independent.
    expect((await sendAs(app, owner, "PUT", `${data}year/`, { values: ["1990"] })).status).toBe(200);
    expect((await sendAs(app, owner, "PATCH", address, { values: ["Bern"] }, tag)).status).toBe(200);
    const before = (await sendAs(app, owner, "GET", data)).body;
    for (const [method, value] of [
      ["PATCH", { values: ["Rome"] }],
      ["PUT", { values: ["Rome"] }],
      ["DELETE"],
    ] as const)
      expect([method, await sendAs(app, owner, method, address, value, tag)]).toMatchObject([
        method,
        { status: 412, body: { detail: "It has changed since you read it." } },
      ]);
    expect((await sendAs(app, owner, "GET", data)).body).toEqual(before);
    expect((await sendAs(app, stranger, "DELETE", address, undefined, tag)).status).toBe(403);
    const now = { "if-match": (await sendAs(app, owner, "GET", address)).headers.get("etag") ?? "" };
    expect((await sendAs(app, owner, "DELETE", address, undefined, now)).status).toBe(204);
    // A missing key is an empty list, which has an entity tag too.
    expect((await sendAs(app, owner, "PUT", address, { values: ["Rome"] }, now)).status).toBe(412);
    const none = { "if-match": (await sendAs(app, owner, "GET", address)).headers.get("etag") ?? "" };
    expect((await sendAs(app, owner, "PUT", address, { values: ["Rome"] }, none)).status).toBe(200);
  });

  it("can be changed and deleted on its page by those who may edit the document, and by nobody else", async () => {
    const own = await page(owner);
    for (const method of ["PUT", "PATCH", "DELETE"])
      expect([method, own.includes(`data-method="${method}"`)]).toEqual([method, true]);
    const [, raw = ""] = /<textarea id="change-raw"[^>]*>([^<]*)</.exec(own) ?? [];
    expect(JSON.parse(raw.replaceAll("&#34;", '"'))).toEqual({ values: ["Riga", "Oslo"] });
    for (const person of [stranger, null]) expect(await page(person)).not.toContain("data-method");
  });
});
