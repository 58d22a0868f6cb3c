import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addApiToken } from "../src/resources/users/credentials/api-token-store.ts";
import { Published, type PublishedOperation, type WrittenOperation } from "../src/testing/published.ts";
import { RequestWorld, type Sender } from "../src/testing/request-world.ts";
import { selectionOn } from "../src/testing/runs.ts";
import { engines } from "../src/testing/test-app.ts";

/*
 * The contract of collections: a list of pages to which POST adds an item, and the items. They are found in the published
 * document, and their bodies are its examples, so that a new one is tested here without being named.
 */

const published = await Published.read();
const written = new Map(published.written().map((operation) => [operation.name, operation]));
const operations = new Map(published.operations.map((operation) => [operation.name, operation]));

interface Collection {
  /** The published paths. */
  list: string;
  item: string;
}

/** POST adds a document that is there already, so its answer names no address. */
const memberships = "/api/projects/{id}/documents/";

const collections = published.operations.flatMap((operation): Collection[] => {
  const { method, path: list } = operation;
  const item = published.operations.find(
    ({ path, method: other }) => other === "GET" && isItemOf(list, path),
  )?.path;
  const isCollection =
    method === "GET" &&
    hasParameter(operation, "cursor") &&
    written.has(`POST ${list}`) &&
    list !== memberships;
  return isCollection && item !== undefined ? [{ list, item }] : [];
});

function hasParameter({ operation }: PublishedOperation, name: string): boolean {
  return operation.parameters?.some((parameter) => parameter.name.toLowerCase() === name) ?? false;
}

function isItemOf(list: string, path: string): boolean {
  return path.startsWith(list) && /^\{\w+\}\/$/.test(path.slice(list.length));
}

/** What DELETE leaves where it was, with the reason. */
const staysDeleted: Readonly<Record<string, string>> = {
  "/api/documents/": "a document is in the trash, where its owner sees it",
  "/api/holds/": "a hold that was released stays in the list",
  "/api/admin/retention_rules/": "a rule that has ended stays in the list",
  "/api/productions/": "the numbers of a production stay",
  "/api/guest_links/": "a link that was revoked stays in the list",
  "/api/addon_runs/": "a run that was cancelled stays in the list",
  "/api/addon_events/": "events are switched off: DELETE is refused",
  "/api/projects/{id}/users/": "the only admin of a project stays",
  "/api/entities/": "only administrators delete entities, and only those that no document has",
};

describe.each(engines)("collections on %s", (engine) => {
  let world: RequestWorld;
  beforeAll(async () => {
    world = await RequestWorld.open(engine);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const exampleOf = (name: string): object => world.fitted(written.get(name) as WrittenOperation).example;
  const bodyOf = ({ method, path }: PublishedOperation) =>
    method === "DELETE" ? {} : { body: exampleOf(`${method} ${path}`) };
  /** The headers of a program of the owner's that may not write. */
  const readOnly = async (): Promise<{ authorization: string }> => {
    const { database } = world.app.context;
    const options = { name: "a reader", mayWrite: false, expiresAt: null };
    const { token } = await database.write((writer) => addApiToken(writer, 1, options));
    return { authorization: `Bearer ${token}` };
  };

  it("are all of the published document", () => {
    expect(collections.length).toBeGreaterThan(15);
    const lists = new Set(collections.map(({ list }) => list));
    expect(Object.keys(staysDeleted).filter((list) => !lists.has(list))).toEqual([]);
  });

  describe.each(selectionOn(engine, collections))("at $list", ({ list, item }) => {
    beforeEach(() => world.makeAgain());
    const able = RequestWorld.senderFor({ path: list });
    const at = RequestWorld.targetOf({ path: list });

    async function ask(
      method: string,
      target: string,
      more: { body?: object; headers?: object; sender?: Sender } = {},
    ) {
      const { body, headers, sender = able } = more;
      return world.send(sender, method, target, {
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    }

    /** The path of a new item, and what the answer shows of it. */
    async function add(): Promise<{ target: string; shown: Record<string, unknown> }> {
      const answer = await ask("POST", at, { body: exampleOf(`POST ${list}`) });
      const shown = (await answer.json()) as Record<string, unknown>;
      expect([answer.status, shown]).toEqual([201, expect.any(Object)]);
      const location = answer.headers.get("location") ?? "";
      expect(location.startsWith(`${world.app.url}${at}`)).toBe(true);
      return { target: location.slice(world.app.url.length), shown };
    }

    /** The operations that change an item, with an example of a body. */
    const changes = ["PUT", "PATCH", "DELETE"].flatMap((method) => {
      const operation = operations.get(`${method} ${item}`);
      return operation === undefined ? [] : [{ method, operation }];
    });

    it("show a new item at its address and once in the pages of the list", async () => {
      const { target, shown } = await add();
      const read = await ask("GET", target);
      const json = (await read.json()) as Record<string, unknown>;
      const secrets = Object.keys(shown).filter((name) => !(name in json));
      expect([read.status, secrets.length < 3]).toEqual([200, true]);
      const found: string[] = [];
      for (let page: string | null = `${at}?per_page=1`; page !== null;) {
        const answer = await ask("GET", page);
        const { next, results } = (await answer.json()) as { next: string | null; results: object[] };
        expect([answer.status, results.length, found.length < 100]).toEqual([200, 1, true]);
        found.push(...results.map((result) => JSON.stringify(result)));
        page = next === null ? null : next.slice(world.app.url.length);
      }
      expect(new Set(found).size).toBe(found.length);
      const whole = (await (await ask("GET", at)).json()) as { results: object[] };
      expect(whole.results.map((result) => JSON.stringify(result))).toEqual(found);
      const name = target.split("/").at(-2) ?? "";
      expect(whole.results.some((result) => Object.values(result).map(String).includes(name))).toBe(true);
    });

    it("refuse an invalid cursor, and respond with 404 to names that no item has", async () => {
      const bad = await ask("GET", `${at}?cursor=bad`);
      expect([bad.status, await bad.json()]).toEqual([404, { detail: "Invalid cursor" }]);
      for (const name of ["999999", "0", "x", "00000000-0000-4000-8000-999999999999"])
        for (const { method, operation } of [{ method: "GET", operation: null }, ...changes]) {
          const answer = await ask(method, `${at}${name}/`, operation === null ? {} : bodyOf(operation));
          expect([method, name, answer.status]).toEqual([method, name, 404]);
        }
    });

    it("answer HEAD as GET, without the body, and 304 for a version that is known", async () => {
      const { target } = await add();
      for (const path of [at, target]) {
        const whole = await ask("GET", path);
        const tag = whole.headers.get("etag") ?? "";
        await whole.arrayBuffer();
        const head = await ask("HEAD", path);
        expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, tag, ""]);
        expect((await ask("GET", path, { headers: { "if-none-match": tag } })).status).toBe(304);
      }
    });

    it("change an item only if If-Match holds", async () => {
      for (const { method, operation } of changes.filter((change) =>
        hasParameter(change.operation, "if-match"),
      )) {
        const { target } = await add();
        const tag = (await ask("GET", target)).headers.get("etag") ?? "";
        // Only administrators delete entities.
        const isOfAdministrators = method === "DELETE" && list === "/api/entities/";
        const body = {
          ...bodyOf(operation),
          ...(isOfAdministrators && { sender: "administrator" as const }),
        };
        const refused = await ask(method, target, { ...body, headers: { "if-match": '"another"' } });
        expect([method, refused.status]).toEqual([method, 412]);
        expect((await ask("GET", target)).headers.get("etag")).toBe(tag);
        const changed = await ask(method, target, { ...body, headers: { "if-match": tag } });
        expect([method, changed.status < 300 || list in staysDeleted]).toEqual([method, true]);
        await world.makeAgain();
      }
    });

    const isEmptied = operations.has(`DELETE ${item}`) && !(list in staysDeleted);
    it.each(isEmptied ? [item] : [])("delete %s once", async () => {
      const { target } = await add();
      expect((await ask("DELETE", target)).status).toBe(204);
      expect((await ask("GET", target)).status).toBe(404);
      expect((await ask("DELETE", target)).status).toBe(404);
    });

    it("let only those write who may, and describe the fields to them alone", async () => {
      const { target } = await add();
      const reader = await readOnly();
      const writes = [
        { method: "POST", path: at },
        ...changes.map(({ method }) => ({ method, path: target })),
      ];
      for (const { method, path } of writes) {
        // What nobody may see answers like what is not there.
        for (const headers of [{}, reader]) {
          const { status } = await world.send("nobody", method, path, { headers });
          expect([method, status === 403 || status === 404]).toEqual([method, true]);
        }
      }
      const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
      for (const [route, path] of [
        [list, at],
        [item, target],
      ] as const) {
        const has = methods.filter((method) => operations.has(`${method} ${route}`));
        const allow = (await ask("OPTIONS", path)).headers.get("allow");
        expect(allow).toBe([...has, "HEAD", "OPTIONS"].join(", "));
      }
      const described = (await (await ask("OPTIONS", at)).json()) as { actions?: Record<string, object> };
      const { shape } = written.get(`POST ${list}`) as WrittenOperation;
      expect(Object.keys(described.actions?.["POST"] ?? {})).toEqual(
        expect.arrayContaining(Object.keys(shape.properties ?? {})),
      );
      const other = await world.send("nobody", "OPTIONS", at, { headers: reader });
      expect(await other.json()).not.toHaveProperty("actions");
    });

    it("have forms for those who may write", async () => {
      const { target } = await add();
      const pages = [at, target].map(async (path) =>
        (await ask("GET", path, { headers: { accept: "text/html" } })).text(),
      );
      const [listed = "", shown = ""] = await Promise.all(pages);
      const isChanged = written.has(`PUT ${item}`) || written.has(`PATCH ${item}`);
      expect([listed.includes("Add one"), shown.includes("Change this")]).toEqual([true, isChanged]);
      const headers = { accept: "text/html", ...(await readOnly()) };
      for (const path of [at, target]) {
        const page = await (await world.send("nobody", "GET", path, { headers })).text();
        expect([path, page.includes("Add one"), page.includes("Change this")]).toEqual([path, false, false]);
      }
    });
  });
});
