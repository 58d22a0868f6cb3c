import { describe, expect, it } from "vitest";
import type { Receipt } from "../../contract/work.ts";
import { outcomeOf } from "./redaction-outcome.ts";

const receipt = {
  id: 1,
  at: "2025-01-31T12:00:00.000000Z",
  step: "redacted",
  outcome: "done",
  milliseconds: 5,
  next: null,
} satisfies Receipt;

describe("the result of a redaction", () => {
  it("says what was checked", () => {
    const checked = ["pdf", "pixels", "text", "positions", "index", "files"];
    const outcome = outcomeOf({ ...receipt, pages: [2, 5], words: 3, checked });
    expect(outcome).toMatchObject({
      isDone: true,
      headline: "Redacted: 3 words under the boxes on pages 2 and 5.",
      problems: [],
    });
    expect(outcome.checks).toHaveLength(checked.length);
  });

  it("begins with the words that are left, and says what to do", () => {
    const standing = [
      { page: 3, seen: 2, unseen: 0 },
      { page: 7, seen: 0, unseen: 1 },
    ];
    const unread = [{ page: 2, reason: "There is no data for this language" }];
    const { problems } = outcomeOf({ ...receipt, pages: [2], words: 1, checked: ["pdf"], standing, unread });
    expect(problems.map(({ text }) => text)).toEqual([
      "Redacted words can still be seen on page 3.",
      "Redacted words are still in text that cannot be seen, on page 7.",
      "The rest of the text of page 2 could not be recognised: There is no data for this language.",
    ]);
  });

  it("says what became of the documents in it", () => {
    const parts = [
      { id: 8, words: 2 },
      { id: 9, words: 1 },
    ];
    const done = { ...receipt, pages: [1], words: 2, checked: [], attached_files: 3 };
    const outcome = outcomeOf({ ...done, parts, parts_count: 2 });
    expect(outcome.parts).toEqual({ count: 2, ids: [8, 9] });
    expect(outcome.checks).toEqual(["The 3 documents that were made of the attached files are removed."]);
  });

  it("names the reason of a failure, and what has become of the document", () => {
    const message =
      "Hidden content of page 1 can still be found in text that cannot be seen, on page 4: nothing was published";
    const { isDone, problems } = outcomeOf({ ...receipt, outcome: "failed", message });
    expect(isDone).toBe(false);
    expect(problems[0]).toEqual({
      text: `${message}.`,
      advice: "Redact the pages that the message names, too.",
    });
    expect(problems[1]?.text).toMatch(/as it was/);
    const late = outcomeOf({ ...receipt, outcome: "failed", message, withheld: true });
    expect(late.problems[1]?.text).toMatch(/private/);
    expect(outcomeOf(null).problems[0]?.text).toBe("The work was stopped.");
  });
});
