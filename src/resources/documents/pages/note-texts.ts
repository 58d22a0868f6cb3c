import type { Reader } from "../../../database/database.ts";
import { type TextPart, firstNotePart } from "../../../search/parts.ts";

/*
 * What notes say, as the index of words has it. They are a resource of their own, which stands on this one; that a document
 * is found by them is the search's business.
 */

export interface NoteText {
  part: number;
  title: string;
  /** As it is when it has been cleaned. */
  content_html: string;
}

/** A note as a part of its document. */
export function noteText(documentId: number, { part, title, content_html }: NoteText): TextPart {
  return { documentId, part, text: `${title}\n${plainText(content_html)}` };
}

/** All notes of a document, as parts of it. */
export async function noteTextsOf(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<TextPart[]> {
  const notes = await reader
    .selectFrom("notes")
    .select(["part", "title", "content_html"])
    .where("document_id", "=", documentId)
    .execute();
  return notes.map((note) => noteText(documentId, note));
}

/** The part that a document's next note becomes. Whoever asks has locked the document. */
export async function nextNotePart(reader: Pick<Reader, "selectFrom">, documentId: number): Promise<number> {
  const { last } = await reader
    .selectFrom("notes")
    .select((notes) => notes.fn.max("part").as("last"))
    .where("document_id", "=", documentId)
    .executeTakeFirstOrThrow();
  return last === null ? firstNotePart : last + 1;
}

const signs: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/** The text of a note's cleaned HTML: what stands within a line (`<b>`) divides no word. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<\/?(?:blockquote|br|h[1-6r]|li|ol|p|pre|ul)\b[^>]*>/g, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot);/g, (sign) => signs[sign] ?? sign);
}
