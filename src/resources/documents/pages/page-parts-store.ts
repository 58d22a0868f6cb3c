import type { Selectable } from "kysely";
import { BulkInsert } from "../../../database/bulk-insert.ts";
import type { Writer } from "../../../database/database.ts";
import type { NotesTable, SectionsTable } from "../../../database/tables.ts";
import { invalidFields } from "../../../errors.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { nextNotePart, noteText } from "./note-texts.ts";
import type { PlannedPage } from "./planned-page.ts";
import { turnBox } from "./turn-page.ts";
import { removeRows } from "../../../database/rows.ts";

/*
 * Notes and sections move with the pages that they are on. They are separate resources above this one, but they must
 * move, or go away, in the transaction that moves the pages. That is why it is done here.
 *
 * The first use of a page takes its notes and sections along. Further uses, and pages of other documents, get copies.
 * Private notes are copied only for their owner. From other documents, only public notes and the user's own are copied.
 *
 * The number of copies is limited: a page may be used thousands of times and may have hundreds of notes, and no other
 * writer can proceed while the copies are made. A request that needs more is refused. If notes were added after the
 * request was accepted, the last copies are left out.
 */

/** Notes and sections together, for each request. */
const maxCopies = 10_000;

type NoteRow = Selectable<NotesTable>;
type SectionRow = Selectable<SectionsTable>;

const sectionColumns = ["document_id", "page_number", "title"] as const;
const noteColumns = [
  "document_id",
  "user_id",
  "organization_id",
  "page_number",
  "access",
  "title",
  "content",
  "content_html",
  "part",
  "x1",
  "x2",
  "y1",
  "y2",
  "created_at",
  "updated_at",
] as const;

/** Refuses (400) a list of pages for which more than 10,000 notes and sections would be copied now. */
export async function checkCopies(
  writer: Writer,
  documentId: number,
  pages: readonly PlannedPage[],
  userId: number,
): Promise<void> {
  const documents = documentsIn(pages, documentId);
  const notes = await writer
    .selectFrom("notes")
    .select(["document_id", "page_number", "access", "user_id"])
    .where("document_id", "in", documents)
    .execute();
  const copied = notes.filter((note) => mayCopy(note, documentId, userId));
  const sections = await writer
    .selectFrom("sections")
    .select(["document_id", "page_number"])
    .where("document_id", "in", documents)
    .execute();
  const parts = byPage([...copied, ...sections]);
  const copies = usesOf(pages, documentId).reduce(
    (sum, { isFirst, from }) => sum + (isFirst ? 0 : (parts.get(from)?.length ?? 0)),
    0,
  );
  if (copies <= maxCopies) return;
  const message = `These pages would have ${copies} notes and sections copied: ${maxCopies} at most`;
  throw invalidFields({ data: { non_field_errors: [message] } });
}

/** Moves and copies notes and sections. Must run in the transaction that gives the document its new pages. */
export async function movePageParts(
  writer: Writer,
  documentId: number,
  pages: readonly PlannedPage[],
  userId: number,
): Promise<void> {
  const documents = documentsIn(pages, documentId);
  const notes = await writer
    .selectFrom("notes")
    .selectAll()
    .where("document_id", "in", documents)
    .orderBy("id")
    .execute();
  const sections = await writer
    .selectFrom("sections")
    .select(["id", "document_id", "page_number", "title"])
    .where("document_id", "in", documents)
    .execute();
  await writer.deleteFrom("sections").where("document_id", "=", documentId).execute();
  const [notesOn, sectionsOn] = [byPage(notes), byPage(sections)];
  const copies: Omit<NoteRow, "id">[] = [];
  const [movedSections, copiedSections]: [SectionRow[], Omit<SectionRow, "id">[]] = [[], []];
  const hasRoom = (): boolean => copies.length + copiedSections.length < maxCopies;
  const uses = usesOf(pages, documentId);
  for (const { isFirst, from, index, quarterTurns } of uses) {
    for (const note of notesOn.get(from) ?? []) {
      const moved = { page_number: index, ...turned(note, quarterTurns) };
      if (!isFirst) {
        const { id: _id, ...copied } = note;
        const isCopied = hasRoom() && mayCopy(note, documentId, userId);
        if (isCopied) copies.push({ ...copied, ...moved, document_id: documentId });
      } else if (note.page_number !== index || (quarterTurns & 3) !== 0) {
        await writer.updateTable("notes").set(moved).where("id", "=", note.id).execute();
      }
    }
    for (const { id, title } of sectionsOn.get(from) ?? []) {
      const section = { document_id: documentId, page_number: index, title };
      if (isFirst) movedSections.push({ id, ...section });
      else if (hasRoom()) copiedSections.push(section);
    }
  }
  await new BulkInsert<SectionRow>("sections", ["id", ...sectionColumns]).run(writer, movedSections);
  await new BulkInsert<Omit<SectionRow, "id">>("sections", sectionColumns).run(writer, copiedSections);
  const part = await nextNotePart(writer, documentId);
  const numbered = copies.map((copy, index) => Object.assign(copy, { part: part + index }));
  await new BulkInsert<Omit<NoteRow, "id">>("notes", noteColumns).run(writer, numbered);
  await indexTexts(
    writer,
    numbered.map((copy) => noteText(documentId, copy)),
    { areNew: true },
  );
  const used = new Set(uses.map(({ from }) => from));
  const nowhere = { page_number: 0, x1: null, x2: null, y1: null, y2: null };
  for (const note of notes) {
    if (note.document_id !== documentId || used.has(pageKey(note))) continue;
    await writer.updateTable("notes").set(nowhere).where("id", "=", note.id).execute();
  }
}

/** The numbers of notes and sections on pages that a document with this many pages does not have, unless they are 0. */
export async function countPartsBeyond(
  writer: Writer,
  documentId: number,
  pageCount: number,
): Promise<{ notes_beyond?: number; sections_beyond?: number }> {
  const count = async (table: "notes" | "sections"): Promise<number> => {
    const { parts } = await writer
      .selectFrom(table)
      .select((all) => all.fn.countAll<number>().as("parts"))
      .where("document_id", "=", documentId)
      .where("page_number", ">=", pageCount)
      .executeTakeFirstOrThrow();
    return parts;
  };
  const [notes, sections] = [await count("notes"), await count("sections")];
  return {
    ...(notes > 0 && { notes_beyond: notes }),
    ...(sections > 0 && { sections_beyond: sections }),
  };
}

/**
 * Removes a document's entity occurrences. Must run in the transaction that replaces its pages or redacts them, because
 * occurrences quote the old text and count its characters.
 */
export async function removeEntityOccurrences(writer: Writer, documentId: number): Promise<void> {
  await removeRows(writer, "entity_occurrences", { document_id: documentId });
}

/** A page of the new order. */
interface Use {
  /** The existing page: see {@link pageKey}. */
  from: string;
  /** In the new order, counting from 0. */
  index: number;
  quarterTurns: number;
  /** Notes and sections move to the first use of a page and are copied to the others. */
  isFirst: boolean;
}

function usesOf(pages: readonly PlannedPage[], documentId: number): Use[] {
  const used = new Set<string>();
  return pages.map(({ document, page, quarterTurns }, index) => {
    const from = pageKey({ document_id: document, page_number: page });
    const isFirst = document === documentId && !used.has(from);
    used.add(from);
    return { from, index, quarterTurns, isFirst };
  });
}

type OnPage = Pick<NoteRow, "document_id" | "page_number">;

function pageKey({ document_id, page_number }: OnPage): string {
  return `${document_id} ${page_number}`;
}

function byPage<Part extends OnPage>(parts: readonly Part[]): Map<string, Part[]> {
  return Map.groupBy(parts, pageKey);
}

function documentsIn(pages: readonly PlannedPage[], documentId: number): number[] {
  return [...new Set([documentId, ...pages.map(({ document }) => document)])];
}

function mayCopy(
  { access, user_id, document_id }: Pick<NoteRow, "access" | "user_id" | "document_id">,
  documentId: number,
  userId: number,
): boolean {
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
