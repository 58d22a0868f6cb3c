import { type Static, Type, dateTime, dictionary, enumeration, id, nullable } from "./shape.ts";

/** A legal hold: while it is in force, what it covers can be neither deleted nor changed in its file. */
export const Hold = Type.Object(
  {
    id: id(),
    name: Type.String(),
    reason: Type.String(),
    organization: nullable(id("it covers documents of this organization alone; null for those of all")),
    project: nullable(id("the project whose documents it covers")),
    query: nullable(Type.String({ description: "the search whose documents it covers" })),
    count: Type.Integer({ minimum: 0, description: "how many of its documents you may see" }),
    user: id("who set it"),
    created_at: dateTime(),
    released_at: nullable(dateTime("null while it is in force")),
    released_by: nullable(id()),
  },
  { $id: "Hold" },
);
export type Hold = Static<typeof Hold>;

/** A document that a hold has found. */
export const HeldDocument = Type.Object(
  {
    document: id(),
    title: Type.String(),
    pages: Type.Integer({ minimum: 0 }),
    user: id("the owner of the document"),
    organization: id(),
    access: Type.String(),
    is_deleted: Type.Boolean({ description: "whether it is in the trash" }),
  },
  { $id: "HeldDocument" },
);
export type HeldDocument = Static<typeof HeldDocument>;

/** Where the entries of the audit log come from. */
export const auditSources = [
  "document",
  "sign_in",
  "account",
  "membership",
  "hold",
  "retention_rule",
  "disposition",
  "guest_link",
  "audit_export",
  "administration",
] as const;

/** Something that somebody did. */
export const AuditEntry = Type.Object(
  {
    at: dateTime(),
    source: enumeration(auditSources),
    id: id("of the entry, among those of its source"),
    action: Type.String(),
    user: nullable(id("who did it; null for Quire itself, a guest or the command line")),
    username: nullable(Type.String()),
    document: nullable(id()),
    details: dictionary(Type.Unknown(), {
      description: "what belongs to entries of this source; null for what you may not see",
    }),
  },
  { $id: "AuditEntry" },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const auditFormats = ["jsonl", "csv"] as const;

export const retentionUnits = ["days", "months", "years"] as const;
export const retentionStarts = ["created_at", "published", "data"] as const;
export const dispositionStates = ["proposed", "approved", "kept"] as const;
export const dispositionDecisions = ["approve", "keep"] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** How long documents are kept. Quire proposes to delete those that have run out, and an administrator approves it. */
export const RetentionRule = Type.Object(
  {
    id: id(),
    name: Type.String(),
    project: nullable(id("the project whose documents it is about")),
    query: nullable(Type.String({ description: "the search whose documents it is about" })),
    period: Type.Integer({ minimum: 1 }),
    unit: enumeration(retentionUnits),
    starts: enumeration(
      retentionStarts,
      "when the period begins: when a document was made or first public, or a date in its data",
    ),
    data_key: nullable(Type.String({ description: "the key of that date; null unless `starts` is `data`" })),
    proposed: count("how many documents wait for a decision"),
    approved: count("how many are about to be deleted"),
    kept: count("how many somebody has decided to keep"),
    user: id("who made it"),
    created_at: dateTime(),
    ended_at: nullable(dateTime("null while it is in force")),
    ended_by: nullable(id()),
  },
  { $id: "RetentionRule" },
);
export type RetentionRule = Static<typeof RetentionRule>;

export const Disposition = Type.Object(
  {
    id: id(),
    document: id(),
    title: nullable(Type.String({ description: "null unless you may see the document" })),
    pages: count("of the document"),
    user: id("the owner of the document"),
    organization: id(),
    rule: id(),
    due_at: dateTime("when its period ran out"),
    state: enumeration(dispositionStates),
    proposed_at: dateTime(),
    decided_at: nullable(dateTime()),
    decided_by: nullable(id()),
  },
  { $id: "Disposition" },
);
export type Disposition = Static<typeof Disposition>;

/** What remains of a document that a retention rule has deleted. */
export const Certificate = Type.Object(
  {
    id: id("of its entry in the history of the document"),
    at: dateTime("when the document was deleted"),
    document: id(),
    title: Type.String(),
    file_hash: Type.String({ description: "the SHA-1 of its PDF; empty if there was none" }),
    pages: count("of the document"),
    rule: Type.String({ description: "the name of the rule" }),
    due_at: dateTime("when its period ran out"),
    approved_by: id(),
    approved_at: dateTime(),
  },
  { $id: "Certificate" },
);
export type Certificate = Static<typeof Certificate>;
