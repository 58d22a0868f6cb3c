import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { type ListJson, answerAt, idsAt, idsOf } from "../../../testing/lists.ts";
import { addPerson } from "../../../testing/people.ts";
import { runsOn } from "../../../testing/runs.ts";
import { type TestApp, engines, useApp } from "../../../testing/test-app.ts";

interface Said {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const ofTheRequest = new Set(["date", "x-request-id"]);

async function ask(app: TestApp, address: string, headers: Record<string, string>): Promise<Said> {
  const answer = await answerAt(app, address, { headers: { "accept-encoding": "identity", ...headers } });
  const shown = [...answer.headers].filter(([name]) => !ofTheRequest.has(name));
  return { status: answer.status, headers: Object.fromEntries(shown), body: await answer.text() };
}

const base64 = (text: string): string => encodeURIComponent(Buffer.from(text).toString("base64"));
const cursors = fc.oneof(
  fc
    .tuple(fc.constantFrom("", "r=1&", "o=1&"), fc.integer({ min: -1, max: 40 }))
    .map(([before, id]) => base64(`${before}p=${id}`)),
  fc.constantFrom("", "bad", "%", base64("p=x"), base64('["-title",0,3,"3"]'), base64('["-title",1,9,"9"]')),
);
/** Each with another position of the cursor, some of them written in ways that another parser may read otherwise. */
const lists = fc.constantFrom(
  (cursor: string) => `?cursor=${cursor}`,
  (cursor: string) => `?per_page=3&cursor=${cursor}`,
  (cursor: string) => `?cursor=${cursor}&per_page=3&user=1`,
  (cursor: string) => `?cursor=${cursor}&ordering=-title`,
  (cursor: string) => `?user=77&cursor=${cursor}`,
  (cursor: string) => `?cursor=${cursor}&cursor=${base64("p=5")}`,
  (cursor: string) => `?cursor=${cursor}&curs%6Fr=${base64("p=5")}`,
  (cursor: string) => `?curs%6Fr=${base64("p=5")}&cursor=${cursor}`,
  (cursor: string) => `?curs%6Fr=${cursor}`,
  (cursor: string) => `?a?cursor=${cursor}&cursor=${base64("p=5")}`,
  (cursor: string) => `?cursor=${cursor}&a?cursor=${base64("p=5")}`,
  (cursor: string) => `?x=cursor=${cursor}`,
  (cursor: string) => `?xcursor=1&cursor=${cursor}`,
  (cursor: string) => `?cursor=${cursor}&fields=id,title`,
  (cursor: string) => `?format=api&cursor=${cursor}`,
);
const kinds = fc.constantFrom<Record<string, string>>(
  {},
  { origin: "https://a.org" },
  { accept: "text/html" },
  { accept: `*/*, x/y;z=?cursor=${base64("p=9")}&` },
  { accept: "application/json; indent=2" },
  { "accept-encoding": "gzip" },
);

const after = (id: number, parameters = ""): string =>
  `/api/documents/?${parameters}cursor=${base64(`p=${id}`)}`;

describe.each(engines)("pages of lists that have a plan on %s", (engine) => {
  const app = useApp(engine);
  beforeAll(async () => {
    const titles = Array.from({ length: 30 }, (_, index) => ({ title: `${index % 10}` }));
    await addDocuments(app.context, titles);
  });

  it("are always what the application sends for a list without one", () => {
    let other = 0;
    const same = fc.asyncProperty(
      lists,
      kinds,
      fc.array(cursors, { minLength: 2, maxLength: 5 }),
      async (list, kind, at) => {
        for (const cursor of at) {
          const address = `/api/documents/${list(cursor)}`;
          const planned = await ask(app, address, kind);
          const accept = `${kind["accept"] ?? "*/*"}, x/${++other}`;
          expect(planned).toEqual(await ask(app, address, { ...kind, accept }));
          const { etag } = planned.headers;
          if (etag === undefined || planned.headers["content-type"] !== "application/json") continue;
          const again = await ask(app, `${address}&`, { ...kind, "if-none-match": etag });
          expect([again.status, again.headers["etag"], again.body]).toEqual([304, etag, ""]);
        }
      },
    );
    return fc.assert(same, { numRuns: runsOn(engine, 60) });
  });

  it("are refused, as the application refuses them, when the headers of the request are too large", async () => {
    const headers = { "x-large": "x".repeat(17 * 1024) };
    for (const [id, status] of [[-5], [-6], [-7, 431]] as const) {
      const { status: given } = await ask(app, after(id), status === undefined ? {} : headers);
      expect(given).toBe(status ?? 200);
    }
  });

  it("end when the list's filter is no longer valid", async () => {
    const { database } = app.context;
    const [id = 0] = await addDocuments(app.context, [{ user_id: 2 }]);
    for (const position of [-1, -2]) expect(await idsAt(app, after(position, "user=2&"))).toEqual([id]);
    await database.write((writer) => writer.deleteFrom("documents").where("id", "=", id).execute());
    const refusal = await ask(app, after(-3, "user=2&"), {});
    expect(refusal.status).toBe(400);
    expect(refusal.body).toContain("Select a valid choice");
  });

  it("never contain a document that only its owner may see", async () => {
    const owner = await addPerson(app.context, { username: "owner" });
    const [id = 0] = await addDocuments(app.context, [{ access: "private", user_id: owner.id }]);
    for (const position of [id - 1, id - 2]) expect(await idsAt(app, after(position))).not.toContain(id);
    const own = await answerAt(app, after(id - 3), { headers: owner.headers });
    expect(idsOf((await own.json()) as ListJson)).toContain(id);
    expect(await idsAt(app, after(id - 4))).not.toContain(id);
  });
});
