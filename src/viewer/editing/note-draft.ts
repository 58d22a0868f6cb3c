import { editingTexts as texts } from "../texts/editing-texts.ts";
import type { Note } from "../../contract/note.ts";

/** The members of a note that people write. */
export type NoteDraft = Pick<
  Note,
  "title" | "content" | "access" | "page_number" | "x1" | "x2" | "y1" | "y2"
>;

/** The parts of a note that people change independently of each other. The place is its page and its box. */
export type NotePart = "title" | "content" | "access" | "place";

const members: Readonly<Record<NotePart, readonly (keyof NoteDraft)[]>> = {
  title: ["title"],
  content: ["content"],
  access: ["access"],
  place: ["page_number", "x1", "x2", "y1", "y2"],
};
const parts = Object.keys(members) as NotePart[];

function differs(part: NotePart, left: NoteDraft, right: NoteDraft): boolean {
  return members[part].some((name) => left[name] !== right[name]);
}

/** The members to send so that `note` becomes the draft. The API takes the edges of the box together. */
export function noteChanges(note: NoteDraft, draft: NoteDraft): Partial<NoteDraft> {
  const { x1, x2, y1, y2, ...others } = draft;
  const edges = { x1, x2, y1, y2 };
  const isBoxChanged = (["x1", "x2", "y1", "y2"] as const).some((name) => note[name] !== edges[name]);
  const changed = Object.entries(others).filter(([name, value]) => note[name as keyof NoteDraft] !== value);
  return { ...(Object.fromEntries(changed) as Partial<NoteDraft>), ...(isBoxChanged ? edges : {}) };
}

/**
 * Brings a draft up to date after somebody else has changed the note. Parts that were not edited here take the new
 * values. `conflicts` are the parts that both have changed, to different values; in the draft they stay as they were
 * edited here.
 */
export function mergeNote(
  base: NoteDraft,
  draft: NoteDraft,
  theirs: NoteDraft,
): { draft: NoteDraft; conflicts: NotePart[] } {
  const merged = { ...theirs };
  const conflicts: NotePart[] = [];
  for (const part of parts) {
    if (!differs(part, base, draft)) continue;
    for (const name of members[part]) Object.assign(merged, { [name]: draft[name] });
    if (differs(part, base, theirs) && differs(part, draft, theirs)) conflicts.push(part);
  }
  const { title, content, access, page_number, x1, x2, y1, y2 } = merged;
  return { draft: { title, content, access, page_number, x1, x2, y1, y2 }, conflicts };
}

/** What somebody else has made of the parts, as one sentence. */
export function conflictsInWords(conflicts: readonly NotePart[], theirs: NoteDraft): string {
  const { theirs: words } = texts.note;
  const said: Readonly<Record<NotePart, string>> = {
    title: words.title(theirs.title),
    content: theirs.content === "" ? words.noText : words.text(theirs.content),
    access: words.access[theirs.access] ?? theirs.access,
    place: words.place(theirs.page_number + 1),
  };
  return texts.note.changedMeanwhile(conflicts.map((part) => said[part]).join(", "));
}
