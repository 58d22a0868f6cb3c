import { AuditEntry, auditFormats, auditSources } from "../../contract/keeping.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ValidationError,
  choiceParameter,
  inTypes,
  integerParameter,
  listOf,
  paging,
  textParameter,
} from "../../http/fields/schema-shapes.ts";

const filters = {
  since: textParameter("only what happened at this time or later"),
  until: textParameter("only what happened before this time"),
  user: integerParameter("only what this user did, or what was done to the account"),
  source: choiceParameter(auditSources, "only entries of this source"),
};

export const listingAudit = {
  summary: "Who did what: the audit log by time, the newest first, a page at a time",
  query: { ...paging, ...filters },
  gives: listOf("AuditEntryList", AuditEntry),
  also: { 400: ValidationError },
};

export const exportingAudit = {
  summary: "Who did what: the audit log as JSON Lines or CSV, the oldest first",
  query: { as: choiceParameter(auditFormats, "the format; jsonl if not given"), ...filters },
  gives: inTypes(["application/jsonl", "text/csv"], Type.String()),
  also: { 400: ValidationError },
};
