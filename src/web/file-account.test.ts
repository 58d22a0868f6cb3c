import { describe, expect, it } from "vitest";
import { utcEnglish } from "../texts/formats.ts";
import { type ReceiptView, fileAccount as localAccount } from "./file-account.ts";

const fileAccount = (account: Parameters<typeof localAccount>[0]) => localAccount(account, utcEnglish);

const shown = (standing: unknown): string =>
  String(
    fileAccount({
      progress: null,
      numbers: [],
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
    expect(shown(undefined)).not.toContain("still appear elsewhere");
    const standing = [
      { page: 2, seen: 1, unseen: 0 },
      { page: 3, seen: 2, unseen: 1 },
    ];
    expect(shown(standing)).toMatch(
      /Redacted\. <strong>The redacted words still appear elsewhere:<\/strong> visible on pages 2 and 3; in invisible text on page 3/,
    );
  });
});

const receipt = (
  step: string,
  outcome: "done" | "failed" = "done",
  details: Record<string, unknown> = {},
): ReceiptView => ({ step, outcome, at: "2025-01-31T12:00:00.000000Z", milliseconds: 1, details });

function afterReplacing(details: Record<string, unknown>): string {
  return String(
    fileAccount({ progress: null, numbers: [], receipts: [receipt("replaced", "done", details)] }),
  );
}

/** The texts under "What went wrong". */
function problems(...receipts: ReceiptView[]): string[] {
  const page = String(fileAccount({ progress: null, receipts, numbers: [] }));
  const list = /<ul class="problems">(.*?)<\/ul>\s*<h3>All steps/s.exec(page)?.[1] ?? "";
  return list
    .split(/<li>\s*<strong>/)
    .slice(1)
    .map((item) =>
      item
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
}

describe("what went wrong with the file", () => {
  const encrypted = receipt("read", "failed", {
    message: "The file is encrypted: it opens with a password only",
  });

  it("comes first, with an explanation and a remedy", () => {
    const [first = ""] = problems(receipt("received"), encrypted);
    expect(first).toContain("encrypted");
    expect(first).toContain("Remove the password from the file and upload it again");
    const page = String(
      fileAccount({ progress: null, numbers: [], receipts: [receipt("received"), encrypted] }),
    );
    expect(page.indexOf("What went wrong")).toBeLessThan(page.indexOf("Received"));
  });

  it("has a remedy for every step that fails, whatever the message", () => {
    for (const step of [
      "fetched",
      "converted",
      "read",
      "recognised",
      "indexed",
      "rendered",
      "redacted",
      "modified",
      "replaced",
    ]) {
      const [found = ""] = problems(receipt(step, "failed", { message: "It failed for a reason", page: 2 }));
      expect(found).toMatch(/It failed for a reason.* 31 January 2025, 12:00 UTC [A-Z].*\./);
    }
  });

  it("says that notes and sections have no page after the file was replaced", () => {
    expect(afterReplacing({ pages: 1 })).toMatch(/The file was replaced\s*</);
    expect(afterReplacing({ notes_beyond: 1, sections_beyond: 2 })).toContain(
      "The file was replaced. It has no page for a note and 2 sections of the document",
    );
  });

  it("disappears after a later successful attempt, and after a new file", () => {
    expect(problems(encrypted, receipt("read"))).toEqual([]);
    expect(problems(receipt("converted", "failed", { message: "x" }), receipt("read"))).toEqual([]);
    expect(problems(encrypted, receipt("received"))).toEqual([]);
    expect(problems(encrypted, encrypted)).toHaveLength(1);
    expect(problems(receipt("read"), encrypted)).toHaveLength(1);
  });

  it("names pages that could not be read, and warns of words that remain after a redaction", () => {
    const unread = receipt("read", "done", {
      pages: 3,
      unread: [{ page: 2, reason: "There is no text on it" }],
    });
    expect(problems(unread)[0]).toContain("Page 2: There is no text on it");
    const standing = receipt("redacted", "done", { standing: [{ page: 2, seen: 1, unseen: 0 }] });
    expect(problems(standing)[0]).toContain("redact them too");
    expect(problems(receipt("read", "done", { unread: [] }))).toEqual([]);
  });
});
