import { describe, expect, it } from "vitest";
import { auditTables } from "../../resources/audit/sources.ts";
import english from "../../texts/en/admin.json" with { type: "json" };
import { detailsInWords } from "./audit-words.ts";

describe("the details of an entry of the audit log", () => {
  it("have a label for each member of each source", () => {
    const names = auditTables
      .flatMap(({ details }) => details)
      .filter((name) => name !== "changes")
      .concat("account");
    expect(names.filter((name) => !Object.hasOwn(english.audit.members, name))).toEqual([]);
  });

  it("are in words: roles and ways, moments, and what a field was before", () => {
    const details = {
      account: 7,
      organization_id: null,
      role_before: null,
      role_after: "admin",
      means: "provider",
    };
    expect(detailsInWords({ source: "membership", details })).toEqual([
      "User: 7",
      "Role after: admin",
      "By: the groups of an identity provider",
    ]);
    const changes = {
      title: ["Harbour", "Harbours"],
      access: [null, "public"],
      source: ["A letter", ""],
      noindex: [null, true],
      language: [null, null],
    };
    expect(detailsInWords({ source: "document", details: changes })).toEqual([
      "Title: Harbours (before: Harbour)",
      "Access: public",
      "Source: removed (before: A letter)",
      "Hidden from search engines: yes",
    ]);
    expect(detailsInWords({ source: "guest_link", details: { may_download: false } })).toEqual([
      "May download: no",
    ]);
  });
});
