import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentFileKey } from "../src/files/keys.ts";
import { dumpOf } from "../src/testing/access-world.ts";
import { addDocuments, projectRow } from "../src/testing/factories.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { isRefusal } from "../src/testing/refusals.ts";
import { type TestApp, engines, startTestApp } from "../src/testing/test-app.ts";
import { anyText } from "../src/testing/texts.ts";
import { insertNote } from "../src/resources/notes/store.ts";
import { runsOn, selectionOn, shareOf } from "../src/testing/runs.ts";

/**
 * A limit for requests whose time grows with their input. A request that is fine takes less than a second on its own.
 */
const patienceMilliseconds = 20_000;
/** The maximum length of a body. A record's body may contain the texts of pages. */
const limitBytes = (target: string): number => (target === "/api/documents/1/" ? 8 : 1) * 1024 * 1024;
const depth = 100_000;

/** Values as JSON text, because JSON.stringify would not produce some of them. */
const hardValues = [
  "null true false 0 -1 0.1 -0 1e400 -1e309 9223372036854775808 99999999999999999999 1e-400 7 2",
  '"" " " "0" "1" "x" "a.b" [] {} [[]] [{}] [null] {"":""} "\\u0000" "a\\u0000b" "\\ud800" "\\udc00x" "\\uffff"',
  '"__proto__" {"__proto__":{"x":1}} {"constructor":1} {"toString":["a"],"a":["b"]} {"a":1,"a":["b"]} ["__proto__"]',
  '"public" "invisible" "2025-01-01" "2025-13-45" "+999999-01-01T00:00:00Z" "0000-00-00" "http://" "javascript:alert(1)"',
  '"http://example.org/\\u0000" "ftp://a.b/\\ud800" {"a":["\\ud800"]} {"a":["\\u0000"]} {"a":[[["x"]]]} {"\\u0000":[]} [1,1]',
]
  .join(" ")
  .split(" ");
const hugeValues = [
  `"${"x".repeat(1_000_000)}"`,
  `"${"\u{1F600}".repeat(250_000)}"`,
  "9".repeat(100_000),
  "[".repeat(depth) + "]".repeat(depth),
  `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
  `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`,
  `[${"1,".repeat(200_000)}1]`,
  `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":["${index}"]`).join()}}`,
];
const anyValue = fc.oneof(
  { arbitrary: fc.constantFrom(...hardValues), weight: 6 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)), weight: 2 },
  { arbitrary: anyText.map((text) => JSON.stringify(text)), weight: 2 },
);

/** The tables that requests write to, except for the history. */
const written = [
  "documents",
  "projects",
  "project_memberships",
  "project_collaborators",
  "users",
  "notes",
  "sections",
  "entities",
  "entity_occurrences",
  "saved_searches",
  "document_rewrites",
  "jobs",
] as const;

const documentFields =
  "id access data description language noindex original_extension publish_at published_url related_article " +
  "revision_control source title user organization projects file_url slug status pages";
const oddNames = ["__proto__", "constructor", "toString", "hasOwnProperty", "", "a\\u0000", "\\ud800", "0"];

interface Route {
  method: string;
  target: string;
  /** Members without which every request would be refused for the same reason: JSON without braces. */
  base: string;
  fields: string;
  isList: boolean;
}

const noteFields = "title content page_number access x1 x2 y1 y2 content_html user id";
const savedSearch = "00000000-0000-4000-8000-000000000001";

const occurrenceFields = "entity relevance occurrences page content";
const entityFields = "wikidata_id name description wikipedia_url metadata";

const projectFields = "title description private pinned slug user";

/** Documents 1 and 2 and project 1 exist, and the client may change all of them. */
const routes: Route[] = [
  { method: "POST", target: "/api/documents/", base: '"title":"x"', fields: documentFields, isList: false },
  { method: "POST", target: "/api/documents/", base: '"title":"x"', fields: documentFields, isList: true },
  { method: "PUT", target: "/api/documents/1/", base: '"title":"x"', fields: documentFields, isList: false },
  {
    method: "PATCH",
    target: "/api/documents/1/",
    base: '"source":"x"',
    fields: documentFields,
    isList: false,
  },
  {
    method: "PUT",
    target: "/api/documents/",
    base: '"id":1,"title":"x"',
    fields: documentFields,
    isList: true,
  },
  { method: "PATCH", target: "/api/documents/", base: '"id":2', fields: documentFields, isList: true },
  {
    method: "PUT",
    target: "/api/documents/1/data/a/",
    base: '"values":["x"]',
    fields: "values remove",
    isList: false,
  },
  {
    method: "PATCH",
    target: "/api/documents/1/data/a/",
    base: '"values":["x"]',
    fields: "values remove",
    isList: false,
  },
  { method: "DELETE", target: "/api/documents/1/data/a/", base: '"x":1', fields: "values", isList: false },
  ...["POST", "PUT", "PATCH"].map((method) => ({
    method,
    target: "/api/projects/1/documents/",
    base: '"document":2',
    fields: "document edit_access",
    isList: true,
  })),
  {
    method: "POST",
    target: "/api/projects/1/documents/",
    base: '"document":2',
    fields: "document edit_access",
    isList: false,
  },
  {
    method: "PUT",
    target: "/api/projects/1/documents/1/",
    base: '"document":1',
    fields: "document edit_access",
    isList: false,
  },
  {
    method: "PATCH",
    target: "/api/projects/1/documents/1/",
    base: '"edit_access":true',
    fields: "document edit_access",
    isList: false,
  },
  { method: "POST", target: "/api/projects/", base: '"title":"x"', fields: projectFields, isList: false },
  { method: "PUT", target: "/api/projects/1/", base: '"title":"x"', fields: projectFields, isList: false },
  { method: "PATCH", target: "/api/projects/1/", base: '"title":"x"', fields: projectFields, isList: false },
  {
    method: "POST",
    target: "/api/projects/1/users/",
    base: '"access":"view"',
    fields: "email access user",
    isList: false,
  },
  {
    method: "PATCH",
    target: "/api/projects/1/users/3/",
    base: '"access":"admin"',
    fields: "email access user",
    isList: false,
  },
  {
    method: "PATCH",
    target: "/api/users/me/",
    base: '"name":"x"',
    fields: "organization name email username avatar_url",
    isList: false,
  },
  {
    method: "PUT",
    target: "/api/users/me/",
    base: '"name":"x"',
    fields: "organization name email username avatar_url",
    isList: false,
  },
  ...[
    ["POST", "notes/", '"title":"x","page_number":0', noteFields],
    ["PUT", "notes/1/", '"title":"x","page_number":0', noteFields],
    ["PATCH", "notes/1/", '"title":"x"', noteFields],
    ["POST", "sections/", '"title":"x","page_number":0', "title page_number id"],
    ["PUT", "sections/1/", '"title":"x","page_number":0', "title page_number id"],
    ["PATCH", "sections/1/", '"title":"x"', "title page_number id"],
    ["POST", "entities/", '"entity":2', occurrenceFields],
    ["PUT", "entities/1/", '"relevance":1', occurrenceFields],
    ["PATCH", "entities/1/", '"relevance":1', occurrenceFields],
  ].map(([method = "", place = "", base = "", fields = ""]) => ({
    method,
    target: `/api/documents/1/${place}`,
    base,
    fields,
    isList: false,
  })),
  ...[
    ["POST", ""],
    ["PUT", `${savedSearch}/`],
    ["PATCH", `${savedSearch}/`],
  ].map(([method = "", place = ""]) => ({
    method,
    target: `/api/documents/search/saved/${place}`,
    base: '"name":"x","query":"x"',
    fields: "uuid name query",
    isList: false,
  })),
];

for (const [method, target, base, fields, isList] of [
  ["POST", "/api/entities/", '"wikidata_id":"Q3"', entityFields, false],
  ["POST", "/api/entities/", '"wikidata_id":"Q3"', entityFields, true],
  ["PUT", "/api/entities/1/", '"name":"x"', entityFields, false],
  ["PATCH", "/api/entities/1/", '"name":"x"', entityFields, false],
  ["POST", "/api/documents/1/entities/", '"entity":2', occurrenceFields, true],
] as const)
  routes.push({ method, target, base, fields, isList });

/** Addresses that accept no forms. */
const jsonOnly: ReadonlySet<string> = new Set([
  "/api/documents/process/",
  "/api/documents/1/redactions/",
  "/api/documents/1/modifications/",
]);
const processFields = "id ids force_ocr ocr_engine";
for (const [target, base, isList] of [
  ["/api/documents/1/process/", '"x":1', false],
  ["/api/documents/process/", '"id":1', true],
  ["/api/documents/process/", '"ids":[1]', false],
] as const)
  routes.push({ method: "POST", target, base, fields: processFields, isList });
routes.push(
  {
    method: "POST",
    target: "/api/documents/1/redactions/",
    base: '"x1":0.1,"x2":0.2,"y1":0.1,"y2":0.2,"page_number":0',
    fields: "x1 x2 y1 y2 page_number",
    isList: true,
  },
  {
    method: "POST",
    target: "/api/documents/1/modifications/",
    base: '"page":"0"',
    fields: "id page modifications",
    isList: true,
  },
);

describe.each(engines)("bad input on %s", (engine) => {
  let app: TestApp;
  let person: Person;
  let administrator: Person;
  let before: string;
  let version: string | number;
  beforeAll(async () => {
    app = await startTestApp(engine);
    await addDocuments(app.context, []);
    administrator = await addPerson(app.context, { username: "administrator", isAdministrator: true });
    for (const id of [1, 2]) {
      const key = documentFileKey(id, document.slug, document.original_extension);
      await app.context.files.put(key, Readable.from([Buffer.from("%PDF-")]));
    }
    person = await addPerson(app.context, { username: "owner", organizations: [1, 2] });
    await makeAgain();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** Documents 1 and 2, the first of them in the project. */
  async function makeAgain(): Promise<void> {
    await app.context.database.write(async (writer) => {
      await writer.deleteFrom("documents").execute();
      await writer.deleteFrom("jobs").execute();
      await writer.deleteFrom("projects").execute();
      await writer
        .insertInto("projects")
        .values(Object.assign({ id: 1 }, projectRow()))
        .execute();
      await app.context.database.dialect.afterOwnIds("projects")?.execute(writer);
      const collaborator = { project_id: 1, user_id: person.id, access: "admin" } as const;
      await writer.insertInto("project_collaborators").values(collaborator).execute();
      const rows = [1, 2].map((id) => Object.assign({ id, user_id: person.id }, document));
      await writer.insertInto("documents").values(rows).execute();
      await app.context.database.dialect.afterOwnIds("documents")?.execute(writer);
      const membership = { project_id: 1, document_id: 1, edit_access: true };
      await writer.insertInto("project_memberships").values(membership).execute();
      await writer.deleteFrom("saved_searches").execute();
      const times = { created_at: moment, updated_at: moment };
      const mine = { document_id: 1, user_id: person.id, organization_id: 1, page_number: 0, ...times };
      const note = { access: "private", title: "A note", content: "", content_html: "" } as const;
      await insertNote(writer, Object.assign({ id: 1, x1: 0, x2: 1, y1: 0, y2: 1 }, mine, note));
      const section = { document_id: 1, page_number: 0, title: "A section" };
      await writer
        .insertInto("sections")
        .values(Object.assign({ id: 1 }, section))
        .execute();
      await writer.deleteFrom("entities").execute();
      for (const id of [1, 2]) {
        const said = { name: "An entity", description: "", wikipedia_url: "", metadata: "{}", ...times };
        const entity = { id, user_id: person.id, wikidata_id: `Q${id}`, ...said };
        await writer.insertInto("entities").values(entity).execute();
      }
      const place = { document_id: 1, entity_id: 1, relevance: 0, occurrences: "[]" };
      await writer.insertInto("entity_occurrences").values(place).execute();
      for (const table of ["entities", "notes", "sections"] as const)
        await app.context.database.dialect.afterOwnIds(table)?.execute(writer);
      const search = { uuid: savedSearch, user_id: person.id, name: "A search", query: "x", ...times };
      await writer.insertInto("saved_searches").values(search).execute();
    });
    before = await state();
    version = await app.context.database.version();
  }

  /** Whether requests have changed nothing. If the version is the same, the tables need not be compared. */
  async function isUnchanged(): Promise<boolean> {
    const now = await app.context.database.version();
    if (now === version) return true;
    if ((await state()) !== before) return false;
    version = now;
    return true;
  }

  /** The contents of the tables that requests write to; the other tables depend on them. The history only grows. */
  async function state(): Promise<string> {
    const { last } = await app.context.database.reader
      .selectFrom("document_history")
      .select(({ fn }) => fn.max("id").as("last"))
      .executeTakeFirstOrThrow();
    return `${last} ${await dumpOf(app, written)}`;
  }

  /** Describes what is wrong with the answer to a request, if anything. */
  async function judged(method: string, target: string, init: RequestInit): Promise<string> {
    const sentAt = performance.now();
    const answer = await app.fetch(target, {
      method,
      redirect: "manual",
      ...init,
      headers: { ...person.headers, ...(init.headers as Record<string, string> | undefined) },
    });
    const text = await answer.text();
    const took = performance.now() - sentAt;
    if (took > patienceMilliseconds) return `took ${took} ms`;
    if (answer.status >= 500) return `${answer.status}: ${text}`;
    if (answer.status < 300) {
      await makeAgain();
      return "fine";
    }
    if (!isRefusal(text)) return `${answer.status}: ${text.slice(0, 500)}`;
    if (!(await isUnchanged())) return `${answer.status}, but something changed: ${text.slice(0, 500)}`;
    return "fine";
  }

  const sendText = (method: string, target: string, body: string): Promise<string> =>
    judged(method, target, { body, headers: { "content-type": "application/json" } });

  describe.each(routes)("to $method $target", (route) => {
    const { method, target, base, fields, isList } = route;
    /** Different for each route, so that the routes share the values among them. */
    const turn = routes.indexOf(route);
    const names = [...fields.split(" "), ...oddNames];
    const objectOf = (members: readonly (readonly [string, string])[]): string =>
      `{${[base, ...members.map(([name, value]) => `"${name}":${value}`)].join()}}`;
    const inList = (items: readonly string[]): string => (isList ? `[${items.join()}]` : (items[0] ?? "{}"));

    it("as any member is refused with a reason or accepted", async () => {
      const members = names.flatMap((name) =>
        hardValues
          .filter((_, index) => (index + name.length) % 12 === 0)
          .map((value) => [name, value] as const),
      );
      for (const member of selectionOn(engine, shareOf(members, 3, turn))) {
        const verdict = await sendText(method, target, inList([objectOf([member])]));
        expect([...member, verdict]).toEqual([...member, "fine"]);
      }
    });

    it("as any members, even repeated ones, is refused with a reason or accepted", async () => {
      const member = fc.tuple(fc.constantFrom(...names), anyValue);
      const item = fc.oneof(
        { arbitrary: fc.array(member, { minLength: 1, maxLength: 4 }).map(objectOf), weight: 5 },
        { arbitrary: anyValue, weight: 1 },
      );
      const body = fc.array(item, { minLength: 1, maxLength: isList ? 3 : 1 }).map(inList);
      await fc.assert(
        fc.asyncProperty(body, async (text) => {
          expect(await sendText(method, target, text)).toBe("fine");
        }),
        { numRuns: runsOn(engine, 12) },
      );
    });

    it("is refused with a reason if it is huge or deeply nested", async () => {
      const [first = ""] = fields.split(" ").slice(-1);
      for (const [index, value] of selectionOn(engine, shareOf([...hugeValues.entries()], 4, turn), 2)) {
        const name = index % 2 === 0 ? first : (names[2] ?? "");
        expect(await sendText(method, target, value)).toBe("fine");
        expect(await sendText(method, target, inList([objectOf([[name, value]])]))).toBe("fine");
      }
    });

    it.each(brokenBodies)("is refused in words as $what", async ({ type, body, status, detail }) => {
      const headers = type === null ? {} : { "content-type": type };
      const answer = await app.fetch(target, { method, body, headers: { ...person.headers, ...headers } });
      const text = await answer.text();
      const isForm = type?.startsWith("application/x-www-form-urlencoded") === true;
      // Such a form is refused only at the addresses of documents themselves. DELETE ignores the body.
      const isFree = method === "DELETE" || (isForm && !/^\/api\/documents\/(1\/)?$/.test(target));
      const [right, words] =
        jsonOnly.has(target) && type?.startsWith("multipart/") ? [415, unsupported] : [status, detail];
      const isAsItShouldBe = answer.status === right && words.test(text) && isRefusal(text);
      expect([answer.status, text, isAsItShouldBe || (isFree && answer.status < 500)]).toEqual([
        answer.status,
        text,
        true,
      ]);
      if (answer.status < 300) await makeAgain();
      expect(await isUnchanged()).toBe(true);
    });

    it("is refused with a reason as any bytes of any type", async () => {
      const types = [
        "application/json",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "text/plain",
        "json",
        ";",
        "application/json; charset=utf-16",
      ];
      const piece = fc.constantFrom(
        "--x",
        "--x--",
        "\r\n",
        "\r\n\r\n",
        'Content-Disposition: form-data; name="title"',
        'Content-Disposition: form-data; name="data"; filename="a"',
        "Content-Type: text/plain",
        "{",
        "}",
        "[",
        '"',
        ":",
        "1",
        "\0",
        "é",
      );
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(""))),
      );
      await fc.assert(
        fc.asyncProperty(bytes, fc.constantFrom(...types), async (body, type) => {
          const headers = { "content-type": type };
          expect(await judged(method, target, { body: Buffer.from(body), headers })).toBe("fine");
        }),
        { numRuns: runsOn(engine, 10) },
      );
    });
  });

  describe("in a form", () => {
    it("is refused with a reason, whatever its parts are and however often they repeat", async () => {
      const value = fc.oneof(
        anyText,
        fc.constantFrom("", "[", "{}", '{"a":["b"]}', "1e400", "null", "\0", "public"),
      );
      const names = [
        ...documentFields.split(" "),
        "values",
        "remove",
        "page_number",
        "content",
        "x1",
        "name",
        "query",
        "entity",
        "relevance",
        "occurrences",
        "wikidata_id",
        "metadata",
        "wikipedia_url",
        "__proto__",
        "toString",
        "csrfmiddlewaretoken",
      ];
      const pairs = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(
          pairs,
          fc.constantFrom(
            "PATCH /api/documents/1/",
            "POST /api/documents/",
            "PUT /api/documents/1/data/a/",
            "PATCH /api/documents/",
            "POST /api/projects/1/documents/",
            "POST /api/documents/1/notes/",
            "PATCH /api/documents/1/notes/1/",
            "POST /api/documents/1/sections/",
            "POST /api/documents/1/entities/",
            "PATCH /api/documents/1/entities/1/",
            "POST /api/entities/",
            "PUT /api/entities/1/",
            "POST /api/documents/search/saved/",
          ),
          async (given, route) => {
            const [method = "", target = ""] = route.split(" ");
            expect(await judged(method, target, { body: parts(...given) })).toBe("fine");
          },
        ),
        { numRuns: runsOn(engine, 150) },
      );
    });
  });

  describe("in an address", () => {
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

    it.each([
      ["DELETE /api/documents/", "id__in user access ordering"],
      ["DELETE /api/projects/1/documents/", "document_id__in"],
      ["GET /api/projects/1/documents/", "document_id__in cursor per_page ordering expand format"],
      ["GET /api/documents/1/history/", "cursor per_page format"],
      [
        "GET /api/documents/",
        "user organization project access status id__in created_at__lt page_count cursor ordering expand per_page format",
      ],
      ["GET /api/documents/1/", "expand format"],
      ["GET /api/documents/1/notes/", "page_number cursor per_page expand fields omit format"],
      ["GET /api/documents/1/notes/1/", "expand fields omit format"],
      ["GET /api/documents/1/sections/", "page_number cursor per_page format"],
      ["GET /api/documents/search/saved/", "cursor per_page format"],
      ["GET /api/users/", "id__in organization project username name cursor ordering expand per_page"],
      ["GET /api/organizations/", "id__in uuid__in individual name slug cursor ordering per_page"],
      [
        "GET /api/documents/search/",
        "q sort order hl explain version page cursor per_page expand user -project access created_at page_count " +
          "data_a title text page_no_1 facets suggest format",
      ],
      ["GET /api/documents/search/suggest/", "q format"],
      ["GET /api/documents/1/search/", "q hl format"],
      ["GET /api/documents/1/mentions/", "q start format"],
      ["GET /api/documents/1/data/", "format"],
      ["GET /api/documents/1/process/", "format"],
      ["GET /api/documents/pending/", "format"],
      ["GET /api/documents/1/errors/", "cursor per_page format"],
      ["GET /api/documents/1/receipts/", "cursor per_page format"],
      ["GET /api/documents/1/process/events/", "format"],
      ["GET /api/documents/1/pending/", "format"],
      ["GET /api/documents/1/entities/", "name wikidata_id cursor per_page expand fields omit format"],
      ["GET /api/documents/1/entities/1/", "expand fields omit format"],
      ["GET /api/entities/", "name wikidata_id wikidata_id__in cursor per_page expand fields omit format"],
      ["GET /api/entities/1/", "expand fields omit format"],
      ["GET /api/oembed/", "url maxwidth maxheight format"],
      ["GET /api/oembed.json", "url maxwidth maxheight"],
      ["GET /api/statistics/", "date cursor per_page format"],
      ["GET /api/addons/", "active cursor per_page format"],
    ])("to %s is refused with a reason or accepted", async (route, names) => {
      const [method = "", target = ""] = route.split(" ");
      const name = fc.constantFrom(...names.split(" "), "__proto__", "toString", "id__in[]");
      const query = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(query, async (given) => {
          const search = given.map((pair) => pair.join("=")).join("&");
          const headers = target === "/api/statistics/" ? administrator.headers : {};
          expect(await judged(method, `${target}?${search}`, { headers })).toBe("fine");
        }),
        { numRuns: runsOn(engine, 20) },
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
        app.url,
        "https://www.documentcloud.org",
        "http://[",
        "",
        "//",
        "javascript:",
      );
      const place = fc.constantFrom("/documents/", "/projects/", "/api/documents/", "/");
      const rest = fc.oneof(
        anyText,
        fc.constantFrom("", "#document/p1", "#document/p1/a1", "#document/p9", "/", "?embed=1&x=%ZZ", "%ff"),
      );
      await fc.assert(
        fc.asyncProperty(fc.tuple(host, place, path, rest), async (given) => {
          const url = encodeURIComponent(given.join("").toWellFormed());
          expect(await judged("GET", `/api/oembed/?url=${url}&maxwidth=300`, {})).toBe("fine");
        }),
        { numRuns: runsOn(engine, 100) },
      );
    });

    it("finds no document, key or project with a strange name", async () => {
      const name = fc.oneof(
        value,
        fc.constantFrom("%2f", "me", "1.0", "0x1", "1%00", "__proto__", "a".repeat(51), "x".repeat(99)),
      );
      const place = fc.constantFrom(
        "documents/*/",
        "documents/*/data/",
        "documents/1/data/*/",
        "documents/*/history/",
        "documents/*/notes/",
        "documents/1/notes/*/",
        "documents/*/sections/",
        "documents/*/process/",
        "documents/*/pending/",
        "documents/*/errors/",
        "documents/*/receipts/",
        "documents/*/redactions/",
        "documents/*/mentions/",
        "documents/*/file/",
        "documents/*/modifications/",
        "documents/*/process/events/",
        "documents/*/search/",
        "documents/*/entities/",
        "documents/1/entities/*/",
        "entities/*/",
        "documents/1/sections/*/",
        "documents/search/saved/*/",
        "projects/*/documents/",
        "projects/1/documents/*/",
        "users/*/",
        "organizations/*/",
      );
      const method = fc.constantFrom("GET", "PUT", "PATCH", "DELETE", "POST");
      await fc.assert(
        fc.asyncProperty(name, place, method, async (given, where, verb) => {
          const body =
            verb === "GET"
              ? {}
              : {
                  body: '{"values":["x"],"title":"x","document":1}',
                  headers: { "content-type": "application/json" },
                };
          expect(await judged(verb, `/api/${where.replace("*", () => given)}`, body)).toBe("fine");
        }),
        { numRuns: runsOn(engine, 150) },
      );
    });
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
        for (const [place, body] of conditional) {
          const answer = await app.fetch(`/api/${place}`, {
            method: "PATCH",
            headers: { ...person.headers, ...headers },
            body,
          });
          expect([place, plain, answer.status, await answer.json()]).toEqual([
            place,
            plain,
            412,
            { detail: expect.any(String) },
          ]);
        }
      }),
      { numRuns: runsOn(engine, 60) },
    );
    expect(await state()).toBe(before);
  });

  it("is too large above one megabyte, or eight where it may contain pages, even in chunks and with any type", async () => {
    const sending = routes.filter(({ method }) => method !== "DELETE");
    for (const { method, target } of selectionOn(engine, shareOf(sending, 3, 0))) {
      const large = Buffer.alloc(limitBytes(target) + 1, " ");
      for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
        // A form may bring a file there, which has a limit of its own.
        if (type.startsWith("multipart") && method === "POST" && target === "/api/documents/") continue;
        if (type.startsWith("multipart") && jsonOnly.has(target)) continue;
        const headers = { ...person.headers, "content-type": type };
        const whole = await app.fetch(target, { method, headers, body: large });
        expect([whole.status, await whole.json()]).toEqual([413, { detail: expect.any(String) }]);
        const stream = new Blob([large]).stream();
        const pieces = await app.fetch(target, { method, headers, body: stream, duplex: "half" });
        expect([pieces.status, await pieces.json()]).toEqual([413, { detail: expect.any(String) }]);
      }
    }
    expect(await state()).toBe(before);
  });

  it("has no effect where there is no body", async () => {
    for (const type of [null, "application/json"]) {
      const headers = { ...person.headers, ...(type === null ? {} : { "content-type": type }) };
      const made = await app.fetch("/api/documents/", { method: "POST", headers });
      expect([made.status, await made.json()]).toEqual([400, { title: ["This field is required."] }]);
      const listed = await app.fetch("/api/documents/", { method: "PATCH", headers });
      expect([listed.status, await listed.json()]).toEqual([
        400,
        { non_field_errors: ['Expected a list of items but got type "dict".'] },
      ]);
    }
    expect(await state()).toBe(before);
  });
});

const brokenJson = /^\{"detail":"JSON parse error - [^"]/;
const unsupported = /^\{"detail":"Unsupported media type \\?"/;
const unreadableForm = /^\{"detail":"[^"]+"\}$/;
const json = "application/json";
const brokenBodies: {
  what: string;
  type: string | null;
  body: string | Buffer<ArrayBuffer>;
  status: number;
  detail: RegExp;
}[] = [
  { what: "half an object", type: json, body: '{"title":', status: 400, detail: brokenJson },
  { what: "JSON with a comma too many", type: json, body: '{"title":"x",}', status: 400, detail: brokenJson },
  { what: "JSON in single quotes", type: json, body: "{'title':'x'}", status: 400, detail: brokenJson },
  { what: "NaN", type: json, body: '{"title":NaN}', status: 400, detail: brokenJson },
  { what: "Infinity", type: json, body: '{"title":-Infinity}', status: 400, detail: brokenJson },
  { what: "two values", type: json, body: "{} {}", status: 400, detail: brokenJson },
  { what: "white space", type: json, body: " ", status: 400, detail: brokenJson },
  { what: "a NUL", type: json, body: "\0", status: 400, detail: brokenJson },
  { what: "brackets that never close", type: json, body: "[".repeat(depth), status: 400, detail: brokenJson },
  {
    what: "broken UTF-8",
    type: json,
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    status: 400,
    detail: brokenJson,
  },
  {
    what: "half a character as UTF-8",
    type: json,
    body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    status: 400,
    detail: brokenJson,
  },
  {
    what: "UTF-16",
    type: `${json}; charset=utf-16`,
    body: Buffer.from("{}", "utf16le"),
    status: 400,
    detail: brokenJson,
  },
  { what: "gzip", type: json, body: Buffer.from(gzipSync("{}")), status: 400, detail: brokenJson },
  {
    what: "a form without a boundary",
    type: "multipart/form-data",
    body: "--x\r\n",
    status: 400,
    detail: unreadableForm,
  },
  {
    what: "a form that is not one",
    type: "multipart/form-data; boundary=x",
    body: "title=x",
    status: 400,
    detail: unreadableForm,
  },
  {
    what: "half a form",
    type: "multipart/form-data; boundary=x",
    body: '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nx',
    status: 400,
    detail: unreadableForm,
  },
  { what: "XML", type: "text/xml", body: "<a/>", status: 415, detail: unsupported },
  { what: "plain text", type: "text/plain;charset=UTF-8", body: "{}", status: 415, detail: unsupported },
  { what: "a type that is none", type: "json", body: "{}", status: 415, detail: unsupported },
  { what: "no type", type: "", body: "{}", status: 415, detail: unsupported },
  {
    what: "the form of a page",
    type: "application/x-www-form-urlencoded",
    body: "title=x",
    status: 415,
    detail: unsupported,
  },
];

function parts(...pairs: [string, string][]): FormData {
  const form = new FormData();
  for (const [name, value] of pairs) form.append(name, value);
  return form;
}

const moment = "2025-01-31T12:00:00.000000Z";
const document = {
  access: "private",
  admin_noindex: false,
  asset_url: null,
  created_at: moment,
  data: '{"a":["b"]}',
  description: "",
  file_hash: "",
  language: "eng",
  noindex: false,
  organization_id: 1,
  original_extension: "pdf",
  page_count: 1,
  page_spec: "",
  publish_at: null,
  published_url: "",
  related_article: "",
  revision_control: false,
  slug: "a-document",
  source: "",
  status: "success",
  title: "A document",
  updated_at: moment,
};
