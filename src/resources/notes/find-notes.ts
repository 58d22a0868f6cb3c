import type { LocatedNote, Note } from "../../contract/note.ts";
import type { Context } from "../../context.ts";
import type { Page } from "../../database/keyset.ts";
import { type Cursor, listStart } from "../../http/request/cursor.ts";
import { type Expansion, readExpansion } from "../../http/request/expansion.ts";
import { unknownChoice } from "../../http/request/list-filters.ts";
import type { Query } from "../../http/request/query.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { documentAddress } from "../documents/present.ts";
import { findProjectsFor } from "../projects/list-store.ts";
import { type NoteFilters, readNoteFilters } from "./filters.ts";
import { type FoundNoteRow, findNotes } from "./found-store.ts";
import { presentNotes } from "./present.ts";

/**
 * The notes that one request is about: the notes on all documents that the viewer may see and that match its filters.
 */
export interface NoteQuery {
  viewer: Viewer;
  filters: NoteFilters;
  expansion: Expansion;
  /** The address of the web pages, without a slash at the end. */
  web: string;
}

/**
 * Reads the query of a request. Throws 400 if a filter is invalid, or names a project that the viewer may not see: its
 * documents would show through.
 */
export async function readNoteQuery(
  { database }: Pick<Context, "database">,
  viewer: Viewer,
  query: Query,
  web: string,
): Promise<NoteQuery> {
  const filters = readNoteFilters(query, viewer);
  const projects = filters.projects ?? [];
  const known = await findProjectsFor(database, viewer, projects);
  const unknown = projects.find((id) => !known.has(id));
  if (unknown !== undefined) throw unknownChoice(query, "project", unknown);
  return { viewer, filters, expansion: readExpansion(query, ["user", "organization"]), web };
}

/** One page of the notes, newest first. */
export function findNotePage(
  { database }: Pick<Context, "database">,
  { viewer, filters }: NoteQuery,
  cursor: Pick<Cursor, "key" | "reverse">,
  limit: number,
): Promise<Page<FoundNoteRow>> {
  return findNotes(database, viewer, filters, cursor, limit);
}

/** Notes as lists of notes on many documents show them. */
export async function presentFoundNotes(
  { database }: Pick<Context, "database">,
  { viewer, expansion, web }: Pick<NoteQuery, "viewer" | "expansion" | "web">,
  rows: readonly FoundNoteRow[],
): Promise<LocatedNote[]> {
  const editable = new Set(rows.filter((row) => Boolean(row.is_editable)).map((row) => row.document_id));
  const notes = await presentNotes(database, viewer, rows, { editable, expansion, inDetail: false });
  return rows.map((row, index) => {
    const document = { id: row.document_id, slug: row.document_slug };
    return {
      ...(notes[index] as Note),
      document: row.document_id,
      document_title: row.document_title,
      canonical_url: `${documentAddress(web, document)}#document/p${row.page_number + 1}/a${row.id}`,
    };
  });
}

/** The number of notes that one query of an export reads. */
const notesPerQuery = 1000;

/** All notes, newest first, some at a time: memory does not grow with their number. */
export async function* allNotes(
  dependencies: Pick<Context, "database">,
  noteQuery: NoteQuery,
): AsyncGenerator<LocatedNote[], void, undefined> {
  let cursor: Pick<Cursor, "key" | "reverse"> = listStart;
  for (;;) {
    const { rows, after } = await findNotePage(dependencies, noteQuery, cursor, notesPerQuery);
    yield await presentFoundNotes(dependencies, noteQuery, rows);
    const last = rows.at(-1);
    if (!after || last === undefined) return;
    cursor = { key: { id: last.id }, reverse: false };
  }
}
