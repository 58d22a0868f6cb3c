import type { Reader } from "../../../database/database.ts";
import { type TextPart, firstNotePart } from "../../../search/parts.ts";

/*
 * The texts of notes as the text index has them. Notes are a separate resource above this one. They are indexed here
 * because a search finds documents by their notes.
 */

export interface NoteText {
  part: number;
  title: string;
  /** Sanitised HTML. */
  content_html: string;
}

/** A note as a part of its document in the text index. */
export function noteText(documentId: number, { part, title, content_html }: NoteText): TextPart {
  return { documentId, part, text: `${title}\n${plainText(content_html)}` };
}

/** All notes of documents as parts of them in the text index. */
export async function noteTextsOf(
  reader: Pick<Reader, "selectFrom">,
  documentIds: readonly number[],
): Promise<TextPart[]> {
  const notes = await reader
    .selectFrom("notes")
    .select(["document_id", "part", "title", "content_html"])
    .where("document_id", "in", documentIds)
    .execute();
  return notes.map(({ document_id, ...note }) => noteText(document_id, note));
}

/** The part number for a document's next note. The caller must hold the lock on the document. */
export async function nextNotePart(reader: Pick<Reader, "selectFrom">, documentId: number): Promise<number> {
  const { last } = await reader
    .selectFrom("notes")
    .select((notes) => notes.fn.max("part").as("last"))
    .where("document_id", "=", documentId)
    .executeTakeFirstOrThrow();
  return last === null ? firstNotePart : last + 1;
}

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
};

/**
 * The text of a note's sanitised HTML. Block elements become line breaks. Inline elements (`<b>`) do not split words.
 */
export function plainText(html: string): string {
  return html
    .replaceAll(/<\/?(?:blockquote|br|h[1-6r]|li|ol|p|pre|ul)\b[^>]*>/g, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity);
}
