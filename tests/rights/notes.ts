import type { Role } from "../../src/testing/access-rights.ts";
import { type NoteAccess, type WorldDocument, absentId } from "../../src/testing/access-world.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { type MatrixRow, matrixOf, targetOf } from "../../src/testing/matrix.ts";
import type { Words } from "../../src/testing/run-matrix.ts";
import { writtenText } from "./documents.ts";

/*
 * The expected answers about a note, by its author, its access, and the right to its document (see access-rights.ts): n
 * and a have not signed in; n and - do not see the document, v sees it, e and E may change it. `.`: the case does not
 * exist.
 */
export const noteRows = matrixOf(`
  route                                                              n        a        -        v        e        E
  GET    /api/documents/:id/notes/:note/       theirs,public         nothing  200      nothing  200      200      200
  GET    /api/documents/:id/notes/:note/       theirs,organization   nothing  nothing  nothing  nothing  200      200
  GET    /api/documents/:id/notes/:note/       theirs,private        nothing  nothing  nothing  nothing  nothing  nothing
  GET    /api/documents/:id/notes/:note/       theirs,invisible      nothing  nothing  nothing  nothing  nothing  nothing
  GET    /api/documents/:id/notes/:note/       own,public            .        .        nothing  200      200      200
  GET    /api/documents/:id/notes/:note/       own,organization      .        .        nothing  200      200      200
  GET    /api/documents/:id/notes/:note/       own,private           .        .        nothing  200      200      200
  GET    /api/documents/:id/notes/:note/       own,invisible         .        .        nothing  nothing  nothing  nothing
  PATCH  /api/documents/:id/notes/:note/       theirs,public         nothing  signin   nothing  denied   200      200
  PATCH  /api/documents/:id/notes/:note/       theirs,organization   nothing  signin   nothing  nothing  200      200
  PATCH  /api/documents/:id/notes/:note/       theirs,private        nothing  signin   nothing  nothing  nothing  nothing
  PATCH  /api/documents/:id/notes/:note/       theirs,invisible      nothing  signin   nothing  nothing  nothing  nothing
  PATCH  /api/documents/:id/notes/:note/       own,public            .        .        nothing  200      200      200
  PATCH  /api/documents/:id/notes/:note/       own,organization      .        .        nothing  200      200      200
  PATCH  /api/documents/:id/notes/:note/       own,private           .        .        nothing  200      200      200
  PATCH  /api/documents/:id/notes/:note/       own,invisible         .        .        nothing  nothing  nothing  nothing
  PUT    /api/documents/:id/notes/:note/       theirs,public         nothing  signin   nothing  denied   200      200
  PUT    /api/documents/:id/notes/:note/       theirs,private        nothing  signin   nothing  nothing  nothing  nothing
  PUT    /api/documents/:id/notes/:note/       own,private           .        .        nothing  200      200      200
  PATCH  /api/documents/:id/notes/:note/       theirs,public,publish nothing  signin   nothing  denied   200      200
  PATCH  /api/documents/:id/notes/:note/       own,public,publish    .        .        nothing  ungiven  200      200
  PATCH  /api/documents/:id/notes/:note/       own,private,publish   .        .        nothing  ungiven  200      200
  PATCH  /api/documents/:id/notes/:note/       own,private,draft     .        .        nothing  ungiven  200      200
  DELETE /api/documents/:id/notes/:note/       theirs,public         nothing  signin   nothing  denied   204      204
  DELETE /api/documents/:id/notes/:note/       theirs,organization   nothing  signin   nothing  nothing  204      204
  DELETE /api/documents/:id/notes/:note/       theirs,private        nothing  signin   nothing  nothing  nothing  nothing
  DELETE /api/documents/:id/notes/:note/       theirs,invisible      nothing  signin   nothing  nothing  nothing  nothing
  DELETE /api/documents/:id/notes/:note/       own,public            .        .        nothing  204      204      204
  DELETE /api/documents/:id/notes/:note/       own,organization      .        .        nothing  204      204      204
  DELETE /api/documents/:id/notes/:note/       own,private           .        .        nothing  204      204      204
  DELETE /api/documents/:id/notes/:note/       own,invisible         .        .        nothing  nothing  nothing  nothing
  POST   /api/documents/:id/notes/             own,public            nothing  signin   nothing  ungiven  201      201
  POST   /api/documents/:id/notes/             own,organization      nothing  signin   nothing  ungiven  201      201
  POST   /api/documents/:id/notes/             own,private           nothing  signin   nothing  201      201      201
  GET    /api/documents/:id/notes/             theirs,public         nothing  200      nothing  200      200      200
  GET    /documents/:id/annotations/:note/     theirs,public         nothing  200      nothing  200      200      200
  GET    /documents/:id/annotations/:note/     theirs,organization   nothing  nothing  nothing  nothing  200      200
  GET    /documents/:id/annotations/:note/     theirs,private        nothing  nothing  nothing  nothing  nothing  nothing
  GET    /documents/:id/annotations/:note/     own,private           .        .        nothing  200      200      200
  GET    /api/oembed/                          theirs,organization   nothing  nothing  nothing  nothing  200      200
  GET    /api/oembed/                          theirs,private        nothing  nothing  nothing  nothing  nothing  nothing
  GET    /api/oembed/                          own,private           .        .        nothing  200      200      200
`);

export const noteWords: Words = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to perform this action." }],
  ungiven: [
    403,
    { detail: "You may only create public or draft notes on documents you have edit access to" },
  ],
};

/** A document with notes of everybody, of each access. */
export interface NotedDocument extends WorldDocument {
  /**
   * The ids of the notes: `owner private` is the owner's private note, `theirs private` of someone who asks nothing.
   */
  notes: ReadonlyMap<string, number>;
  /** In place of the notes there is one that never existed. */
  isWithoutNotes?: boolean;
}

/** Whose note of which access a row is about, and what the change gives it. */
export function noteOf({ variant }: MatrixRow): {
  whose: "own" | "theirs";
  access: NoteAccess;
  gives?: NoteAccess;
} {
  const [whose, access, change] = variant.split(",");
  const gives = { publish: "public", draft: "organization" }[change ?? ""];
  return { whose, access, ...(gives !== undefined && { gives }) } as ReturnType<typeof noteOf>;
}

/** The id of the note that a row is about. */
export function noteIdOf(row: MatrixRow, { notes, isWithoutNotes }: NotedDocument, role: Role): number {
  const { whose, access } = noteOf(row);
  const id = notes.get(`${whose === "own" ? role : whose} ${access}`);
  return id === undefined || isWithoutNotes === true ? absentId.note : id;
}

/** The request of a row. `url` is that of the application. */
export function noteRequest(url: string, row: MatrixRow, document: NotedDocument, role: Role): Asked {
  const { method, path } = row;
  const { id } = document;
  const note = noteIdOf(row, document, role);
  const { access, gives } = noteOf(row);
  if (path === "/api/oembed/") {
    const address = encodeURIComponent(`${url}/documents/${id}/annotations/${note}.html`);
    return { method, target: `${path}?url=${address}` };
  }
  const values: Record<string, object> = {
    PATCH: { title: writtenText, ...(gives !== undefined && { access: gives }) },
    PUT: { title: writtenText, page_number: 0 },
    POST: { title: writtenText, page_number: 0, access },
  };
  const value = values[method];
  return {
    method,
    target: targetOf({ path, variant: "" }, { id, note }),
    ...(value !== undefined && { value }),
  };
}
