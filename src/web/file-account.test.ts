import { describe, expect, it } from "vitest";
import { fileAccount } from "./file-account.ts";

const shown = (standing: unknown): string =>
  String(
    fileAccount({
      progress: null,
      receipts: [
        {
          step: "redacted",
          outcome: "done",
          at: "2025-01-31T12:00:00.000000Z",
          milliseconds: 1,
          details: { standing },
        },
      ],
    }),
  );

describe("the history of the file", () => {
  it("names the pages on which redacted words still appear, visibly or not", () => {
    expect(shown(undefined)).not.toContain("stand elsewhere");
    const standing = [
      { page: 2, seen: 1, unseen: 0 },
      { page: 3, seen: 2, unseen: 1 },
    ];
    expect(shown(standing)).toMatch(
      /Redacted\. <strong>The redacted words still appear elsewhere:<\/strong> visible on pages 2, 3; in invisible text on page 3/,
    );
  });
});
