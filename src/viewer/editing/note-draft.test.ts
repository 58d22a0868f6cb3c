import { describe, expect, it } from "vitest";
import { ConflictError } from "../form/merge.ts";
import { type NoteValues, boxOf, noteDraft, noteLocation, locationOf } from "./note-draft.ts";

const note: NoteValues = {
  title: "Mine",
  content: "",
  access: "private",
  page_number: 2,
  x1: 0.1,
  x2: 0.2,
  y1: 0.3,
  y2: 0.4,
};

describe("the draft of a note", () => {
  it("is where its box is, and about the whole page without one", () => {
    expect(locationOf({ page: 5, box: { x1: 0, x2: 1, y1: 0, y2: 1 } }, note)).toEqual({
      page_number: 4,
      x1: 0,
      x2: 1,
      y1: 0,
      y2: 1,
    });
    expect(boxOf({ ...note, ...locationOf(undefined, note) })).toBeNull();
    expect(locationOf(undefined, note).page_number).toBe(note.page_number);
  });

  it("says at the fields what somebody else has made of the note", async () => {
    const draft = noteDraft(note, 0);
    const theirs = { ...note, title: "Theirs", access: "public", page_number: 4 } as const;
    const conflict = new ConflictError<NoteValues>(
      ["title", "access", ...noteLocation],
      { values: theirs, etag: null },
      note,
    );
    expect(await draft.submit(() => Promise.reject(conflict))).toBe(false);
    expect(draft.field("title").fault).toContain("“Theirs”");
    expect(draft.field("access").fault).toContain("“Public”");
    expect(draft.field("page_number").fault).toContain("“another place, on page 5”");
    expect(draft.field("content").fault).toBe("");
  });
});
