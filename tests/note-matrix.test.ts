import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Reply, ask, columnOf, linesOf, rightOf } from "../src/testing/access-rights.ts";
import {
  type AccessWorld,
  type Role,
  type WorldDocument,
  accessWorld,
  matrixDocuments,
  roles,
} from "../src/testing/access-world.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { engines } from "../src/testing/test-app.ts";
import { insertNote } from "../src/resources/notes/store.ts";

/*
 * The expected answers about a note, by its author, its access, and the right to its document (see access-rights.ts): n
 * and a have not signed in; n and - do not see the document, v sees it, e and E may change it. `.`: the case does not
 * exist.
 */
const noteAnswers = `
  action    whose   access        n        a        -        v        e        E
  read    theirs  public        nothing  200      nothing  200      200      200
  read    theirs  organization  nothing  nothing  nothing  nothing  200      200
  read    theirs  private       nothing  nothing  nothing  nothing  nothing  nothing
  read    theirs  invisible     nothing  nothing  nothing  nothing  nothing  nothing
  read    own     public        .        .        nothing  200      200      200
  read    own     organization  .        .        nothing  200      200      200
  read    own     private       .        .        nothing  200      200      200
  read    own     invisible     .        .        nothing  nothing  nothing  nothing
  change  theirs  public        nothing  signin   nothing  denied   200      200
  change  theirs  organization  nothing  signin   nothing  nothing  200      200
  change  theirs  private       nothing  signin   nothing  nothing  nothing  nothing
  change  theirs  invisible     nothing  signin   nothing  nothing  nothing  nothing
  change  own     public        .        .        nothing  200      200      200
  change  own     organization  .        .        nothing  200      200      200
  change  own     private       .        .        nothing  200      200      200
  change  own     invisible     .        .        nothing  nothing  nothing  nothing
  replace theirs  public        nothing  signin   nothing  denied   200      200
  replace own     private       .        .        nothing  200      200      200
  publish theirs  public        nothing  signin   nothing  denied   200      200
  publish own     public        .        .        nothing  ungiven  200      200
  publish own     private       .        .        nothing  ungiven  200      200
  draft   own     private       .        .        nothing  ungiven  200      200
  delete  theirs  public        nothing  signin   nothing  denied   204      204
  delete  theirs  organization  nothing  signin   nothing  nothing  204      204
  delete  theirs  private       nothing  signin   nothing  nothing  nothing  nothing
  delete  theirs  invisible     nothing  signin   nothing  nothing  nothing  nothing
  delete  own     public        .        .        nothing  204      204      204
  delete  own     organization  .        .        nothing  204      204      204
  delete  own     private       .        .        nothing  204      204      204
  delete  own     invisible     .        .        nothing  nothing  nothing  nothing
  create  own     public        nothing  signin   nothing  ungiven  201      201
  create  own     organization  nothing  signin   nothing  ungiven  201      201
  create  own     private       nothing  signin   nothing  201      201      201
`;

const sectionAnswers = `
  action           n        a        -        v         e        E
  list           nothing  200      nothing  200       200      200
  read           nothing  200      nothing  200       200      200
  change         nothing  signin   nothing  denied    200      200
  change-badly   nothing  signin   nothing  denied    badpage  badpage
  replace        nothing  signin   nothing  denied    200      200
  delete         nothing  signin   nothing  denied    204      204
  create         nothing  signin   nothing  unmaking  201      201
  create-badly   nothing  signin   nothing  badpage   badpage  badpage
`;

const entityAnswers = `
  action           n        a        -        v          e        E
  list           nothing  200      nothing  200        200      200
  read           nothing  200      nothing  200        200      200
  change         nothing  signin   nothing  uneditable 200      200
  change-badly   nothing  signin   nothing  uneditable nonumber nonumber
  replace        nothing  signin   nothing  uneditable 200      200
  delete         nothing  signin   nothing  uneditable 204      204
  delete-none    nothing  signin   nothing  uneditable nothing  nothing
  create         nothing  signin   nothing  uneditable 201      201
  create-several nothing  signin   nothing  uneditable 201      201
  create-badly   nothing  signin   nothing  uneditable nonumber nonumber
  create-again   nothing  signin   nothing  uneditable again    again
`;

const words: Record<string, [number, unknown]> = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to perform this action." }],
  ungiven: [
    403,
    { detail: "You may only create public or draft notes on documents you have edit access to" },
  ],
  unmaking: [403, { detail: "You may only create sections on documents you have edit access to" }],
  uneditable: [403, { detail: "You do not have permission to edit entities on this document" }],
  nonumber: [400, { relevance: ["A valid number is required."] }],
  again: [400, { entity: ["The document has this entity already."] }],
  badpage: [400, { page_number: ["Must be a valid page for the document"] }],
};

const answerTo = ({ status, body }: Reply): unknown => [status, body === "" ? null : JSON.parse(body)];
const absent = 987_654;
const mark = "It was me";
const moment = "2025-01-31T12:00:00.000000Z";
type NoteAccess = "public" | "organization" | "private" | "invisible";

interface Cell {
  role: Role;
  document: WorldDocument;
  word: string;
}

describe.each(engines)("who may do what with notes, sections and entities on %s", (engine) => {
  let world: AccessWorld;
  let author: Person;
  let documents: readonly WorldDocument[];
  beforeAll(async () => {
    world = await accessWorld(engine);
    author = await addPerson(world.app.context, { username: "author", organizations: [2] });
    documents = matrixDocuments(engine, world.documents).filter(({ status }) =>
      ["success", "pending", "deleted"].includes(status),
    );
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const cellsOf = (columns: readonly string[]): Cell[] =>
    roles.flatMap((role) =>
      documents.flatMap((document) => {
        const word = columns[columnOf(rightOf(role, document))] ?? ".";
        return word === "." ? [] : [{ role, document, word }];
      }),
    );

  async function addNotes(
    cells: readonly { document: WorldDocument; user: number; access: NoteAccess; title?: string }[],
  ): Promise<number[]> {
    return world.app.context.database.write(async (writer) => {
      await writer.deleteFrom("notes").execute();
      const ids: number[] = [];
      for (const { document, user, access, title = "A note" } of cells) {
        const note = await insertNote(writer, {
          document_id: document.id,
          user_id: user,
          organization_id: 2,
          page_number: 0,
          access,
          title,
          content: "",
          content_html: "",
          x1: null,
          x2: null,
          y1: null,
          y2: null,
          created_at: moment,
          updated_at: moment,
        });
        ids.push(note.id);
      }
      return ids;
    });
  }

  it.each(
    linesOf(noteAnswers).map(([action = "", whose = "", access = "", ...columns]) => ({
      action,
      whose,
      access: access as NoteAccess,
      columns,
    })),
  )("to $action $whose note of access $access", async ({ action, whose, access, columns }) => {
    expect(columns).toHaveLength(6);
    const cells = cellsOf(columns);
    const userOf = ({ role }: Cell): number =>
      whose === "own" ? (world.people[role]?.id ?? author.id) : author.id;
    const ids =
      action === "create"
        ? (await addNotes([])) && cells.map(() => 0)
        : await addNotes(cells.map((cell) => ({ document: cell.document, user: userOf(cell), access })));
    const asked: Record<string, [string, unknown?]> = {
      read: ["GET"],
      change: ["PATCH", { title: mark }],
      replace: ["PUT", { title: mark, page_number: 0 }],
      publish: ["PATCH", { title: mark, access: "public" }],
      draft: ["PATCH", { title: mark, access: "organization" }],
      delete: ["DELETE"],
      create: ["POST", { title: mark, page_number: 0, access }],
    };
    const [method, value] = asked[action] ?? [""];
    const differences: unknown[] = [];
    const ofAbsent = new Map<string, Reply>();
    for (const [index, cell] of cells.entries()) {
      const { role, document, word } = cell;
      const targetOf = (id: number, note: number): string =>
        `/api/documents/${id}/notes/${action === "create" ? "" : `${note}/`}`;
      const note = ids[index] ?? 0;
      const request = { target: targetOf(document.id, note), value };
      const told = await ask(world, role, method, request, document.id);
      const [status, body] = words[word] ?? [Number(word)];
      const isAsItShouldBe =
        told.status === status &&
        (body === undefined || JSON.stringify(answerTo(told)) === JSON.stringify([status, body]));
      if (!isAsItShouldBe) differences.push({ cell, told, expected: [status, body] });
      if (word !== "nothing") continue;
      // A hidden note or document gets the same answer as one that never existed.
      const isSeen = ["v", "a", "e", "E"].includes(rightOf(role, document));
      const key = `${role} ${isSeen}`;
      const other = isSeen ? targetOf(document.id, absent) : targetOf(absent, 1);
      const never = ofAbsent.get(key) ?? (await ask(world, role, method, { target: other, value }, absent));
      ofAbsent.set(key, never);
      if (JSON.stringify(never) !== JSON.stringify(told)) differences.push({ cell, told, never });
    }
    expect(differences.slice(0, 3)).toEqual([]);
    const rows = await world.app.context.database.reader
      .selectFrom("notes")
      .selectAll()
      .orderBy("id")
      .execute();
    const isNew = action === "create";
    const made = isNew ? cells.filter(({ word }) => word === "201") : [];
    expect(
      rows.flatMap((row) => (isNew ? [[row.document_id, row.user_id, row.access, row.title]] : [])),
    ).toEqual(made.map(({ role, document }) => [document.id, world.people[role]?.id, access, mark]));
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const [index, cell] of (isNew ? [] : cells).entries()) {
      const row = byId.get(ids[index] ?? 0);
      const isDone = cell.word === "200" && action !== "read";
      const left = cell.word === "204" ? undefined : isDone ? mark : "A note";
      expect([cell, row?.title, row?.user_id]).toEqual([
        cell,
        left,
        left === undefined ? undefined : userOf(cell),
      ]);
    }
  });

  it("shows the readable notes in the list and in the document, each with its edit_access", async () => {
    const lines = linesOf(noteAnswers).map(([action, whose, access, ...columns]) => ({
      action,
      whose,
      access,
      columns,
    }));
    const answerFor = (action: string, whose: string, access: string, role: Role, document: WorldDocument) =>
      lines.find((line) => line.action === action && line.whose === whose && line.access === access)?.columns[
        columnOf(rightOf(role, document))
      ];
    const levels: NoteAccess[] = ["public", "organization", "private", "invisible"];
    for (const role of roles) {
      const person = world.people[role] ?? null;
      const kinds = levels.flatMap((access) =>
        ["theirs", ...(person === null ? [] : ["own"])].map((whose) => ({ access, whose })),
      );
      const notes = documents.flatMap((document) =>
        kinds.map(({ access, whose }) => ({ access, whose, document })),
      );
      const ids = await addNotes(
        notes.map(({ document, access, whose }) => ({
          document,
          access,
          user: whose === "own" ? (person?.id ?? 0) : author.id,
        })),
      );
      for (const document of documents) {
        if (["n", "-"].includes(rightOf(role, document))) continue;
        const expected = notes.flatMap(({ access, whose, document: its }, index) => {
          if (its !== document || answerFor("read", whose, access, role, its) !== "200") return [];
          return [[ids[index], answerFor("change", whose, access, role, its) === "200"]];
        });
        const read = async (target: string): Promise<{ id: number; edit_access: boolean }[]> => {
          const { body } = await sendAs(world.app, person, "GET", target);
          return (body.results ?? body.notes) as { id: number; edit_access: boolean }[];
        };
        const record = `/api/documents/${document.id}/`;
        for (const target of [`${record}notes/`, `${record}?expand=notes`]) {
          const shown = (await read(target)).map(({ id, edit_access }) => [id, edit_access]);
          expect([role, document, target, shown]).toEqual([role, document, target, expected]);
        }
      }
    }
  });

  it("finds documents by readable notes, and by no others", async () => {
    const reading = linesOf(noteAnswers).filter(([action]) => action === "read");
    for (const role of roles) {
      const person = world.people[role] ?? null;
      const kinds = reading.filter(([, whose]) => whose === "theirs" || person !== null);
      await addNotes(
        kinds.flatMap(([, whose = "", access]) =>
          documents.map((document) => ({
            document,
            access: access as NoteAccess,
            user: whose === "own" ? (person?.id ?? 0) : author.id,
            title: `${whose}${access}`,
          })),
        ),
      );
      for (const [, whose, access, ...columns] of kinds) {
        const expected = documents.filter((document) => columns[columnOf(rightOf(role, document))] === "200");
        const target = `/api/documents/search/?q=${whose}${access}&sort=id`;
        const { body } = await sendAs(world.app, person, "GET", target);
        const found = body.results.map(({ id }: { id: string }) => Number(id));
        expect([role, whose, access, body.count, found]).toEqual([
          role,
          whose,
          access,
          expected.length,
          expected.map(({ id }) => id),
        ]);
      }
    }
  });

  it.each(linesOf(sectionAnswers).map(([action = "", ...columns]) => ({ action, columns })))(
    "to $action a section",
    async ({ action, columns }) => {
      expect(columns).toHaveLength(6);
      const { database } = world.app.context;
      const asked: Record<string, [string, unknown?]> = {
        list: ["GET"],
        read: ["GET"],
        change: ["PATCH", { title: mark }],
        "change-badly": ["PATCH", { page_number: 1 }],
        replace: ["PUT", { title: mark, page_number: 0 }],
        delete: ["DELETE"],
        create: ["POST", { title: mark, page_number: 0 }],
        "create-badly": ["POST", { title: mark, page_number: 1 }],
      };
      const [method, value] = asked[action] ?? [""];
      const isOfAll = action.startsWith("create") || action === "list";
      const differences: unknown[] = [];
      for (const { role, document, word } of cellsOf(columns)) {
        const id = await database.write(async (writer) => {
          await writer.deleteFrom("sections").execute();
          if (action.startsWith("create")) return 0;
          const section = { document_id: document.id, page_number: 0, title: "A section" };
          return (
            await writer.insertInto("sections").values(section).returning("id").executeTakeFirstOrThrow()
          ).id;
        });
        const target = `/api/documents/${document.id}/sections/${isOfAll ? "" : `${id}/`}`;
        const told = await ask(world, role, method, { target, value }, document.id);
        const [status, body] = words[word] ?? [Number(word)];
        const isAsItShouldBe =
          told.status === status &&
          (body === undefined || JSON.stringify(answerTo(told)) === JSON.stringify([status, body]));
        const rows = await database.reader.selectFrom("sections").select("title").execute();
        const titles = rows.map(({ title }) => title);
        const isDone = status < 300 && !["list", "read"].includes(action);
        const before = action.startsWith("create") ? [] : ["A section"];
        const expected = isDone ? (action === "delete" ? [] : [mark]) : before;
        if (!isAsItShouldBe || JSON.stringify(titles) !== JSON.stringify(expected))
          differences.push({ role, document, told, titles, expected: [status, body, expected] });
      }
      expect(differences.slice(0, 3)).toEqual([]);
    },
  );

  it.each(linesOf(entityAnswers).map(([action = "", ...columns]) => ({ action, columns })))(
    "to $action an entity of a document",
    async ({ action, columns }) => {
      expect(columns).toHaveLength(6);
      const { database } = world.app.context;
      const entity = await database.write(async (writer) => {
        const known = await writer.selectFrom("entities").select("id").executeTakeFirst();
        const said = { name: "An entity", description: "", wikipedia_url: "", metadata: "{}" };
        const times = { created_at: moment, updated_at: moment };
        const row = { user_id: author.id, wikidata_id: "Q1", ...said, ...times };
        const insert = writer.insertInto("entities").values(row).returning("id");
        return known?.id ?? (await insert.executeTakeFirstOrThrow()).id;
      });
      const relevance = 7;
      const asked: Record<string, [string, unknown?]> = {
        list: ["GET"],
        read: ["GET"],
        change: ["PATCH", { relevance }],
        "change-badly": ["PATCH", { relevance: "high" }],
        replace: ["PUT", { relevance }],
        delete: ["DELETE"],
        "delete-none": ["DELETE"],
        create: ["POST", { entity, relevance }],
        "create-several": ["POST", [{ entity, relevance }]],
        "create-badly": ["POST", { entity, relevance: "high" }],
        "create-again": ["POST", { entity, relevance }],
      };
      const [method = "", value] = asked[action] ?? [];
      const isNew = ["create", "create-several", "create-badly"].includes(action);
      const isThere = !isNew && action !== "delete-none";
      const differences: unknown[] = [];
      const ofAbsent = new Map<Role, Reply>();
      for (const { role, document, word } of cellsOf(columns)) {
        await database.write(async (writer) => {
          await writer.deleteFrom("entity_occurrences").execute();
          const row = { document_id: document.id, entity_id: entity, relevance: 1, occurrences: "[]" };
          if (isThere) await writer.insertInto("entity_occurrences").values(row).execute();
        });
        const place = method === "POST" || action === "list" ? "" : `${entity}/`;
        const targetOf = (id: number): string => `/api/documents/${id}/entities/${place}`;
        const told = await ask(world, role, method, { target: targetOf(document.id), value }, document.id);
        const [status, body] = words[word] ?? [Number(word)];
        const isAsItShouldBe =
          told.status === status &&
          (body === undefined || JSON.stringify(answerTo(told)) === JSON.stringify([status, body]));
        const rows = await database.reader.selectFrom("entity_occurrences").select("relevance").execute();
        const found = rows.map((row) => row.relevance);
        const isDone = status < 300 && method !== "GET";
        const expected = isDone ? (action === "delete" ? [] : [relevance]) : isThere ? [1] : [];
        if (!isAsItShouldBe || JSON.stringify(found) !== JSON.stringify(expected))
          differences.push({ role, document, told, found, expected: [status, body, expected] });
        if (!["n", "-"].includes(rightOf(role, document))) continue;
        // A hidden document gets the same answer as one that never existed.
        const never =
          ofAbsent.get(role) ?? (await ask(world, role, method, { target: targetOf(absent), value }, absent));
        ofAbsent.set(role, never);
        if (JSON.stringify(never) !== JSON.stringify(told)) differences.push({ role, document, told, never });
      }
      expect(differences.slice(0, 3)).toEqual([]);
    },
  );
});
