import { audienceStatements } from "../../audiences/statements.ts";
import type { Terms } from "./terms.ts";

/** What a row repeats from its document. */
const columns = ["created_at", "updated_at", "page_count", "title", "source", "status", "user_id"];

/**
 * `document_audiences` has a row for every document that is not public and every audience that may see it: its owner
 * (`user:7`), the members of its organization (`organization:3`), the collaborators of a project that shares it
 * (`project:9`). A viewer belongs to a handful of audiences, so the documents that a viewer may see are a handful of
 * ranges of one index, however many others are hidden. The rows contain the sort columns, so that this holds in every
 * ordering, and the columns of frequent filters, so that few rows are skipped. Triggers maintain the rows in the
 * transaction of the write. A row for each reader instead of each project would make joining a project of 100,000
 * documents a write of 100,000 rows.
 */
export const audiences = ({ engine, text, withoutRowid }: Terms): string[] => [
  `create table document_audiences (
    audience ${text} not null,
    document_id bigint not null ${engine === "postgres" ? "" : "references documents (id) on delete cascade"},
    created_at ${text} not null,
    updated_at ${text} not null,
    page_count bigint not null,
    title ${text} not null,
    source ${text} not null,
    status ${text} not null,
    user_id bigint not null,
    primary key (audience, document_id)
  ) ${withoutRowid}`,
  `create index document_audiences_by_document on document_audiences (document_id, audience)`,
  ...columns.map(
    (column) =>
      `create index document_audiences_by_${column} on document_audiences (audience, ${column}, document_id)`,
  ),
  ...audienceStatements(engine, columns),
];
