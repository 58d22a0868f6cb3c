import { FieldError, integer, text } from "../../http/fields/fields.ts";
import { type ParentDocument, pageOf } from "../documents/parent-document.ts";

export const changedSectionFields = {
  page_number: integer({ least: 0, label: "Page number", help: "Where it begins; the first page is 0" }),
  title: text({ maxLength: 200, label: "Title" }),
};

/** A new section, or the whole of one. */
export const sectionFields = {
  page_number: { ...changedSectionFields.page_number, required: true as const },
  title: { ...changedSectionFields.title, required: true as const },
};

/** The fields of a section of one document, in which others begin on the pages that are taken. */
export function onDocument<Table extends Pick<typeof changedSectionFields, "page_number">>(
  document: ParentDocument,
  table: Table,
  taken: ReadonlySet<number>,
): Table {
  const field = pageOf(document, table.page_number);
  const read = (value: unknown): number => {
    const page = field.read(value);
    if (taken.has(page)) throw new FieldError("You may not add more than one section to a page");
    return page;
  };
  return { ...table, page_number: { ...field, read } };
}
