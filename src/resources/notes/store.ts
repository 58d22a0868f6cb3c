import { type Insertable, type Selectable, type Updateable, sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { nextBatch, readInBatches } from "../../database/page-batches.ts";
import type { Dialect } from "../../database/dialect.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { NotesTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { indexTexts } from "../../search/text-index.ts";
import { nextNotePart, noteText } from "../documents/pages/note-texts.ts";
import type { ParentDocument } from "../documents/parent-document.ts";
import { visibleTo } from "./access.ts";
import { removeRows, rowOf } from "../../database/rows.ts";

export type NoteRow = Selectable<NotesTable>;

const columns = sql`notes.*`;

/** One page of the notes of a document that the viewer may see. */
export async function listNotes(
  database: Database,
  viewer: Viewer,
  { document, pageNumber }: { document: ParentDocument; pageNumber: number | undefined },
  cursor: Cursor,
  limit: number,
): Promise<Page<NoteRow>> {
  const { dialect } = database;
  const editable = dialect.list(document.isEditable ? [document.id] : []);
  return new Conditions(dialect, "notes")
    .equals("document_id", document.id)
    .equals("page_number", pageNumber)
    .always(`seen by ${viewer.kind}`, visibleTo(dialect, viewer))
    .with({ viewer: idOf(viewer), editable })
    .page(database, columns, cursor, limit);
}

/** All notes of these documents that the viewer may see, in order of their pages. */
export async function findNotesOf(
  { dialect, prepared }: Database,
  viewer: Viewer,
  documents: readonly Pick<ParentDocument, "id" | "isEditable">[],
): Promise<NoteRow[]> {
  if (documents.length === 0) return [];
  const build = () => {
    const { condition, end } = nextBatch("notes");
    const idMatches = dialect.isAmong(sql.ref("notes.document_id"), parameter("documents"));
    return sql`select ${columns} from notes where ${idMatches} and ${visibleTo(dialect, viewer)}
          and ${condition} ${end}`;
  };
  const editable = documents.filter(({ isEditable }) => isEditable).map(({ id }) => id);
  const values = {
    documents: dialect.list(documents.map(({ id }) => id)),
    editable: dialect.list(editable),
    viewer: idOf(viewer),
  };
  return readInBatches((after) =>
    prepared.rows<NoteRow>(`notes of documents seen by ${viewer.kind}`, build, { ...values, ...after }),
  );
}

/** The pages of a document that have notes which the viewer may see. */
export async function findNotedPages(
  { dialect, prepared }: Database,
  viewer: Viewer,
  { id, isEditable }: Pick<ParentDocument, "id" | "isEditable">,
): Promise<number[]> {
  const values = { document: id, editable: dialect.list(isEditable ? [id] : []), viewer: idOf(viewer) };
  const rows = await prepared.rows<{ page_number: number }>(
    `pages with notes seen by ${viewer.kind}`,
    () => {
      const seen = visibleTo(dialect, viewer);
      return sql`select distinct notes.page_number from notes
        where notes.document_id = ${parameter("document")} and ${seen} order by notes.page_number`;
    },
    values,
  );
  return rows.map(({ page_number }) => page_number);
}

/** The note, without an access check. */
export async function findNote(
  reader: Pick<Reader, "selectFrom">,
  document: number,
  id: number,
): Promise<NoteRow | null> {
  return rowOf(reader, "notes", { id, document_id: document });
}

/** The notes with these ids, without an access check. */
export async function findNotesAmong(
  reader: Pick<Reader, "selectFrom">,
  ids: readonly number[],
): Promise<Pick<NoteRow, "id" | "document_id" | "page_number" | "access" | "user_id">[]> {
  if (ids.length === 0) return [];
  return reader
    .selectFrom("notes")
    .select(["id", "document_id", "page_number", "access", "user_id"])
    .where("id", "in", ids)
    .execute();
}

/** All notes of these documents, whatever their access. */
export async function findNotesForPutting(
  writer: Writer,
  dialect: Dialect,
  documents: readonly number[],
): Promise<NoteRow[]> {
  const idMatches = dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(documents)}`);
  return writer.selectFrom("notes").selectAll().where(idMatches).orderBy("id").execute();
}

/** The caller must have locked the document. */
export async function insertNote(
  writer: Writer,
  note: Omit<Insertable<NotesTable>, "part">,
): Promise<NoteRow> {
  const part = await nextNotePart(writer, note.document_id);
  const row = await writer
    .insertInto("notes")
    .values({ ...note, part })
    .returningAll()
    .executeTakeFirstOrThrow();
  await indexTexts(writer, [noteText(row.document_id, row)], { areNew: true });
  return row;
}

export async function updateNote(
  writer: Writer,
  id: number,
  values: Updateable<NotesTable>,
): Promise<NoteRow> {
  const row = await writer
    .updateTable("notes")
    .set(values)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await indexTexts(writer, [noteText(row.document_id, row)]);
  return row;
}

export async function deleteNote(writer: Writer, id: number): Promise<void> {
  await removeRows(writer, "notes", { id });
}

/** Null for an anonymous viewer. */
function idOf(viewer: Viewer): number | null {
  return viewer.kind === "user" ? viewer.id : null;
}
