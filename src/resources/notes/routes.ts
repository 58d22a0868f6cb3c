import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { invalidFields, notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { listContent } from "../../http/collection.ts";
import { bodyOf } from "../../http/request/body.ts";
import { type Condition, isAmong } from "../../http/request/entity-tag.ts";
import { readExpansion, readSelection } from "../../http/request/expansion.ts";
import { type Extent, membersIn } from "../../http/fields/fields.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { Query } from "../../http/request/query.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type Viewer, mayWrite } from "../../http/request/viewer.ts";
import { getParent, parentWriter } from "../documents/parent-document.ts";
import { mayChange, mayView } from "./access.ts";
import { type NoteIds, type LocatedNote, changeNote, createNote, removeNote } from "./change-notes.ts";
import { changedNoteFields, newNoteFields } from "./fields.ts";
import { presentNote, presentNotes } from "./present.ts";
import * as shapes from "./schema.ts";
import { findNote, listNotes } from "./store.ts";
import { noteInstance, noteList } from "./views.ts";

/** The notes on the pages of a document. */
export function noteRoutes(app: FastifyInstance, context: Context): void {
  noteListRoute(app, context);
  noteRoute(app, context);
}

function noteListRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/documents/:id/notes/",
    view: noteList,
    writing: "checked by handler",
    get: {
      schema: shapes.listing,
      answer: list,
    },
    post: {
      schema: shapes.creating,
      async answer(request) {
        const id = idIn(request, "id");
        const viewer = await parentWriter(database, request.viewer, id);
        const note = await createNote(context, viewer, id, membersIn(newNoteFields, bodyOf(request)));
        return new Created(note.row.id, await contentOf(context, request, note));
      },
    },
  });

  async function list(request: FastifyRequest, viewer: Viewer): Promise<Content> {
    const query = queryOf(request);
    const document = await getParent(database, viewer, idIn(request, "id"));
    const selection = readSelection(query);
    const options = {
      editable: new Set(document.isEditable ? [document.id] : []),
      expansion: readExpansion(query, ["user", "organization"]),
      inDetail: false,
    };
    return listContent(request, {
      find: (cursor, limit) =>
        listNotes(database, viewer, { document, pageNumber: pageNumberIn(query) }, cursor, limit),
      present: async (rows) =>
        (await presentNotes(database, viewer, rows, options)).map((note) => selection.of(note)),
      offers: mayWrite(viewer) ? ["POST"] : [],
    });
  }
}

function noteRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/documents/:id/notes/:note/",
    view: noteInstance,
    writing: "checked by handler",
    get: {
      schema: shapes.reading,
      answer: async (request, viewer) => contentOf(context, request, await getNote(viewer, idsOf(request))),
    },
    put: { schema: shapes.replacing, answer: (request) => change(request, "whole") },
    patch: { schema: shapes.changing, answer: (request) => change(request, "part") },
    delete: { schema: shapes.deleting, answer: remove },
  });

  async function getNote(viewer: Viewer, ids: NoteIds): Promise<LocatedNote> {
    const document = await getParent(database, viewer, ids.document);
    const row = await findNote(database.reader, document.id, ids.note);
    if (row === null || !mayView(viewer, row, document.isEditable)) throw notFound();
    return { row, document };
  }

  async function change(request: FastifyRequest, extent: Extent): Promise<Content> {
    const ids = idsOf(request);
    const viewer = await parentWriter(database, request.viewer, ids.document);
    const members = membersIn(changedNoteFields, bodyOf(request));
    const sent = { members, extent, condition: await conditionOf(request) };
    return contentOf(context, request, await changeNote(context, viewer, ids, sent));
  }

  async function remove(request: FastifyRequest): Promise<void> {
    const ids = idsOf(request);
    const viewer = await parentWriter(database, request.viewer, ids.document);
    await removeNote(context, viewer, ids, await conditionOf(request));
  }

  /**
   * The transaction compares only the entity tags of plain notes. A matching tag of an expanded note is therefore
   * replaced with the tag of the plain note first.
   */
  async function conditionOf(request: FastifyRequest): Promise<Condition<LocatedNote>> {
    const { viewer } = request;
    const ifMatch = request.headers["if-match"];
    const tagOf = ({ row, document }: LocatedNote): string =>
      content(presentNote(row, viewer, document.isEditable)).etag;
    if (ifMatch === undefined) return { ifMatch, tagOf };
    const note = await getNote(viewer, idsOf(request));
    const { etag } = await contentOf(context, request, note);
    return { ifMatch: isAmong(etag, ifMatch) ? tagOf(note) : ifMatch, tagOf };
  }
}

async function contentOf(
  { database }: Pick<Context, "database">,
  request: FastifyRequest,
  { row, document }: LocatedNote,
): Promise<Content> {
  const { viewer } = request;
  const query = queryOf(request);
  const [note = {}] = await presentNotes(database, viewer, [row], {
    editable: new Set(document.isEditable ? [document.id] : []),
    expansion: readExpansion(query, "any"),
    inDetail: true,
  });
  const isOffered = mayWrite(viewer) && mayChange(viewer, row, document.isEditable);
  return content(readSelection(query).of(note), isOffered ? ["PUT", "PATCH", "DELETE"] : []);
}

function idsOf(request: FastifyRequest): NoteIds {
  return { document: idIn(request, "id"), note: idIn(request, "note") };
}

/**
 * The page of the filter. Undefined without one, and -1 for a page that cannot exist. Throws 400 if it is not a number.
 */
function pageNumberIn(query: Query): number | undefined {
  const text = query.last("page_number")?.trim() ?? "";
  if (text === "") return undefined;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw invalidFields({ page_number: ["Enter a number."] });
  return Number.isSafeInteger(Number(text)) ? Number(text) : -1;
}
