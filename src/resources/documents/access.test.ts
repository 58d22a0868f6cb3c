import { accessLevels, statuses } from "../../contract/document.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { anonymous } from "../../http/request/viewer.ts";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { answerAt, idsAt, pageAt } from "../../testing/lists.ts";
import { type TestApp, defaultEngines, useApp } from "../../testing/test-app.ts";
import { mayView } from "./access.ts";

const all = accessLevels.flatMap((access) => statuses.map((status) => ({ access, status })));
const isForAll = ({ access, status }: (typeof all)[number]): boolean =>
  access === "public" && (status === "success" || status === "readable");

/** The "not found" page of a document, with its id masked. */
async function pageFor(app: TestApp, id: number): Promise<string> {
  const answer = await answerAt(app, `/api/documents/${id}/?format=api`);
  expect(answer.status).toBe(404);
  return (await answer.text()).replaceAll(String(id), "<id>");
}

describe.each(defaultEngines)("anonymous access to documents on %s", (engine) => {
  const app = useApp(engine);
  let ids: number[];
  beforeAll(async () => {
    ids = await addDocuments(
      app.context,
      all.map((one) => ({ ...one, data: '{"a":["x"]}' })),
    );
  });

  it("lists public documents that are ready, in every ordering", async () => {
    const expected = ids.filter((_, index) =>
      all.some((facts, position) => position === index && isForAll(facts)),
    );
    for (const ordering of ["", "title", "page_count", "created_at", "data_a", "data_b"])
      expect(await idsAt(app, `/api/documents/?ordering=${ordering}`)).toEqual(expected);
    for (const { access, status } of all)
      expect(await idsAt(app, `/api/documents/?access=${access}&status=${status}`)).toEqual(
        ids.filter(
          (_, index) => all[index]?.access === access && all[index].status === status && isForAll(all[index]),
        ),
      );
  });

  it("follows changes of a document, in every ordering and with every filter", async () => {
    const [id = 0] = await addDocuments(app.context, [
      { access: "private", user_id: 2, data: '{"a":["x"]}' },
    ]);
    const project = await addProject(app.context, {}, [id, ids[0] ?? 0]);
    const queries = ["", "ordering=title", "ordering=data_a", "ordering=-data_a", "ordering=data_b"];
    const filters = ["user=1,2", "organization=1", `project=${project}`, "page_count=1", "status=success"];
    const isShown = async (query: string): Promise<boolean> =>
      (await idsAt(app, `/api/documents/?per_page=99&${query}`)).includes(id);
    for (const [access, status, expected] of [
      ["public", "pending", false],
      ["public", "success", true],
      ["organization", "success", false],
      ["private", "error", false],
      ["public", "success", true],
      ["public", "deleted", false],
    ] as const) {
      await app.context.database.write((writer) =>
        writer.updateTable("documents").set({ access, status }).where("id", "=", id).execute(),
      );
      for (const query of [...queries, ...filters.slice(expected ? 0 : 1)])
        expect([access, status, query, await isShown(query)]).toEqual([access, status, query, expected]);
    }
    await app.context.database.write((writer) =>
      writer.deleteFrom("documents").where("id", "=", id).execute(),
    );
  });

  it.each(all)("agrees with the rule for one row: $access, $status", (document) => {
    const facts = { ...document, id: 1, user_id: 1, organization_id: 1, sharing: [] };
    expect(mayView(anonymous, facts)).toBe(isForAll(document));
  });

  it("gives the same record as the list", async () => {
    const { results } = await pageAt(app, "/api/documents/");
    for (const record of results) {
      const answer = await answerAt(app, `/api/documents/${record.id}/`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(answer.headers.get("vary")).toBe("Accept");
      expect(answer.headers.get("allow")).toBe("GET, PUT, PATCH, DELETE, HEAD, OPTIONS");
      const body = await answer.text();
      expect(JSON.parse(body)).toEqual(record);
      expect(Object.keys(JSON.parse(body) as object)).toEqual(Object.keys(record));
    }
  });

  it("gives the same response for missing and hidden documents, including every header", async () => {
    const answers = new Set<string>();
    const hidden = ids.filter((_, index) =>
      all.some((facts, position) => position === index && !isForAll(facts)),
    );
    expect(hidden).toHaveLength(22);
    for (const id of [...hidden, 0, 99_999, 999_999_999_999_999]) {
      for (const init of [{}, { headers: { "if-none-match": "*" } }, { method: "HEAD" }]) {
        const answer = await answerAt(app, `/api/documents/${id}/`, init);
        const headers = [...answer.headers].filter(([name]) => name !== "x-request-id" && name !== "date");
        const method = "method" in init ? init.method : "GET";
        answers.add(JSON.stringify([method, answer.status, headers, await answer.text()]));
      }
    }
    expect(answers.size).toBe(2);
    expect([...answers][0]).toContain(JSON.stringify('{"detail":"Not found."}'));
    expect([...answers].every((one) => one.includes(",404,"))).toBe(true);
  });

  it("gives the same browsable page for missing and hidden documents", async () => {
    const hidden = ids[all.findIndex(({ access }) => access === "private")] ?? 0;
    expect(await pageFor(app, hidden)).toBe(await pageFor(app, 99_999));
  });

  it.each(["abc", "1.0", "-1", "0x1", "1e3", "%31%00", "1%2F", "٣", "9999999999999999999999", " 1"])(
    "returns 404 for the id %s",
    async (id) => {
      const answer = await answerAt(app, `/api/documents/${id}/`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ detail: "Not found." });
    },
  );
});
