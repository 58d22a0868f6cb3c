import { beforeEach, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import type { Person } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

describe.each(defaultEngines)("the documents of a project on %s", (engine) => {
  const app = useApp(engine);
  let all: string;
  let documents: number[];
  const maker = app.person("maker", { organizations: [1] });
  const other = app.person("other", { organizations: [2] });
  beforeEach(async () => {
    const { body } = await sendAs(app, maker, "POST", "/api/projects/", { title: "Mine" });
    all = `/api/projects/${body.id}/documents/`;
    documents = await addDocuments(app.context, [
      { user_id: maker.id, organization_id: 1 },
      { user_id: maker.id, organization_id: 1 },
      { user_id: maker.id, organization_id: 1, access: "private" },
    ]);
    const sent = documents.map((document) => ({ document }));
    await sendAs(app, maker, "POST", all, sent);
  });

  const found = async (person: Person | null, query = ""): Promise<unknown> => {
    const { status, body } = await sendAs(app, person, "GET", all + query);
    return status === 200 ? body.results.map(({ document }: { document: number }) => document) : body;
  };

  const page = async (person: Person | null): Promise<string> => {
    const headers = { ...person?.headers, accept: "text/html" };
    return (await app.fetch(`${all}?expand=document`, { headers })).text();
  };

  it.each(["", "?expand=document", "?fields=document,edit_access", "?omit=document"])(
    "are changed only if If-Match holds (%s)",
    async (query) => {
      const one = `${all}${documents[0]}/`;
      const { headers } = await sendAs(app, maker, "GET", one + query);
      const ifMatch = { "if-match": headers.get("etag") ?? "" };
      const send = (method: string, value?: unknown, tag: Record<string, string> = ifMatch) =>
        sendAs(app, maker, method, one + query, value, tag);
      const changed = await send("PATCH", { edit_access: false });
      expect([changed.status, changed.body.edit_access]).toEqual([200, false]);
      for (const [method, value] of [["PATCH", {}], ["PUT", {}], ["DELETE"]] as const)
        expect([method, await send(method, value)]).toMatchObject([
          method,
          { status: 412, body: { detail: "It has changed since you read it." } },
        ]);
      expect((await sendAs(app, maker, "GET", one)).body).toEqual({
        document: documents[0],
        edit_access: false,
      });
      const { headers: now } = await sendAs(app, maker, "GET", one + query);
      const tag = { "if-match": `"x", ${now.get("etag")}` };
      expect((await send("PUT", { edit_access: true }, tag)).status).toBe(200);
      expect((await send("DELETE", undefined, tag)).status).toBe(412);
      expect((await send("DELETE", undefined, { "if-match": "*" })).status).toBe(204);
      expect((await send("DELETE", undefined, { "if-match": "*" })).status).toBe(404);
    },
  );

  it("can be filtered by id, and are all listed without a filter", async () => {
    const [first = 0, second = 0, hidden = 0] = documents;
    const [elsewhere = 0] = await addDocuments(app.context, [{}]);
    expect(await found(maker, `?document_id__in=${second},${first}`)).toEqual([second, first]);
    expect(await found(maker, `?document_id__in=${hidden},${elsewhere}`)).toEqual([hidden]);
    for (const blank of ["", ",", "%20"]) {
      expect(await found(maker, `?document_id__in=${blank}`)).toEqual([hidden, second, first]);
      expect(await found(other, `?document_id__in=${blank}`)).toEqual([second, first]);
    }
  });

  it("are not revealed by the filter to viewers who may not see them", async () => {
    const [first, , hidden] = documents;
    const tooLong = "9".repeat(30);
    for (const person of [other, null])
      for (const id of [hidden, 987_654, tooLong, -1])
        expect(await found(person, `?document_id__in=${first},${id}`)).toEqual({
          document_id__in: [`Select a valid choice. ${id} is not one of the available choices.`],
        });
    expect(await found(null, "?document_id__in=x")).toEqual({ document_id__in: ["Enter a number."] });
    expect(await sendAs(app, maker, "DELETE", `${all}?document_id__in=${tooLong}`)).toMatchObject({
      status: 400,
      body: { document_id__in: [`Select a valid choice. ${tooLong} is not one of the available choices.`] },
    });
    const nowhere = "/api/projects/987654/documents/?document_id__in=987654";
    expect((await sendAs(app, maker, "GET", nowhere)).status).toBe(404);
  });

  it("are not removed by a blank list of ids", async () => {
    for (const query of ["", "?document_id__in=", "?document_id__in=,"])
      expect(await sendAs(app, maker, "DELETE", all + query)).toMatchObject({
        status: 400,
        body: ["May not bulk delete unless you explicitly specify IDs"],
      });
    expect(await found(maker)).toHaveLength(3);
  });

  it("that do not exist are reported as they were sent", async () => {
    for (const [sent, shown] of [
      ["1e30", `1${"0".repeat(30)}`],
      ["-12e25", `-12${"0".repeat(25)}`],
      ['"99999999999999999999999"', "99999999999999999999999"],
      ["987654", "987654"],
    ] as const) {
      const answer = await app.fetch(all, {
        method: "POST",
        headers: { ...maker.headers, "content-type": "application/json" },
        body: `{"document": ${sent}}`,
      });
      expect(await answer.json()).toEqual({ document: [`Invalid pk "${shown}" - object does not exist.`] });
    }
  });

  it("can be read and changed at their own address", async () => {
    const own = await page(maker);
    for (const method of ["POST", "PUT", "PATCH"])
      expect([method, own.includes(`data-method="${method}"`)]).toEqual([method, true]);
    expect(own).not.toContain('data-method="DELETE"');
    const [, raw = ""] = /<textarea id="bulk-raw"[^>]*>([^<]*)</.exec(own) ?? [];
    expect(JSON.parse(raw.replaceAll("&#34;", '"'))).toEqual(
      documents.toReversed().map((document) => ({ document, edit_access: true })),
    );
    for (const shown of [own, await page(null)]) {
      expect(shown).toContain('name="document_id__in"');
      expect(shown).toContain('<option value="created_at"');
    }
    for (const person of [other, null]) expect(await page(person)).not.toContain("data-method");
  });
});
