import { noteLimits } from "../../contract/limits.ts";
import type { Note } from "../../contract/note.ts";
import { Draft } from "../form/draft.ts";
import type { DrawnBox } from "../model/box-drawing.ts";
import type { Box } from "../model/boxes.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** The members of a note that people write. */
export type NoteValues = Pick<
  Note,
  "title" | "content" | "access" | "page_number" | "x1" | "x2" | "y1" | "y2"
>;

/** The members that say where a note is. They change together: a box is on a page. */
export const noteLocation = ["page_number", "x1", "x2", "y1", "y2"] as const;

export function valuesOf({ title, content, access, page_number, x1, x2, y1, y2 }: NoteValues): NoteValues {
  return { title, content, access, page_number, x1, x2, y1, y2 };
}

/** The draft of a note; of a new one about the whole of a page, counting from 0, if `note` is null. */
export function noteDraft(note: NoteValues | null, page: number): Draft<NoteValues> {
  const none = { title: "", content: "", access: "private", page_number: page } as const;
  const values = note === null ? { ...none, x1: null, x2: null, y1: null, y2: null } : valuesOf(note);
  return new Draft<NoteValues>(values, {
    limits: noteLimits,
    gone: texts.note.gone,
    check: ({ title }) => (title.trim() === "" ? [["title", texts.note.needsTitle]] : []),
    inWords: (theirs, field) => {
      if (field === "access") return texts.note.levels[theirs.access].name;
      return field === "page_number" ? texts.note.boxOn(theirs.page_number + 1) : String(theirs[field]);
    },
  });
}

export function boxOf({ x1, x2, y1, y2 }: NoteValues): Box | null {
  return x1 === null || x2 === null || y1 === null || y2 === null ? null : { x1, x2, y1, y2 };
}

/** Where the note is, if this box is drawn; without one, it is about the whole of the page that it was on before. */
export function locationOf(
  drawn: Pick<DrawnBox, "page" | "box"> | undefined,
  { page_number }: NoteValues,
): Partial<NoteValues> {
  return drawn === undefined
    ? { page_number, x1: null, x2: null, y1: null, y2: null }
    : { page_number: drawn.page - 1, ...drawn.box };
}
