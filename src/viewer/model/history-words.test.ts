import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "../../contract/document.ts";
import { type Names, idsIn, lineOf } from "./history-words.ts";

const names: Names = {
  users: new Map([
    [1, "Ann"],
    [2, "Ben"],
  ]),
  projects: new Map([[7, "Harbour"]]),
  organizations: new Map([[3, "The Bugle"]]),
};

const entry = (
  action: HistoryEntry["action"],
  changes: Record<string, [unknown, unknown]> = {},
  user: number | null = 1,
): HistoryEntry => ({
  id: 1,
  at: "2026-11-21T09:30:00.123456Z",
  user,
  action,
  changes: Object.fromEntries(Object.entries(changes).map(([name, [from, to]]) => [name, { from, to }])),
});
const words = (...of: Parameters<typeof entry>): string => {
  const { who, what, details } = lineOf(entry(...of), names);
  return [`${who} ${what}`, ...details].join(" | ");
};

describe("a history in words", () => {
  it.each([
    [
      "Ann added the document | title: “Minutes” | access: private",
      "created",
      { title: [null, "Minutes"], access: [null, "private"], source: [null, ""] },
    ],
    ["Ann changed the title from “A” to “B”", "changed", { title: ["A", "B"] }],
    ["Ann set the source to “The clerk”", "changed", { source: ["", "The clerk"] }],
    ["Ann removed the source, which was “The clerk”", "changed", { source: ["The clerk", ""] }],
    ["Ann made it public", "changed", { access: ["private", "public"] }],
    ["Ann changed the owner from Ann to Ben", "changed", { user: [1, 2] }],
    [
      "Ann changed the organization from The Bugle to another organization",
      "changed",
      { organization: [3, 4] },
    ],
    [
      "Ann changed several fields | changed the title from “A” to “B” | made it private",
      "changed",
      { title: ["A", "B"], access: ["public", "private"] },
    ],
    ["Ann changed the text of pages 1 and 3", "changed", { pages: [null, [0, 2]] }],
    [
      "Ann changed several fields | removed the data “box”, which was “1” | set the tags to “a, b”",
      "changed",
      { data: [{ box: ["1"] }, { _tag: ["a", "b"] }] },
    ],
    ["Ann changed the setting for search engines from off to on", "changed", { noindex: [false, true] }],
    ["Ann changed it", "changed", { revision_control: [false, true] }],
    ["Ann added it to the project “Harbour”", "shared", { project: [null, 7] }],
    ["Ann removed it from a project", "unshared", { project: [8, null] }],
    ["Ann redacted page 2", "redacted", { redacted_pages: [null, [2]] }],
    ["Ann changed the language from English to German", "changed", { language: ["eng", "deu"] }],
    [
      "Ann changed its pages | 3 pages instead of 5",
      "modified",
      { page_count: [5, 3], file_hash: ["a", "b"] },
    ],
    ["Ann replaced its file", "replaced", { file_hash: ["a", "b"] }],
    [
      "Ann replaced its file | a file of type pdf instead of docx | 3 pages instead of 5",
      "replaced",
      { page_count: [5, 3], original_extension: ["docx", "pdf"], file_hash: ["a", "b"] },
    ],
    ["Ann deleted it", "deleted", { title: ["A", null] }],
    ["Ann brought it back from the trash", "restored", {}],
  ] as [string, HistoryEntry["action"], Record<string, [unknown, unknown]>][])(
    "says: %s",
    (expected, action, changes) => {
      expect(words(action, changes)).toBe(expected);
    },
  );

  it("names Quire, and users who are not known", () => {
    expect(words("published", { access: ["private", "public"] }, null)).toBe(
      "Quire made it public, as planned",
    );
    expect(words("deleted", {}, 9)).toBe("Somebody deleted it");
  });

  it("shortens long values", () => {
    expect(words("changed", { description: ["", "x".repeat(4000)] }).length).toBeLessThan(200);
  });

  it("knows whose names it needs", () => {
    const entries = [
      entry("changed", { user: [1, 2], organization: [3, 4] }),
      entry("shared", { project: [null, 7] }, null),
    ];
    expect(idsIn(entries)).toEqual({ users: [1, 2], projects: [7], organizations: [3, 4] });
    expect(idsIn([entry("created", { projects: [null, [7, 8]] })]).projects).toEqual([7, 8]);
  });
});
