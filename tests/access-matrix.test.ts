import { beforeAll, describe, expect, it } from "vitest";
import { busyStatuses } from "../src/resources/document-states.ts";
import { isCovering, type Role, rightsBySubject, roles } from "../src/testing/access-rights.ts";
import {
  type AccessWorld,
  type FilledDocument,
  accessWorld,
  worldFile,
} from "../src/testing/access-world.ts";
import type { MatrixRow } from "../src/testing/matrix.ts";
import { type Matrix, runOtherMethods, runRow } from "../src/testing/run-matrix.ts";
import { engines, useStarted } from "../src/testing/test-app.ts";
import { documentMatrix, neverExisted, wordOf } from "./rights/document-matrix.ts";
import { documentRequest, documentRows, documentWords, writtenText } from "./rights/documents.ts";
import { asParts, worldOfParts } from "./rights/families.ts";
import { restores, trashRequest, trashRows, trashWord, trashWords } from "./rights/trash.ts";

describe.each(engines)("who may do what with a document on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Role, FilledDocument>;
  beforeAll(async () => {
    const usual = await documentMatrix(engine, world, {
      words: documentWords,
      askedOf: documentRequest,
      effectOf: async (row, { thing }) => effectOf(world, row, thing),
    });
    matrix = {
      ...usual,
      // Administrators can also read the history of documents that they do not see.
      wordFor: wordOfDocument,
      unless: (row, role, document) => (isReadByAll(row, role) ? null : usual.unless(row, role, document)),
    };
  });

  it("covers every access level, status, role and right", () => {
    expect(rightsBySubject.size).toBe(24);
    for (const { access, status } of world.documents)
      expect(rightsBySubject.get(`${access} ${status}`)).toHaveLength(roles.length);
  });

  it.each(documentRows)("$name", (row) => runRow(matrix, row));

  it("tells nothing by other methods", () => runOtherMethods(matrix, documentRows));
});

describe.each(engines)("who may do what with a deleted document on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Role, FilledDocument>;
  beforeAll(async () => {
    const rest = {
      words: trashWords,
      askedOf: trashRequest,
      wordFor: trashWord,
      unless: (_row: MatrixRow, role: Role, document: FilledDocument) =>
        restores(role, document) ? null : neverExisted(document),
      isSelected: () => true,
      effectOf: async ({ method }: MatrixRow, { thing }: { thing: FilledDocument }) => {
        const row = await world.app.context.database.reader
          .selectFrom("documents")
          .select("status")
          .where("id", "=", thing.id)
          .executeTakeFirst();
        return row?.status === (method === "POST" ? "success" : undefined) ? "done" : `it is ${row?.status}`;
      },
    };
    const deleted = world.documents.filter(({ status }) => status === "deleted");
    matrix = await documentMatrix(engine, world, rest, deleted);
  });

  it.each(trashRows)("$name", (row) => runRow(matrix, row));

  it("tells nothing by other methods", () => runOtherMethods(matrix, trashRows));
});

/** A part is deleted with its container only: see families.test.ts. */
const partRows = documentRows.filter(({ method, path }) => method !== "DELETE" || path.includes("/data/"));

describe.each(engines)("who may do what with a document that is part of another on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Role, FilledDocument>;
  beforeAll(async () => {
    const parts = await asParts(
      world,
      world.documents.filter((document) => isCovering(document) && document.status !== "deleted"),
    );
    const rest = {
      words: documentWords,
      askedOf: documentRequest,
      effectOf: async (row: MatrixRow, { thing }: { thing: FilledDocument }) => effectOf(world, row, thing),
    };
    const usual = await documentMatrix(engine, worldOfParts(world), rest, parts);
    matrix = {
      ...usual,
      wordFor: wordOfDocument,
      unless: (row, role, document) => (isReadByAll(row, role) ? null : usual.unless(row, role, document)),
    };
  });

  it.each(partRows)("$name", (row) => runRow(matrix, row));
});

const isReadByAll = ({ path }: MatrixRow, role: Role): boolean =>
  path === "/api/documents/:id/history/" && role === "administrator";

/** A production waits for no document: those that are worked on are refused. */
function wordOfDocument(row: MatrixRow, role: Role, document: FilledDocument): string {
  if (isReadByAll(row, role)) return "200";
  const word = wordOf(row, role, document);
  const isBusy = row.path === "/api/productions/" && busyStatuses.includes(document.status);
  return isBusy && word === "201" ? "unproduced" : word;
}

/** Whether a change that was answered with success was made. */
async function effectOf(
  { app }: AccessWorld,
  { method, path }: MatrixRow,
  { id, access }: FilledDocument,
): Promise<string> {
  if (method === "GET") return "done";
  const { database, files } = app.context;
  const row = await database.reader
    .selectFrom("documents")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  if (path === "/api/productions/") {
    const numbers = await database.reader
      .selectFrom("production_documents")
      .select("id")
      .where("document_id", "=", id)
      .execute();
    return numbers.length > 0 ? "done" : "no numbers";
  }
  if (path.endsWith("/data/:key/")) {
    const { a } = JSON.parse(row?.data ?? "{}") as { a?: string[] };
    const isDone = method === "DELETE" ? a === undefined : a?.includes(writtenText);
    return isDone === true ? "done" : `not changed: ${row?.data}`;
  }
  if (method === "DELETE") {
    // Documents without a file are removed at once, others are in the trash: see trash.test.ts.
    const isGone = row === undefined ? (await files.stat(worldFile(id))) === null : row.status === "deleted";
    return isGone ? "done" : "still there";
  }
  return row?.source === writtenText && row.access === access ? "done" : `not changed: ${row?.source}`;
}
