import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { runsOn } from "../../../testing/runs.ts";

const hostile: readonly (readonly [what: string, query: string])[] = [
  ["an id with a fraction", "id:1.5"],
  ["a number of pages with a fraction", "page_count:[0.5 TO 1.5]"],
  ["a number of pages beyond all columns", "page_count:999999999999999"],
  ["a negative one", "page_count:[-999999999999999 TO 5]"],
  ["an id beyond all columns", "user:999999999999999"],
  ["the year 0", "created_at:[0000-01-01 TO 2020]"],
  ["the last moment", "created_at:9999"],
  ["a year below 0", "created_at:NOW-999999YEARS"],
  ["a NUL", "status:a\0b tag:\0 data_x:\0*"],
  ["many values of data, each once", Array.from({ length: 499 }, (_, index) => `data_x:${index}`).join(" ")],
  ["many nots", Array.from({ length: 499 }, (_, index) => `NOT data_x:${index}`).join(" AND ")],
  ["many patterns", "*a*b ".repeat(50)],
  ["half a character", "title:\ud800 slug:\udfff"],
  ["many ids", "id:1 ".repeat(2000)],
  ["many ids that are not wanted", "-id:1 ".repeat(1600)],
  ["many of everything", "* ".repeat(5000)],
  ["many values of data", "data_x:1 ".repeat(1000)],
  ["many projects", "project:1 OR ".repeat(700) + "x"],
  ["many of nothing", "id:x ".repeat(2000)],
  ["brackets", "(".repeat(5000)],
  ["brackets around a word", "(".repeat(2500) + "x" + ")".repeat(2500)],
  ["negations in brackets", "-(".repeat(1500) + "x" + ")".repeat(1500)],
  ["quotes", '"'.repeat(5000)],
  ["a key with strange letters", 'data_a-b:x data_$."a:1'],
  ["a word of 9,999 letters", "x".repeat(9999)],
  ["a beginning of 9,999 letters", "x".repeat(9998) + "*"],
  ["a likeness of 9,998 letters", "x".repeat(9998) + "~"],
  ["signs of LIKE", String.raw`%a* _?_ a\\*b ?%`],
  ["quotes of SQL", `'x' "x'y" title:'x';-- data_x:'x'`],
];

describe.each(engines)("hostile search queries on %s", (engine) => {
  const app = useApp(engine);
  const someone = app.person("someone");
  beforeAll(() => addDocuments(app.context, [{ title: "Harbour x", page_count: 3, data: '{"x":["1"]}' }]));

  const search = async (query: Iterable<readonly [string, string]>): Promise<Response> => {
    const parameters = new URLSearchParams(
      [...query].map(([name, value]): [string, string] => [name, value]),
    );
    return app.fetch(`/api/documents/search/?${parameters.toString()}`, { headers: someone.headers });
  };

  it.each(hostile)("are answered: %s", async (_, query) => {
    const answer = await search([["q", query]]);
    expect([200, 400]).toContain(answer.status);
  });

  it("are answered with very many parameters", async () => {
    for (const parameter of ["user", "title", "-tag", "page_no_3"] as const) {
      const values = Array.from({ length: 1000 }, (): [string, string] => [parameter, "1"]);
      const answer = await search(values);
      expect(answer.status).toBe(400);
    }
  });

  it("are answered for any sequence of the language's operators", async () => {
    const pieces =
      '( ) [ ] { } " + - ! ~ ~2 ^ ^2 : * ? \\ / && || AND OR NOT TO harbour x 3 id: title: data_x: ' +
      "created_at: page_no_1: NOW /DAY -7DAYS 2024 * sort: 1.5 -1 é 東 \0";
    const query = fc.array(fc.constantFrom(...pieces.split(" "), " "), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(query, async (parts) => {
        const answer = await search([["q", parts.join("")]]);
        expect([200, 400]).toContain(answer.status);
      }),
      { numRuns: runsOn(engine, 150) },
    );
  });
});
