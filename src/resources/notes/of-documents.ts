import type { Note } from "../../contract/note.ts";
import type { Database } from "../../database/database.ts";
import { mayEdit } from "../documents/access.ts";
import type { DocumentPart } from "../documents/record/expand.ts";
import { accessFacts } from "../documents/store.ts";
import type { SearchedNotes } from "../documents/search/search-documents.ts";
import { visibleBeside } from "./access.ts";
import { presentNotes } from "./present.ts";
import { findNotesOf } from "./store.ts";

/** Notes as they appear expanded in their documents, in order of their pages. */
export function notesOf(database: Database): DocumentPart {
  return async (viewer, documents, expansion) => {
    const parents = documents.map((row) => ({ id: row.id, isEditable: mayEdit(viewer, accessFacts(row)) }));
    const rows = await findNotesOf(database, viewer, parents);
    const editable = new Set(parents.filter(({ isEditable }) => isEditable).map(({ id }) => id));
    const notes = await presentNotes(database, viewer, rows, { editable, expansion, inDetail: true });
    const byDocument = new Map<number, Note[]>(documents.map(({ id }) => [id, []]));
    for (const [index, { document_id }] of rows.entries()) {
      byDocument.get(document_id)?.push(notes[index] as Note);
    }
    return byDocument;
  };
}

/** Access to notes for searching documents. */
export function searchedNotes(database: Database): SearchedNotes {
  return { condition: visibleBeside, shown: notesOf(database) };
}
