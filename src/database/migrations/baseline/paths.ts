import { pathStatements } from "../../audiences/path-statements.ts";
import type { Terms } from "./terms.ts";

/**
 * The positions of documents in the tree of folders and containers. A path is a key: names with slashes between them,
 * those of folders after a `1`, those of documents after a `2` and before a tab and the id, as in
 * `1Leak/1Mails/2box.zip⇥42/1in it/2a.pdf⇥44`. So a branch is a range of keys, whatever is in it and however deep, and
 * folders come before documents.
 *
 * A document has a position for each `path` in its `data`; a part has one for each position of its container, and its
 * own data does not count. A container without a path is at the root, without a name. Other documents have none.
 *
 * `document_path_audiences` repeats them for each audience of a document, and for `all` if it is public and ready, so
 * that lists and counts of a branch read what their viewer may see and nothing else. Triggers keep both tables.
 */
export const paths = ({ engine, text, withoutRowid }: Terms): string[] => [
  `create table document_paths (
    document_id bigint not null,
    path ${text} not null,
    primary key (document_id, path)
  ) ${withoutRowid}`,
  `create index document_paths_by_path on document_paths (path)`,
  `create table document_path_audiences (
    audience ${text} not null,
    path ${text} not null,
    document_id bigint not null,
    primary key (audience, path) ${engine === "postgres" ? "include (document_id)" : ""}
  ) ${withoutRowid}`,
  ...pathStatements(engine),
];
