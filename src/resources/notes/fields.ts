import { noteAccess } from "../../contract/note.ts";
import { noteLimits } from "../../contract/limits.ts";
import { choice, integer, number, text } from "../../http/fields/field-kinds.ts";
import { type ParentDocument, pageOf } from "../documents/parent-document.ts";

const fraction = { min: 0, max: 1, nullable: true } as const;

const changeable = {
  page_number: integer({ label: "Page number", help: "The first page is 0", example: 0 }),
  access: choice(noteAccess, {
    example: "private",
    label: "Access",
    help: "public: everyone who sees the document. organization: everyone who may change it. private: only you",
  }),
  title: text({ maxLength: noteLimits.title, label: "Title" }),
  content: text({
    maxLength: noteLimits.content,
    blank: true,
    long: true,
    label: "Content",
    help: "Text or HTML",
  }),
  x1: number({
    ...fraction,
    label: "x1",
    help: "Left edge: 0 to 1, as a fraction of the width",
    example: 0.1,
  }),
  x2: number({
    ...fraction,
    label: "x2",
    help: "Right edge. Without edges the note is about the whole page",
    example: 0.9,
  }),
  y1: number({
    ...fraction,
    label: "y1",
    help: "Upper edge: 0 to 1, as a fraction of the height",
    example: 0.2,
  }),
  y2: number({ ...fraction, label: "y2", help: "Lower edge", example: 0.4 }),
};

const whole = {
  ...changeable,
  page_number: { ...changeable.page_number, required: true as const },
  access: { ...changeable.access, default: "private" as const },
  title: { ...changeable.title, required: true as const },
};

export const newNoteFields = { ...whole, content: { ...whole.content, default: "" } };
export const replacedNoteFields = whole;
export const changedNoteFields = changeable;

export const coordinates = ["x1", "x2", "y1", "y2"] as const;

/** The fields of a note on one document. */
export function onDocument<Table extends Pick<typeof changeable, "page_number">>(
  document: ParentDocument,
  table: Table,
): Table {
  return { ...table, page_number: pageOf(document, table.page_number) };
}
