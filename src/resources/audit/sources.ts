import type { AuditEntry } from "../../contract/keeping.ts";

/** A table that says who did what. Its entries have the order of `at`, which does not change once it is set. */
export interface AuditSource {
  name: AuditEntry["source"];
  table: string;
  /** Expressions on the table. A row without a time is no entry. */
  at: string;
  user: string;
  action: string;
  document?: string;
  /** Whether a person may also be the subject: its column `user_id`, shown as `account`. */
  isOfAccount?: true;
  details: readonly string[];
}

/** The position among these is part of cursors: add new ones at the end. */
export const auditTables: readonly AuditSource[] = [
  {
    name: "document",
    table: "document_history",
    at: "at",
    user: "user_id",
    action: "action",
    document: "document_id",
    details: ["changes"],
  },
  {
    name: "sign_in",
    table: "sign_in_events",
    // `at` is the last one of those that are counted together.
    at: "began_at",
    user: "user_id",
    action: "kind",
    details: ["network", "is_known", "times", "at"],
  },
  {
    name: "account",
    table: "account_history",
    at: "at",
    user: "by_id",
    action: "action",
    isOfAccount: true,
    details: ["subject"],
  },
  {
    name: "membership",
    table: "membership_history",
    at: "at",
    user: "by_id",
    action: "action",
    isOfAccount: true,
    details: ["organization_id", "project_id", "role_before", "role_after", "means", "provider_id"],
  },
  ...(["set", "released"] as const).map((action) => ({
    name: "hold" as const,
    table: "holds",
    at: action === "set" ? "created_at" : "released_at",
    user: action === "set" ? "user_id" : "released_by",
    action: `'${action}'`,
    details: ["name", "reason", "project_id", "query", "organization_id"],
  })),
  ...(["made", "ended"] as const).map((action) => ({
    name: "retention_rule" as const,
    table: "retention_rules",
    at: action === "made" ? "created_at" : "ended_at",
    user: action === "made" ? "user_id" : "ended_by",
    action: `'${action}'`,
    details: ["name", "project_id", "query", "period", "unit", "starts", "data_key"],
  })),
  {
    name: "disposition",
    table: "dispositions",
    at: "decided_at",
    user: "decided_by",
    action: "state",
    document: "document_id",
    details: ["rule_id", "due_at"],
  },
  ...(["made", "revoked"] as const).map((action) => ({
    name: "guest_link" as const,
    table: "guest_links",
    at: action === "made" ? "created_at" : "revoked_at",
    // Before others could revoke a link, nobody noted who did.
    user: action === "made" ? "user_id" : "coalesce(revoked_by, user_id)",
    action: `'${action}'`,
    document: "document_id",
    details: ["uuid", "name", "project_id", "search_id", "may_download", "expires_at"],
  })),
  {
    name: "audit_export",
    table: "audit_exports",
    at: "at",
    user: "user_id",
    action: "'exported'",
    details: ["since", "until", "person", "format"],
  },
  {
    name: "administration",
    table: "administration_history",
    at: "at",
    user: "by_id",
    action: "action",
    isOfAccount: true,
    details: ["organization_id", "name_before", "name_after", "means", "provider_id"],
  },
];
