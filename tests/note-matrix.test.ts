import { beforeAll, describe, expect, it } from "vitest";
import type { Writer } from "../src/database/database.ts";
import {
  isCovering,
  type Role,
  columnOf,
  edits,
  rightOf,
  roles,
  sees,
} from "../src/testing/access-rights.ts";
import {
  type FilledDocument,
  type NoteAccess,
  type WorldDocument,
  absentId,
  accessWorld,
  addNote,
  matrixDocuments,
} from "../src/testing/access-world.ts";
import { type Asker, ask, withoutIds } from "../src/testing/ask.ts";
import type { MatrixRow } from "../src/testing/matrix.ts";
import { sendAs } from "../src/testing/requests.ts";
import { type Case, type Matrix, runOtherMethods, runRow } from "../src/testing/run-matrix.ts";
import { isInFull, shareOf } from "../src/testing/runs.ts";
import { engines, useStarted } from "../src/testing/test-app.ts";
import { documentMatrix } from "./rights/document-matrix.ts";
import { writtenText } from "./rights/documents.ts";
import { type NotedDocument, noteIdOf, noteOf, noteRequest, noteRows, noteWords } from "./rights/notes.ts";
import { partRequest, partRows, partWords, writtenRelevance } from "./rights/parts.ts";

const levels: readonly NoteAccess[] = ["public", "organization", "private", "invisible"];
/** The author of a note: somebody with a role, or someone who asks nothing. */
type NoteAuthor = Role | "theirs";
const everybody: readonly NoteAuthor[] = [...roles.filter((role) => role !== "anonymous"), "theirs"];
/** They have all rights to documents and no others. */
const statuses: ReadonlySet<string> = new Set(["success", "pending", "deleted"]);

function wordFor({ words }: MatrixRow, role: Role, document: WorldDocument): string | null {
  const word = words[columnOf(rightOf(role, document))] ?? ".";
  return word === "." ? null : word;
}

describe.each(engines)("who may do what with notes on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Role, NotedDocument>;
  beforeAll(async () => {
    const { app, people, shown } = world;
    const documents = matrixDocuments(engine, world.documents).filter(({ status }) => statuses.has(status));
    matrix = {
      app,
      people,
      words: noteWords,
      things: await world.app.context.database.write((writer) =>
        Array.fromAsync(documents, (document) => withNotes(writer, document, everybody, levels)),
      ),
      nameOf: ({ access, status }) => `${access} ${status}`,
      wordFor,
      askedOf: (row, document, role) => noteRequest(app.url, row, document, role),
      unless(row, role, document) {
        if (!sees(role, document)) return { ...document, id: absentId.document };
        const isShown = shown.get(noteIdOf(row, document, role))?.(role) === true;
        return isShown || row.path.endsWith("/notes/") ? null : { ...document, isWithoutNotes: true };
      },
      idsOf: (row, document, role) => ({ id: document.id, note: noteIdOf(row, document, role) }),
      maySee: (_row, role, id) => shown.get(id)?.(role) === true,
      isSelected: isCovering,
      copiesOf,
      effectOf: (row, { role, thing }) => effectOf(row, thing, role),
    };
  });

  /** Adds a note of each author and access to a document. */
  async function withNotes(
    writer: Writer,
    document: WorldDocument,
    authors: readonly NoteAuthor[],
    accesses: readonly NoteAccess[],
  ): Promise<NotedDocument> {
    const notes = new Map<string, number>();
    for (const whose of authors) {
      const person = whose === "theirs" ? null : world.people[whose];
      for (const access of accesses) {
        const title = wordOf(whose, access);
        const author =
          whose === "theirs" || person === null ? {} : { author: [whose, person] as [Role, Asker] };
        notes.set(
          `${whose} ${access}`,
          await addNote(writer, world.shown, document, { access, title, ...author }),
        );
      }
    }
    return { ...document, notes };
  }

  /** A copy has only the note that its request is about. */
  async function copiesOf(
    row: MatrixRow,
    cells: readonly Case<Role, NotedDocument>[],
  ): Promise<NotedDocument[]> {
    const copies = await world.add(cells.map(({ thing }) => thing));
    const { whose, access } = noteOf(row);
    return world.app.context.database.write((writer) =>
      Array.fromAsync(cells, ({ role }, index) =>
        withNotes(writer, copies[index] as WorldDocument, [whose === "own" ? role : whose], [access]),
      ),
    );
  }

  async function effectOf(row: MatrixRow, document: NotedDocument, role: Role): Promise<string> {
    if (row.method === "GET") return "done";
    const { reader } = world.app.context.database;
    const { access, gives } = noteOf(row);
    const asker = world.people[role]?.id;
    if (row.method === "POST") {
      const rows = await reader
        .selectFrom("notes")
        .select(["user_id", "access", "title"])
        .where("document_id", "=", document.id)
        .where("title", "=", writtenText)
        .execute();
      const isDone = rows.length === 1 && rows[0]?.user_id === asker && rows[0]?.access === access;
      return isDone ? "done" : JSON.stringify(rows);
    }
    const id = noteIdOf(row, document, role);
    const note = await reader.selectFrom("notes").selectAll().where("id", "=", id).executeTakeFirst();
    if (row.method === "DELETE") return note === undefined ? "done" : "still there";
    const hasAccess = gives === undefined || note?.access === gives;
    return note?.title === writtenText && hasAccess ? "done" : `not changed: ${JSON.stringify(note)}`;
  }

  it("shows the readable notes in the list and in the document, each with its edit_access", async () => {
    for (const role of roles) {
      const person = world.people[role] ?? null;
      for (const document of matrix.things.filter((one) => sees(role, one))) {
        const expected = [...document.notes].flatMap(([name, id]) => {
          const isOwn = name.startsWith(`${role} `);
          return world.shown.get(id)?.(role) === true ? [[id, isOwn || edits(role, document)]] : [];
        });
        const record = `/api/documents/${document.id}/`;
        for (const target of [`${record}notes/?per_page=100`, `${record}?expand=notes`]) {
          const { body } = await sendAs(world.app, person, "GET", target);
          const read = (body.results ?? body.notes) as { id: number; edit_access: boolean }[];
          const shown = read.map(({ id, edit_access }) => [id, edit_access]);
          expect([role, document.id, target, shown]).toEqual([role, document.id, target, expected]);
        }
      }
    }
  });

  it("finds documents by readable notes, and by no others", async () => {
    const notes = everybody.flatMap((whose) => levels.map((access) => ({ whose, access })));
    for (const [turn, role] of roles.entries()) {
      // On PostgreSQL the roles share the notes: each searches for every third one, and begins with another.
      for (const { whose, access } of isInFull(engine) ? notes : shareOf(notes, 3, turn)) {
        const expected = matrix.things.filter(
          ({ notes: ids }) => world.shown.get(ids.get(`${whose} ${access}`) ?? 0)?.(role) === true,
        );
        const target = `/api/documents/search/?q=${wordOf(whose, access)}&sort=id&per_page=100`;
        const { body } = await sendAs(world.app, world.people[role] ?? null, "GET", target);
        const found = body.results.map(({ id }: { id: string }) => Number(id));
        const ids = expected.map(({ id }) => id);
        expect([role, whose, access, body.count, found]).toEqual([role, whose, access, ids.length, ids]);
      }
    }
  });

  it.each(noteRows)("$name", (row) => runRow(matrix, row));

  it("tells nothing by other methods", () => runOtherMethods(matrix, noteRows));
});

/** A word in the titles of notes of one author and access, and in no others. */
function wordOf(whose: NoteAuthor, access: NoteAccess): string {
  return `${whose.replaceAll(/\W/g, "")}s${access}`;
}

/** Whether a row adds a section to a page, which must not have one yet. */
const isFirstSection = ({ method, path, variant }: MatrixRow): boolean =>
  method === "POST" && path.endsWith("/sections/") && variant === "";

describe.each(engines)("who may do what with sections and entities on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Role, FilledDocument>;
  let entity: number;
  beforeAll(async () => {
    entity = await anotherEntity();
    const usual = await documentMatrix(engine, world, {
      words: partWords,
      askedOf: (row, document) => partRequest(row, document, entity),
      effectOf: (row, { thing }) => effectOf(row, thing),
    });
    const things = usual.things.filter(({ status }) => statuses.has(status));
    const copiesOf: typeof usual.copiesOf = async (row, cells) => {
      const copies = await usual.copiesOf(row, cells);
      if (isFirstSection(row)) await removeSections(copies);
      return copies;
    };
    matrix = { ...usual, things, copiesOf };
  });

  async function anotherEntity(): Promise<number> {
    const author = world.people["unshared editor"];
    const { body } = await sendAs(world.app, author, "POST", "/api/entities/", { wikidata_id: "Q2" });
    return body.id as number;
  }

  async function removeSections(documents: readonly FilledDocument[]): Promise<void> {
    const ids = documents.map(({ section }) => section);
    await world.app.context.database.write((writer) =>
      writer.deleteFrom("sections").where("id", "in", ids).execute(),
    );
  }

  async function addSections(documents: readonly FilledDocument[]): Promise<void> {
    const rows = documents.map(({ id, section }) => ({
      id: section,
      document_id: id,
      page_number: 0,
      title: "A",
    }));
    await world.app.context.database.write((writer) => writer.insertInto("sections").values(rows).execute());
  }

  async function effectOf({ method, path }: MatrixRow, { id }: FilledDocument): Promise<string> {
    if (method === "GET") return "done";
    const { reader } = world.app.context.database;
    if (path.includes("/sections/")) {
      const rows = await reader
        .selectFrom("sections")
        .select("title")
        .where("document_id", "=", id)
        .execute();
      const expected = method === "DELETE" ? [] : [{ title: writtenText }];
      return JSON.stringify(rows) === JSON.stringify(expected) ? "done" : JSON.stringify(rows);
    }
    const rows = await reader
      .selectFrom("entity_occurrences")
      .select(["entity_id", "relevance"])
      .where("document_id", "=", id)
      .orderBy("id")
      .execute();
    const left = rows.map(
      ({ entity_id, relevance }) => `${entity_id === entity ? "other" : "first"} ${relevance}`,
    );
    const due =
      { POST: `first 1,other ${writtenRelevance}`, DELETE: "" }[method] ?? `first ${writtenRelevance}`;
    return left.join() === due ? "done" : left.join();
  }

  it.each(partRows)("$name", async (row) => {
    if (isFirstSection(row)) await removeSections(matrix.things);
    await runRow(matrix, row);
    if (isFirstSection(row)) await addSections(matrix.things);
  });

  it("tells nothing by other methods", () => runOtherMethods(matrix, partRows));

  it("shows no part of a document below another one", async () => {
    const { app, people } = world;
    const shown = matrix.things.find((one) => one.access === "public" && one.status === "success");
    const hidden = matrix.things.find((one) => one.access === "invisible");
    for (const role of roles) {
      for (const [path, part, absent] of [
        ["notes", hidden?.note, absentId.note],
        ["sections", hidden?.section, absentId.section],
        ["annotations", hidden?.note, absentId.note],
      ] as const) {
        const base = path === "annotations" ? "" : "/api";
        for (const method of path === "annotations" ? ["GET"] : ["GET", "PUT", "PATCH", "DELETE"]) {
          const asked = async (id = 0): Promise<unknown> => {
            const target = `${base}/documents/${shown?.id}/${path}/${id}/`;
            const value = { title: writtenText, page_number: 0 };
            const reply = await ask(app, people[role], {
              method,
              target,
              ...(method[0] === "P" && { value }),
            });
            return withoutIds(reply, { id });
          };
          expect([role, method, path, await asked(part)]).toEqual([role, method, path, await asked(absent)]);
        }
      }
    }
  });
});
