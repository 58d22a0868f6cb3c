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

describe("what happened to the file", () => {
  it("says where words still stand that were redacted elsewhere, whether they can be seen or not", () => {
    expect(shown(undefined)).not.toContain("stand elsewhere");
    const standing = [
      { page: 2, seen: 1, unseen: 0 },
      { page: 3, seen: 2, unseen: 1 },
    ];
    expect(shown(standing)).toMatch(
      /Redacted\. <strong>Words that were hidden still stand elsewhere:<\/strong> to be seen on pages 2, 3; in text that cannot be seen on page 3/,
    );
  });
});
