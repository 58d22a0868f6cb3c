import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Asked,
  type Reply,
  ask,
  columnOf,
  linesOf,
  rightOf,
  rightsBySubject,
} from "../src/testing/access-rights.ts";
import {
  type AccessWorld,
  type Role,
  type WorldDocument,
  accessWorld,
  dumpOf,
  matrixDocuments,
  roles,
  worldFile,
  worldSlug,
} from "../src/testing/access-world.ts";
import { sendAs } from "../src/testing/requests.ts";
import { engines } from "../src/testing/test-app.ts";

/* The expected answer for each right on each route; the words are explained below. */
const answers = `
  route                        n         a         -        v        e        E
  GET record                   nothing   200       nothing  200      200      200
  HEAD record                  nothing   200       nothing  200      200      200
  OPTIONS record               200       200       200      200      200      200
  POST record                  signin    signin    method   method   method   method
  PATCH record                 signin    signin    nothing  denied   200      200
  PUT record                   signin    signin    nothing  denied   200      200
  DELETE record                signin    signin    nothing  denied   denied   204
  PATCH documents              signin    signin    unfound  unfound  200      200
  PUT documents                signin    signin    unfound  unfound  200      200
  DELETE documents             signin    signin    undeleted undeleted undeleted 204
  GET data                     nothing   200       nothing  200      200      200
  GET key                      nothing   200       nothing  200      200      200
  PUT key                      signin    signin    nothing  unedited 200      200
  PATCH key                    signin    signin    nothing  unedited 200      200
  DELETE key                   signin    signin    nothing  unedited 204      204
  POST key                     signin    signin    method   method   method   method
  GET history                  nothing   signin    nothing  denied   200      200
  GET file                     nothing   200       nothing  200      200      200
  HEAD file                    nothing   200       nothing  200      200      200
  GET page                     nothing   200       nothing  200      200      200
  HEAD page                    nothing   200       nothing  200      200      200
`;

const words: Record<string, [number, unknown]> = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to perform this action." }],
  unedited: [403, { detail: "You may not edit this document" }],
  unfound: [400, ["Could not find all objects to update."]],
  undeleted: [400, ["Could not find all objects to delete"]],
};

const routes = linesOf(answers).map(([method = "", place = "", ...columns]) => ({
  method,
  place,
  answers: columns,
}));

const absent = 987_654;
/** The text that a successful write stores, so that the test can find it. */
const mark = "It was me";

function asked(method: string, place: string, { id, access }: Pick<WorldDocument, "id" | "access">): Asked {
  const record = `/api/documents/${id}/`;
  const changes = method === "PUT" ? { title: mark, source: mark, access } : { source: mark };
  const isChange = method === "PUT" || method === "PATCH";
  switch (place) {
    case "record":
      return { target: record, ...((isChange || method === "POST") && { value: changes }) };
    case "documents":
      return method === "DELETE"
        ? { target: `/api/documents/?id__in=${id}` }
        : { target: "/api/documents/", value: [{ id, ...changes }] };
    case "data":
      return { target: `${record}data/` };
    case "key":
      return { target: `${record}data/a/`, ...(method !== "GET" && { value: { values: [mark] } }) };
    case "history":
      return { target: `${record}history/` };
    case "file":
      return { target: `/files/${worldFile(id)}` };
    default:
      return { target: `/documents/${id}-${worldSlug}/`, accept: "text/html" };
  }
}

function expectedOf(method: string, word: string): [number, unknown] {
  if (word === "method") return [405, { detail: `Method "${method}" not allowed.` }];
  return words[word] ?? [Number(word), undefined];
}

describe.each(engines)("who may do what with a document on %s", (engine) => {
  let world: AccessWorld;
  beforeAll(async () => {
    world = await accessWorld(engine);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it("covers every access level, status, role and right", () => {
    expect(rightsBySubject.size).toBe(24);
    for (const { access, status } of world.documents)
      expect(rightsBySubject.get(`${access} ${status}`)).toHaveLength(roles.length);
    for (const route of routes) expect(route.answers).toHaveLength(6);
  });

  it.each(routes)("$method $place", async ({ method, place, answers: columns }) => {
    const wordFor = (role: Role, document: WorldDocument): string => {
      const right = rightOf(role, document);
      // Administrators can also read the history of documents that they do not see.
      if (place === "history" && role === "administrator") return "200";
      return columns[columnOf(right)] ?? "";
    };
    const before = await dumpOf(world.app);
    const differences: unknown[] = [];
    const compare = (role: Role, { access, status }: WorldDocument, told: unknown, expected: unknown) => {
      if (JSON.stringify(told) === JSON.stringify(expected)) return;
      differences.push({ role, access, status, told, expected });
    };
    const documents = matrixDocuments(engine, world.documents);
    const cells = roles.flatMap((role) => documents.map((document) => ({ role, document })));
    const isRefused = ({ role, document }: (typeof cells)[number]): boolean =>
      !wordFor(role, document).startsWith("2");
    const ofAbsent = new Map<Role, Reply>();
    for (const role of roles) {
      const request = asked(method, place, { id: absent, access: "private" });
      ofAbsent.set(role, await ask(world, role, method, request, absent));
    }
    for (const { role, document } of cells.filter(isRefused)) {
      const told = await ask(world, role, method, asked(method, place, document), document.id);
      const [status, body] = expectedOf(method, wordFor(role, document));
      const isJson = method !== "HEAD" && place !== "page";
      compare(
        role,
        document,
        [told.status, isJson ? JSON.parse(told.body) : null],
        [status, isJson ? body : null],
      );
      const right = rightOf(role, document);
      if (right === "n" || right === "-") compare(role, document, told, ofAbsent.get(role));
    }
    expect(differences).toEqual([]);
    expect(await dumpOf(world.app)).toBe(before);
    for (const { role, document } of cells.filter((cell) => !isRefused(cell))) {
      const isLast = method === "DELETE" && (place === "record" || place === "documents");
      const { access, status } = document;
      const id = isLast ? await world.add(access, status) : document.id;
      const told = await ask(world, role, method, asked(method, place, { id, access }), id);
      compare(role, document, told.status, Number(wordFor(role, document)));
      compare(role, document, await effectOf(world, method, place, id, told), "as it should be");
    }
    expect(differences).toEqual([]);
  });

  it("shows the same documents and edit_access in the list, in any order, as in the record", async () => {
    const lists = ["", "&ordering=-created_at", `&project=${world.project}`, "&ordering=title&user=3"];
    for (const role of roles) {
      const expected = world.documents
        .filter((document) => !["n", "-"].includes(rightOf(role, document)))
        .map((document) => [document.id, ["e", "E"].includes(rightOf(role, document))] as const);
      for (const query of lists) {
        const { body } = await sendAs(
          world.app,
          world.people[role],
          "GET",
          `/api/documents/?per_page=100${query.replace("user=3", `user=${world.people.owner?.id}`)}`,
        );
        const shown = (body.results as { id: number; edit_access: boolean }[]).map(
          ({ id, edit_access }) => [id, edit_access] as const,
        );
        expect([role, query, shown.toSorted(byId)]).toEqual([role, query, expected.toSorted(byId)]);
      }
      for (const { id, edit_access } of (
        await sendAs(world.app, world.people[role], "GET", "/api/documents/?per_page=100")
      ).body.results) {
        const { body } = await sendAs(world.app, world.people[role], "GET", `/api/documents/${id}/`);
        expect(body.edit_access).toBe(edit_access);
      }
    }
  });
});

const byId = (one: readonly [number, boolean], other: readonly [number, boolean]): number =>
  one[0] - other[0];

/** Whether a change that was answered with success was made. */
async function effectOf(
  { app, documents }: AccessWorld,
  method: string,
  place: string,
  id: number,
  told: Reply,
): Promise<string> {
  const { database, files } = app.context;
  const row = await database.reader
    .selectFrom("documents")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  // Documents without a file are removed at once, others are in the trash: see trash.test.ts.
  const isGone = row === undefined ? (await files.stat(worldFile(id))) === null : row.status === "deleted";
  const key = (): unknown => (JSON.parse(row?.data ?? "{}") as Record<string, unknown>)["a"];
  switch (`${method} ${place}`) {
    case "PATCH record":
    case "PATCH documents":
    case "PUT record":
    case "PUT documents": {
      const isDone = row?.source === mark && told.body.includes(`"source":"${mark}"`);
      const { access } = documents.find((one) => one.id === id) ?? {};
      const reset = { source: "", title: "A document" };
      await database.write((writer) =>
        writer.updateTable("documents").set(reset).where("id", "=", id).execute(),
      );
      return isDone && row.access === access ? "as it should be" : `not changed: ${told.body}`;
    }
    case "DELETE record":
    case "DELETE documents":
      return isGone ? "as it should be" : "still there";
    case "PUT key":
    case "PATCH key":
    case "DELETE key": {
      const isDone = method === "DELETE" ? key() === undefined : (key() as string[]).includes(mark);
      const data = '{"a":["1"]}';
      await database.write((writer) =>
        writer.updateTable("documents").set({ data }).where("id", "=", id).execute(),
      );
      return isDone ? "as it should be" : `not changed: ${row?.data}`;
    }
    case "GET file":
      return told.body === "%PDF-" ? "as it should be" : told.body;
    default:
      return "as it should be";
  }
}
