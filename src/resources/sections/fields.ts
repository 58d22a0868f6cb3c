import { sectionLimits } from "../../contract/limits.ts";
import { FieldError } from "../../http/fields/fields.ts";
import { integer, text } from "../../http/fields/field-kinds.ts";
import { type ParentDocument, pageOf } from "../documents/parent-document.ts";

export const changedSectionFields = {
  page_number: integer({
    min: 0,
    label: "Page number",
    help: "The page on which it begins. The first page is 0",
  }),
  title: text({ maxLength: sectionLimits.title, label: "Title" }),
};

/** The fields of a new section and of a PUT. */
export const sectionFields = {
  page_number: { ...changedSectionFields.page_number, required: true as const },
  title: { ...changedSectionFields.title, required: true as const },
};

/** The fields of a section of one document. Other sections begin on the pages in `taken`. */
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
