import type { Certificate, Disposition, RetentionRule } from "../../contract/keeping.ts";
import type {
  CertificateChanges,
  CertificateRow,
  DispositionRow,
  RuleRow,
  countStates,
} from "./retention-store.ts";

export function presentRule(row: RuleRow, counts: Awaited<ReturnType<typeof countStates>>): RetentionRule {
  const { proposed = 0, approved = 0, kept = 0 } = counts.get(row.id) ?? {};
  return {
    id: row.id,
    name: row.name,
    project: row.project_id,
    query: row.query,
    period: row.period,
    unit: row.unit,
    starts: row.starts,
    data_key: row.data_key,
    proposed,
    approved,
    kept,
    user: row.user_id,
    created_at: row.created_at,
    ended_at: row.ended_at,
    ended_by: row.ended_by,
  };
}

/** `titles` has those of the documents that the viewer may see. */
export function presentDisposition(row: DispositionRow, titles: ReadonlyMap<number, string>): Disposition {
  return {
    id: row.id,
    document: row.document_id,
    title: titles.get(row.document_id) ?? null,
    pages: row.page_count,
    user: row.owner,
    organization: row.organization_id,
    rule: row.rule_id,
    due_at: row.due_at,
    state: row.state,
    proposed_at: row.proposed_at,
    decided_at: row.decided_at,
    decided_by: row.decided_by,
  };
}

export function presentCertificate({ id, at, document_id: document, changes }: CertificateRow): Certificate {
  const said = JSON.parse(changes) as CertificateChanges;
  return {
    id,
    at,
    document,
    title: said.title[0],
    file_hash: said.file_hash[0],
    pages: said.page_count[0],
    rule: said.rule[1],
    due_at: said.due_at[1],
    approved_by: said.approved_by[1],
    approved_at: said.approved_at[1],
  };
}
