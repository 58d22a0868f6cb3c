import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { answerAt } from "../../testing/lists.ts";
import { addPerson } from "../../testing/people.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

const listAllows = "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS";
const recordAllows = "GET, PUT, PATCH, DELETE, HEAD, OPTIONS";
const chromium = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** Headers that differ between any two responses. */
const own = new Set(["date", "x-request-id", "connection", "keep-alive"]);
const headersOf = (answer: Response): [string, string][] =>
  [...answer.headers].filter(([name]) => !own.has(name));

describe.each(defaultEngines)("the documents on %s", (engine) => {
  const app = useApp(engine);
  const list = "/api/documents/";
  const record = "/api/documents/1/";
  beforeAll(async () => {
    await addDocuments(
      app.context,
      Array.from({ length: 30 }, () => ({})),
    );
  });

  describe("HEAD", () => {
    it.each([
      list,
      record,
      `${list}?per_page=3`,
      `${list}?format=api`,
      `${list}?cursor=bad`,
      "/api/documents/99/",
    ])("of %s equals GET without the body", async (address) => {
      const get = await answerAt(app, address);
      const head = await answerAt(app, address, { method: "HEAD" });
      expect(head.status).toBe(get.status);
      expect(headersOf(head)).toEqual(headersOf(get));
      expect(Number(head.headers.get("content-length"))).toBe((await get.arrayBuffer()).byteLength);
      expect(await head.text()).toBe("");
    });
  });

  describe("OPTIONS", () => {
    it.each([
      [list, "Document List", listAllows, ["application/json", "multipart/form-data"]],
      [record, "Document Instance", recordAllows, ["application/json", "multipart/form-data"]],
      [
        "/api/",
        "Api Root",
        "GET, HEAD, OPTIONS",
        ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"],
      ],
    ])("of %s describes the view", async (address, name, allow, parses) => {
      const answer = await answerAt(app, address, { method: "OPTIONS" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("allow")).toBe(allow);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(await answer.json()).toEqual({
        name,
        description: expect.stringMatching(/./),
        renders: ["application/json", "text/html"],
        parses,
      });
    });
  });

  describe("writing", () => {
    it.each(["POST", "PUT", "PATCH", "DELETE"])("to the list with %s requires signing in", async (method) => {
      for (const body of [undefined, '{"title":"a"}', "{", "\0"]) {
        const answer = await answerAt(app, list, {
          method,
          body: body ?? null,
          headers: { "content-type": "application/json" },
        });
        expect(answer.status).toBe(403);
        expect(await answer.json()).toEqual({ detail: "Authentication credentials were not provided." });
        expect(answer.headers.get("allow")).toBe(listAllows);
      }
    });

    it.each(["PUT", "PATCH", "DELETE"])(
      "to a record with %s requires signing in, whether or not the record exists",
      async (method) => {
        for (const address of [record, "/api/documents/99/"]) {
          const answer = await answerAt(app, address, { method });
          expect(answer.status).toBe(403);
          expect(answer.headers.get("allow")).toBe(recordAllows);
        }
      },
    );

    it.each([
      [record, "POST", recordAllows],
      ["/api/", "DELETE", "GET, HEAD, OPTIONS"],
    ])("to %s with %s returns 405 for everyone", async (address, method, allow) => {
      const person = await addPerson(app.context, { username: `person-${method}` });
      const answer = await answerAt(app, address, { method, headers: person.headers });
      expect(answer.status).toBe(405);
      expect(await answer.json()).toEqual({ detail: `Method "${method}" not allowed.` });
      expect(answer.headers.get("allow")).toBe(allow);
      expect((await answerAt(app, address, { method })).status).toBe(403);
    });
  });

  describe("an address without its trailing slash", () => {
    it.each([
      ["/api/documents", "/api/documents/"],
      ["/api/documents?a=b%20c&cursor=cD0y&a", "/api/documents/?a=b%20c&cursor=cD0y&a"],
      ["/api/documents?a=b?c", "/api/documents/?a=b?c"],
      ["/api/documents?", "/api/documents/?"],
      ["/api/documents/1", "/api/documents/1/"],
      ["/api/documents/99?x=y", "/api/documents/99/?x=y"],
      ["/api", "/api/"],
    ])("redirects from %s to %s", async (from, to) => {
      for (const method of ["GET", "HEAD", "POST"]) {
        const answer = await answerAt(app, from, { method });
        expect(answer.status).toBe(301);
        expect(answer.headers.get("location")).toBe(to);
      }
    });
  });

  describe("the format of a response", () => {
    it.each([
      ["*/*", "application/json"],
      ["application/json", "application/json"],
      ["application/json; charset=utf-8", "application/json"],
      [chromium, "text/html; charset=utf-8"],
    ])("for Accept: %s is %s", async (accept, type) => {
      for (const address of [list, record, "/api/"])
        expect((await answerAt(app, address, { headers: { accept } })).headers.get("content-type")).toBe(
          type,
        );
    });

    it("is chosen by format rather than by Accept", async () => {
      const page = await answerAt(app, `${list}?format=api`, { headers: { accept: "application/json" } });
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const json = await answerAt(app, `${list}?format=json`, { headers: { accept: chromium } });
      expect(json.headers.get("content-type")).toBe("application/json");
      for (const answer of [page, json]) {
        expect(answer.headers.get("vary")).toBe("Accept");
        expect(answer.headers.get("cache-control")).toBe("no-cache");
        expect(answer.headers.get("allow")).toBe(listAllows);
      }
    });

    it.each(["xml", "html", "JSON"])("returns 404 for format=%s", async (format) => {
      for (const address of [list, record]) {
        const answer = await answerAt(app, `${address}?format=${format}`, {
          headers: { accept: "application/xml" },
        });
        expect(answer.status).toBe(404);
        expect(answer.headers.get("content-type")).toBe("application/json");
        expect(await answer.text()).toBe('{"detail":"Not found."}');
      }
    });

    it("returns 406 if no format is acceptable", async () => {
      for (const address of [list, record, `${list}?cursor=bad`]) {
        const answer = await answerAt(app, address, { headers: { accept: "application/xml, image/*" } });
        expect(answer.status).toBe(406);
        expect(answer.headers.get("content-type")).toBe("application/json");
        expect(await answer.text()).toBe('{"detail":"Could not satisfy the request Accept header."}');
      }
    });

    it("is indented if Accept says so", async () => {
      const plain = await (await answerAt(app, record)).text();
      const accept = "application/json; indent=4";
      for (let time = 0; time < 3; time++) {
        const answer = await answerAt(app, record, { headers: { accept } });
        expect(await answer.text()).toBe(JSON.stringify(JSON.parse(plain), null, 4));
        expect(answer.headers.get("content-type")).toBe("application/json");
      }
    });
  });

  describe("cross-origin requests", () => {
    const origin = "https://other.org";
    it.each([list, record, "/api/documents/99/", `${list}?cursor=bad`, `${list}?format=xml`])(
      "may read %s, without credentials",
      async (address) => {
        for (let time = 0; time < 3; time++) {
          const { headers } = await answerAt(app, address, { headers: { origin } });
          expect(headers.get("access-control-allow-origin")).toBe("*");
          expect(headers.get("access-control-allow-credentials")).toBeNull();
        }
      },
    );

    it("may send preflight requests", async () => {
      const headers = {
        origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "if-none-match",
      };
      const answer = await answerAt(app, list, { method: "OPTIONS", headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-allow-methods")).toContain("GET");
      expect(answer.headers.get("access-control-allow-headers")).toContain("if-none-match");
      expect(await answer.text()).toBe("");
    });
  });
});
