import { beforeAll, describe, expect, it } from "vitest";
import { type Role, edits, rightOf, roles, sees } from "../src/testing/access-rights.ts";
import { type WorldDocument, accessWorld, addNote, fill } from "../src/testing/access-world.ts";
import { type Reply, jsonOf } from "../src/testing/ask.ts";
import { addProject } from "../src/testing/factories.ts";
import { markOf, marksIn } from "../src/testing/marks.ts";
import type { MatrixRow } from "../src/testing/matrix.ts";
import { sendAs } from "../src/testing/requests.ts";
import { type Matrix, runRow } from "../src/testing/run-matrix.ts";
import { stateOf } from "../src/testing/state.ts";
import { engines, useStarted } from "../src/testing/test-app.ts";
import {
  type ListValues,
  listRequest,
  listRows,
  listWord,
  listWords,
  sheetPath,
  writtenTitle,
} from "./rights/lists.ts";
import { restores } from "./rights/trash.ts";

const sha1 = "a".repeat(40);
/** How many documents the first page shows. */
const shownFirst = 8;

describe.each(engines)("what lists show on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Role, ListValues>;
  beforeAll(async () => {
    const { app, people, project, shown, documents } = world;
    for (const id of [project, world.unshared]) shown.set(id, () => true);
    await addHidden();
    const owner = people.owner?.id ?? 0;
    const byId = new Map(documents.map((document) => [document.id, document]));
    matrix = {
      app,
      people,
      words: listWords,
      things: [{ owner, project, sha1, part: 3 }],
      nameOf: () => "the list",
      wordFor: listWord,
      askedOf: listRequest,
      unless: () => null,
      idsOf: () => ({}),
      maySee({ path }, role, id) {
        const document = byId.get(id);
        const isInTrash =
          path === "/api/documents/trash/" && document !== undefined && restores(role, document);
        return isInTrash || shown.get(id)?.(role) === true;
      },
      isSelected: () => true,
      copiesOf: async (_row, cells) => cells.map(({ thing }) => thing),
      effectOf: (row, { role }, reply) => effectOf(row, role, reply),
    };
  });

  /** Adds what is hidden from most: notes of each access, the same file everywhere, and a secret project. */
  async function addHidden(): Promise<void> {
    const { app, people, shown, documents } = world;
    const filled = await fill(world, documents);
    const secret = await addProject(app.context, { private: true, user_id: people.owner?.id ?? 0 }, []);
    shown.set(secret, (role) => role === "project viewer");
    await app.context.database.write(async (writer) => {
      for (const document of filled) {
        for (const access of ["organization", "private", "invisible"] as const)
          await addNote(writer, shown, document, { access });
        const file = { document_id: document.id, sha1, extension: "pdf" };
        await writer.insertInto("received_files").values(file).execute();
      }
      const words = { title: markOf(secret), description: markOf(secret) };
      await writer.updateTable("projects").set(words).where("id", "=", secret).execute();
      const collaborator = { user_id: people["project viewer"]?.id ?? 0, access: "view" } as const;
      await writer
        .insertInto("project_collaborators")
        .values({ project_id: secret, ...collaborator })
        .execute();
    });
  }

  /** Whether an answer shows what it should. */
  async function effectOf(row: MatrixRow, role: Role, reply: Reply): Promise<string> {
    const mayEdit = (document: WorldDocument): boolean => sees(role, document) && edits(role, document);
    if (row.path === sheetPath) {
      const { lines } = jsonOf(reply) as { lines: { id: number; outcome: string }[] };
      const changes = lines.filter(({ outcome }) => outcome === "change").map(({ id }) => id);
      const editable = world.documents.filter(mayEdit).map(({ id }) => id);
      return changes.join() === editable.join()
        ? "done"
        : `would change ${changes.join()} and not ${editable.join()}`;
    }
    if (row.method === "POST") {
      const state = await stateOf(world.app);
      return state.includes(writtenTitle) ? "done" : "nothing was written";
    }
    const [, what] = listWord(row, role).split(":");
    if (what === undefined) return "done";
    if (what === "counted") {
      const { length } = world.documents.filter(mayEdit);
      const { results } = jsonOf(reply) as { results: { count: number }[] };
      const count = results[0]?.count ?? 0;
      return count === length ? "done" : `counts ${count} of ${length}`;
    }
    const isDue = (document: WorldDocument): boolean =>
      what === "trash" ? restores(role, document) : sees(what === "public" ? "anonymous" : role, document);
    const all = world.documents.filter(isDue).map(({ id }) => id);
    const due = what === "newest" ? all.slice(-shownFirst) : all;
    if (what === "newest" && !reply.body.includes(`${all.length} documents on`)) return "counts others";
    const named = [...reply.body.matchAll(/\/documents\/(1\d{5})-/g)].map(([, id]) => Number(id));
    const shown = [...new Set([...marksIn(reply.body).filter((id) => id < 200_000), ...named])];
    return shown.toSorted(byNumber).join() === due.join()
      ? "done"
      : `shows ${shown.join()} and not ${due.join()}`;
  }

  it.each(listRows)("$name", (row) => runRow(matrix, row));

  it("shows edit_access in lists as in records", async () => {
    for (const role of roles) {
      const target = "/api/documents/?per_page=100";
      const { body } = await sendAs(world.app, world.people[role], "GET", target);
      const listed = new Map(
        (body.results as { id: number; edit_access: boolean }[]).map((one) => [one.id, one.edit_access]),
      );
      for (const document of world.documents.filter((one) => sees(role, one))) {
        const record = await sendAs(world.app, world.people[role], "GET", `/api/documents/${document.id}/`);
        const due = edits(role, document);
        expect([role, rightOf(role, document), record.body.edit_access, listed.get(document.id)]).toEqual([
          role,
          rightOf(role, document),
          due,
          due,
        ]);
      }
    }
  });
});

const byNumber = (one: number, other: number): number => one - other;
