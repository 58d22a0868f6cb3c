import { sectionLimits } from "../../contract/limits.ts";
import { FieldError } from "../../http/fields/fields.ts";
import { integer, text } from "../../http/fields/field-kinds.ts";
import { type ParentDocument, pageOf } from "../documents/parent-document.ts";

/** The fields of a section. */
export const sectionFields = {
  page_number: integer({
    min: 0,
    required: true as const,
    label: "Page number",
    help: "The page on which it begins. The first page is 0",
  }),
  title: text({ maxLength: sectionLimits.title, required: true as const, label: "Title" }),
};

/** The fields of a section of one document. Other sections begin on the pages in `taken`. */
export function onDocument(document: ParentDocument, taken: ReadonlySet<number>): typeof sectionFields {
  const field = pageOf(document, sectionFields.page_number);
  const read = (value: unknown): number => {
    const page = field.read(value);
    if (taken.has(page)) throw new FieldError("You may not add more than one section to a page");
    return page;
  };
  return { ...sectionFields, page_number: { ...field, read } };
}
