import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import { readFields } from "../../http/fields/fields.ts";
import { onDocument, sectionFields } from "./fields.ts";
import {
  type SectionRow,
  deleteSection,
  findSectionsForPutting,
  insertSection,
  updateSection,
} from "./store.ts";

/** A section that comes with its document from elsewhere; its id is null where it names none. */
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
  const table = onDocument(document, sectionFields, taken);
  const { page_number = 0, title = "" } = readFields(table, new Map(Object.entries(fields)), "whole");
  return { page_number, title };
}

/**
 * Adds the sections of these documents, or brings those up to date that are there; others stay. The documents are locked.
 * The ids of those with sections that were written.
 *
 * The section that begins on a page is the same again. So is one of the same id and title that began on another page. An
 * id that is free is kept.
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
      // A row that another section of the record is about to replace does not move.
      const moved = left.find(
        (row) => row.id === id && row.title === section.title && !pages.has(row.page_number),
      );
      const known = onPage ?? moved;
      if (known === undefined) {
        const ownId = id !== null && free.delete(id) ? { id } : {};
        await insertSection(writer, { ...section, ...ownId, document_id });
      } else if (known.page_number !== section.page_number || known.title !== section.title) {
        await updateSection(writer, known.id, section);
      } else continue;
      written.add(document_id);
    }
  }
  if (written.size > 0) await dialect.afterOwnIds("sections")?.execute(writer);
  return written;
}

/** Deletes the sections of a document that begin on other pages than these. Returns whether there were any. */
export async function removeOtherSections(
  writer: Writer,
  dialect: Dialect,
  documentId: number,
  sections: readonly Pick<SectionToPut, "page_number">[],
): Promise<boolean> {
  const pages = new Set(sections.map(({ page_number }) => page_number));
  const rows = await findSectionsForPutting(writer, dialect, [documentId]);
  const others = rows.filter(({ page_number }) => !pages.has(page_number));
  for (const { id } of others) await deleteSection(writer, id);
  return others.length > 0;
}
