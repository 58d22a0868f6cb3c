import type { Selectable } from "kysely";
import type { Writer } from "../../database/database.ts";
import type { NotesTable } from "../../database/tables.ts";
import type { PlannedPage } from "./rewrite-store.ts";
import { turnBox } from "./turn-page.ts";

/*
 * What people have put on pages goes where the pages go. Notes and sections are resources of their own, which stand on
 * this one; that they move with the pages, in the transaction that moves them, is the pages' business.
 *
 * A page's first use takes what is on it along; further uses, and pages of other documents, get copies. Nobody's private
 * note is copied but that of who asks for it; nor, from other documents, what is not public there.
 */

type NoteRow = Selectable<NotesTable>;

/** In the transaction that gives the document its new pages. */
export async function movePageParts(
  writer: Writer,
  documentId: number,
  pages: readonly PlannedPage[],
  userId: number,
): Promise<void> {
  const notes = await notesOf(writer, pages, documentId);
  const sections = await writer
    .selectFrom("sections")
    .select(["id", "document_id", "page_number", "title"])
    .where("document_id", "in", documentsIn(pages, documentId))
    .execute();
  await writer.deleteFrom("sections").where("document_id", "=", documentId).execute();
  const used = new Set<number>();
  for (const [place, { document, page, quarterTurns }] of pages.entries()) {
    const isFirst = document === documentId && !used.has(page);
    if (isFirst) used.add(page);
    const isThere = (one: { document_id: number; page_number: number }): boolean =>
      one.document_id === document && one.page_number === page;
    for (const note of notes.filter(isThere)) {
      const moved = { page_number: place, ...turned(note, quarterTurns) };
      if (isFirst) await writer.updateTable("notes").set(moved).where("id", "=", note.id).execute();
      else if (mayCopy(note, documentId, userId)) {
        const { id: _id, ...copied } = note;
        await writer
          .insertInto("notes")
          .values({ ...copied, ...moved, document_id: documentId })
          .execute();
      }
    }
    for (const { id, title } of sections.filter(isThere)) {
      const section = { document_id: documentId, page_number: place, title };
      await writer
        .insertInto("sections")
        .values(isFirst ? { ...section, id } : section)
        .execute();
    }
  }
  const left = notes.filter(
    ({ document_id, page_number }) => document_id === documentId && !used.has(page_number),
  );
  for (const { id } of left) {
    const nowhere = { page_number: 0, x1: null, x2: null, y1: null, y2: null };
    await writer.updateTable("notes").set(nowhere).where("id", "=", id).execute();
  }
}

async function notesOf(
  writer: Writer,
  pages: readonly PlannedPage[],
  documentId: number,
): Promise<NoteRow[]> {
  return writer
    .selectFrom("notes")
    .selectAll()
    .where("document_id", "in", documentsIn(pages, documentId))
    .orderBy("id")
    .execute();
}

function documentsIn(pages: readonly PlannedPage[], documentId: number): number[] {
  return [...new Set([documentId, ...pages.map(({ document }) => document)])];
}

function mayCopy({ access, user_id, document_id }: NoteRow, documentId: number, userId: number): boolean {
  if (access === "invisible") return false;
  if (user_id === userId || access === "public") return true;
  return access === "organization" && document_id === documentId;
}

function turned(
  { x1, x2, y1, y2 }: NoteRow,
  quarterTurns: number,
): Partial<Pick<NoteRow, "x1" | "x2" | "y1" | "y2">> {
  if (x1 === null || x2 === null || y1 === null || y2 === null) return {};
  return turnBox({ x1, x2, y1, y2 }, quarterTurns);
}
