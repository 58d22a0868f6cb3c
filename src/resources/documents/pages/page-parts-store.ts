import type { Selectable } from "kysely";
import { BulkInsert } from "../../../database/bulk-insert.ts";
import type { Writer } from "../../../database/database.ts";
import type { NotesTable, SectionsTable } from "../../../database/tables.ts";
import { invalidFields } from "../../../errors.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { nextNotePart, noteText } from "./note-texts.ts";
import type { PlannedPage } from "./planned-page.ts";
import { turnBox } from "./turn-page.ts";

/*
 * What people have put on pages goes where the pages go. Notes, sections and entities are resources of their own, which
 * stand on this one; that they move with the pages, or end with them, in the transaction that moves these, is the pages'
 * business.
 *
 * A page's first use takes what is on it along; further uses, and pages of other documents, get copies. Nobody's private
 * note is copied but that of who asks for it; nor, from other documents, what is not public there.
 *
 * There is an end to copies: a page may be named thousands of times and may have hundreds of notes, and nobody else can
 * write as long as they are being made. Who asks for more is refused. Where notes have come between the request and
 * this, the last copies are left out.
 */

/** Of notes and sections, in one go. */
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
  const fault = `These pages would have ${copies} notes and sections copied: ${maxCopies} at most`;
  throw invalidFields({ data: { non_field_errors: [fault] } });
}

/** In the transaction that gives the document its new pages. */
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
  const isRoom = (): boolean => copies.length + copiedSections.length < maxCopies;
  const uses = usesOf(pages, documentId);
  for (const { isFirst, from, place, quarterTurns } of uses) {
    for (const note of notesOn.get(from) ?? []) {
      const moved = { page_number: place, ...turned(note, quarterTurns) };
      if (!isFirst) {
        const { id: _id, ...copied } = note;
        const isCopied = isRoom() && mayCopy(note, documentId, userId);
        if (isCopied) copies.push({ ...copied, ...moved, document_id: documentId });
      } else if (note.page_number !== place || (quarterTurns & 3) !== 0) {
        await writer.updateTable("notes").set(moved).where("id", "=", note.id).execute();
      }
    }
    for (const { id, title } of sectionsOn.get(from) ?? []) {
      const section = { document_id: documentId, page_number: place, title };
      if (isFirst) movedSections.push({ id, ...section });
      else if (isRoom()) copiedSections.push(section);
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
    if (note.document_id !== documentId || used.has(placeOf(note))) continue;
    await writer.updateTable("notes").set(nowhere).where("id", "=", note.id).execute();
  }
}

/**
 * Takes away what was said of which entities the document has where, in the transaction that gives it other pages, or
 * that hides some of what they say: it quotes the text as it was, and counts its characters.
 */
export async function removeEntityOccurrences(writer: Writer, documentId: number): Promise<void> {
  await writer.deleteFrom("entity_occurrences").where("document_id", "=", documentId).execute();
}

/** A page of the new order. */
interface Use {
  /** The page that it is now: see {@link placeOf}. */
  from: string;
  place: number;
  quarterTurns: number;
  /** What is on the page comes along; otherwise it is copied. */
  isFirst: boolean;
}

function usesOf(pages: readonly PlannedPage[], documentId: number): Use[] {
  const used = new Set<string>();
  return pages.map(({ document, page, quarterTurns }, place) => {
    const from = placeOf({ document_id: document, page_number: page });
    const isFirst = document === documentId && !used.has(from);
    used.add(from);
    return { from, place, quarterTurns, isFirst };
  });
}

type OnPage = Pick<NoteRow, "document_id" | "page_number">;

function placeOf({ document_id, page_number }: OnPage): string {
  return `${document_id} ${page_number}`;
}

function byPage<Part extends OnPage>(parts: readonly Part[]): Map<string, Part[]> {
  return Map.groupBy(parts, placeOf);
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
