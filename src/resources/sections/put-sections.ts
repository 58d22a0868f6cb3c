import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import { readFields } from "../../http/fields/fields.ts";
import { onDocument } from "./fields.ts";
import { type SectionRow, findSectionsForPutting, sectionRows } from "./store.ts";

/** A section that is imported or mirrored with its document. The id is null if the source does not name it. */
export type SectionToPut = Pick<SectionRow, "page_number" | "title"> & { id: number | null };

/**
 * Reads a section by the same rules as a section that is sent to the API. No two sections begin on the same page.
 *
 * @throws {ApiError}
 */
export function readSectionToPut(
  fields: Readonly<Record<string, unknown>>,
  pageCount: number,
  taken: ReadonlySet<number>,
): Pick<SectionRow, "page_number" | "title"> {
  const document = { id: 0, page_count: pageCount, isEditable: true };
  const table = onDocument(document, taken);
  const { page_number = 0, title = "" } = readFields(table, new Map(Object.entries(fields)), "whole");
  return { page_number, title };
}

/**
 * Adds or updates the sections of these documents. Other sections of the documents stay. The documents must be locked.
 * Returns the ids of the documents whose sections were written.
 *
 * A section matches the existing section on the same page, or else one with the same id and title on another page. A
 * new section keeps its id if that is free.
 */
export async function putSections(
  writer: Writer,
  dialect: Dialect,
  documents: ReadonlyMap<number, readonly SectionToPut[]>,
): Promise<Set<number>> {
  const written = new Set<number>();
  if (documents.size === 0) return written;
  const named = [...documents.values()].flat().flatMap(({ id }) => (id === null ? [] : [{ id }]));
  const free = new Set((await withoutRow(writer, dialect, "sections", named)).map(({ id }) => id));
  const before = Map.groupBy(
    await findSectionsForPutting(writer, dialect, [...documents.keys()]),
    ({ document_id }) => document_id,
  );
  for (const [document_id, sections] of documents) {
    const left = [...(before.get(document_id) ?? [])];
    const pages = new Set(sections.map(({ page_number }) => page_number));
    for (const { id, ...section } of sections) {
      const onPage = left.find(({ page_number }) => page_number === section.page_number);
      // A row does not move if another section of the record is going to replace it.
      const moved = left.find(
        (row) => row.id === id && row.title === section.title && !pages.has(row.page_number),
      );
      const known = onPage ?? moved;
      if (known === undefined) {
        const ownId = id !== null && free.delete(id) ? { id } : {};
        await sectionRows.add(writer, { ...section, ...ownId, document_id });
      } else if (known.page_number !== section.page_number || known.title !== section.title) {
        await sectionRows.change(writer, known, section);
      } else continue;
      written.add(document_id);
    }
  }
  if (written.size > 0) await dialect.afterOwnIds("sections")?.execute(writer);
  return written;
}

/** Deletes the sections of a document that begin on other pages than these. Returns whether any was deleted. */
export async function removeOtherSections(
  writer: Writer,
  dialect: Dialect,
  documentId: number,
  sections: readonly Pick<SectionToPut, "page_number">[],
): Promise<boolean> {
  const pages = new Set(sections.map(({ page_number }) => page_number));
  const rows = await findSectionsForPutting(writer, dialect, [documentId]);
  const others = rows.filter(({ page_number }) => !pages.has(page_number));
  for (const { id } of others) await sectionRows.remove(writer, { id });
  return others.length > 0;
}
