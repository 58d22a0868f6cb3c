import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NoteDraft, conflictsInWords, mergeNote, noteChanges } from "./note-draft.ts";

const edge = fc.constantFrom(null, 0.1, 0.2);
const draft: fc.Arbitrary<NoteDraft> = fc.record({
  title: fc.constantFrom("A", "B", "C"),
  content: fc.constantFrom("", "x", "y"),
  access: fc.constantFrom("private", "organization", "public"),
  page_number: fc.nat(2),
  x1: edge,
  x2: edge,
  y1: edge,
  y2: edge,
});

const place = ({ page_number, x1, x2, y1, y2 }: NoteDraft) => [page_number, x1, x2, y1, y2];

describe("two people who change the same note", () => {
  it("never lose a change without being told", () => {
    fc.assert(
      fc.property(draft, draft, draft, (base, mine, theirs) => {
        const { draft: merged, conflicts } = mergeNote(base, mine, theirs);
        for (const name of ["title", "content", "access"] as const) {
          const isTold = conflicts.includes(name);
          expect(merged[name]).toBe(mine[name] === base[name] ? theirs[name] : mine[name]);
          expect(isTold).toBe(
            mine[name] !== base[name] && theirs[name] !== base[name] && mine[name] !== theirs[name],
          );
        }
        // Sending the differences makes of their note the merged one.
        expect({ ...theirs, ...noteChanges(theirs, merged) }).toEqual(merged);
        // A box never comes from one of them and its page from the other.
        expect([place(mine), place(theirs)]).toContainEqual(place(merged));
      }),
    );
  });

  it("are told what the other one wrote", () => {
    const theirs = {
      title: "Theirs",
      content: "",
      access: "public" as const,
      page_number: 2,
      x1: null,
      x2: null,
      y1: null,
      y2: null,
    };
    expect(conflictsInWords(["title", "content", "access", "place"], theirs)).toBe(
      "Not saved yet: somebody else has changed the note meanwhile. Now its title is “Theirs”, its text is empty, it is public, it is in another place, on page 3. Save again to keep what you wrote.",
    );
  });
});
