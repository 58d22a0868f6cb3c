import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Published } from "../src/testing/published.ts";
import { RequestWorld, type Sender, senders } from "../src/testing/request-world.ts";
import { runsOn } from "../src/testing/runs.ts";
import { engines } from "../src/testing/test-app.ts";
import { anyText } from "../src/testing/texts.ts";

/*
 * Every operation of the published document gets bad values in its query, and in place of the names in its path. Each
 * is refused with a reason and changes nothing, or is accepted.
 */

const published = await Published.read();
const operations = published.operations
  .filter(({ path }) => path.startsWith("/api/"))
  .map(({ name, method, path, operation: { parameters } }) => ({
    name,
    method,
    path,
    query: parameters.filter((parameter) => parameter.in === "query").map((parameter) => parameter.name),
  }));

/** Names that operations understand without publishing them, and names that none has. */
const moreNames: Readonly<Record<string, readonly string[]>> = {
  "GET /api/documents/search/": ["-project", "data_a", "text", "page_no_1"],
  "GET /api/documents/": ["data_a", "ordering"],
};
const oddNames = ["format", "__proto__", "toString", "id__in[]"];

const value = fc.oneof(
  anyText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom(
    "1e400",
    "9223372036854775808",
    "-1",
    "0.1",
    "%00",
    "%ED%A0%80",
    "%",
    "1,,2",
    ",",
    "",
    "9".repeat(5000),
    "1,".repeat(400),
    "[]",
    "__proto__",
  ),
);

describe.each(engines)("a bad address on %s", (engine) => {
  let world: RequestWorld;
  beforeAll(async () => {
    world = await RequestWorld.open(engine);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const readers = operations.filter(({ query, method }) => query.length > 0 || method === "GET");

  it.each(readers)("to $name is refused with a reason or accepted", async (operation) => {
    const { method, path, query } = operation;
    const name = fc.constantFrom(...query, ...(moreNames[operation.name] ?? []), ...oddNames);
    const given = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 4 });
    const able = RequestWorld.senderFor(operation);
    const sender = fc.constantFrom<Sender>(able, able, able, ...senders);
    await fc.assert(
      fc.asyncProperty(given, sender, async (pairs, by) => {
        const search = pairs.map((pair) => pair.join("=")).join("&");
        const target = `${RequestWorld.targetOf({ path })}?${search}`;
        // Without a body it is a request for everything that the query selects.
        expect([by, target, await world.judge(by, method, target, {})]).toEqual([by, target, "fine"]);
      }),
      { numRuns: runsOn(engine, query.length === 0 ? 2 : 16) },
    );
  });

  it("as the address to embed is refused with a reason or accepted", async () => {
    const path = fc.constantFrom(
      "1",
      "1-a-document",
      "1/pages/1.html",
      "1/annotations/1",
      "x",
      "9".repeat(40),
    );
    const host = fc.constantFrom(
      world.app.url,
      "https://www.documentcloud.org",
      "http://[",
      "",
      "//",
      "javascript:",
    );
    const base = fc.constantFrom("/documents/", "/projects/", "/api/documents/", "/");
    const rest = fc.oneof(
      anyText,
      fc.constantFrom("", "#document/p1", "#document/p1/a1", "#document/p9", "/", "?embed=1&x=%ZZ", "%ff"),
    );
    await fc.assert(
      fc.asyncProperty(fc.tuple(host, base, path, rest), async (given) => {
        const url = encodeURIComponent(given.join("").toWellFormed());
        for (const target of [`/api/oembed/?url=${url}&maxwidth=300`, `/api/oembed.json?url=${url}`])
          expect(await world.judge("owner", "GET", target, {})).toBe("fine");
      }),
      { numRuns: runsOn(engine, 50) },
    );
  });

  it("finds nothing by a strange name", async () => {
    const named = [...new Set(operations.map(({ path }) => path))].filter((path) => path.includes("{"));
    const name = fc.oneof(
      value,
      fc.constantFrom("%2f", "me", "1.0", "0x1", "1%00", "__proto__", "a".repeat(51), "x".repeat(99)),
    );
    const method = fc.constantFrom("GET", "PUT", "PATCH", "DELETE", "POST");
    const body = '{"values":["x"],"title":"x","document":1}';
    for (const path of named) {
      const parameters = [...path.matchAll(/\{\w+\}/g)].map(([parameter]) => parameter);
      const sender = fc.constantFrom<Sender>(RequestWorld.senderFor({ path }), ...senders);
      await fc.assert(
        fc.asyncProperty(
          name,
          fc.constantFrom(...parameters),
          method,
          sender,
          async (given, parameter, verb, by) => {
            const target = RequestWorld.targetOf({ path: path.replace(parameter, () => given) });
            const headers = { "content-type": "application/json" };
            const verdict = await world.judge(by, verb, target, verb === "GET" ? {} : { body, headers });
            expect([by, verb, target, verdict]).toEqual([by, verb, target, "fine"]);
          },
        ),
        { numRuns: runsOn(engine, 8) },
      );
    }
  });

  it("in If-Match is a condition that fails", async () => {
    const tag = fc.oneof(
      fc.constantFrom('"', "W/", '"a"', ",", '"x', 'W/""', "a".repeat(4000)),
      fc.string({ maxLength: 20 }),
    );
    const conditional = [
      ["documents/1/", '{"title":"y"}'],
      ["documents/1/data/k/", '{"values":["y"]}'],
      ["projects/1/documents/1/", '{"edit_access":false}'],
    ] as const;
    await fc.assert(
      fc.asyncProperty(tag, async (given) => {
        const plain = given.replaceAll(/[^\x20-\x7e]/g, "").trim();
        fc.pre(plain !== "*" && plain !== "");
        const headers = { "if-match": plain, "content-type": "application/json" };
        for (const [path, body] of conditional) {
          const answer = await world.send("owner", "PATCH", `/api/${path}`, { headers, body });
          expect([path, plain, answer.status, await answer.json()]).toEqual([
            path,
            plain,
            412,
            { detail: expect.any(String) },
          ]);
        }
      }),
      { numRuns: runsOn(engine, 40) },
    );
    expect(await world.isUnchanged()).toBe(true);
  });
});
