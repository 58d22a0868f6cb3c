import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { editableBy, visibleToAll } from "../documents/access.ts";
import { isShownTo } from "../documents/search/condition-store.ts";
import { orUnavailable, timeLimitSeconds } from "../documents/search/search-documents.ts";
import { planSearch } from "../../search/plan.ts";
import { matchingDocuments } from "../documents/search/statement-store.ts";
import { visibleBeside } from "./access.ts";
import type { NoteFilters } from "./filters.ts";
import type { NoteRow } from "./store.ts";

/** A note with what a list of notes on many documents shows of its document. */
export type FoundNoteRow = NoteRow & {
  document_title: string;
  document_slug: string;
  /** Whether the viewer may change the document. */
  is_editable: number | boolean;
};

/**
 * One page of the notes on all documents that the viewer may see, newest first: the notes that the viewer may see and
 * that match the filters. Throws 503 if a search among them takes too long.
 */
export async function findNotes(
  database: Database,
  viewer: Viewer,
  filters: NoteFilters,
  { key, reverse }: Pick<Cursor, "key" | "reverse">,
  limit: number,
): Promise<Page<FoundNoteRow>> {
  return orUnavailable(async () => {
    const conditions = await conditionsOf(database, viewer, filters);
    if (key !== null) conditions.push(sql`notes.id ${reverse ? sql`>` : sql`<`} ${key.id}`);
    const found = await database.queryWithTimeout(
      sql<FoundNoteRow>`select notes.*, documents.title as document_title, documents.slug as document_slug,
          case when ${editableBy(database.dialect, viewer)} then 1 else 0 end as is_editable
        from notes join documents on documents.id = notes.document_id
        where ${sql.join(conditions, sql` and `)}
        order by notes.id ${reverse ? sql`asc` : sql`desc`} limit ${sql.lit(limit + 1)}`,
      timeLimitSeconds,
    );
    const rows = found.slice(0, limit);
    const isMore = found.length > limit;
    return reverse
      ? { rows: rows.toReversed(), before: isMore, after: key !== null }
      : { rows, before: key !== null, after: isMore };
  });
}

async function conditionsOf(
  database: Database,
  viewer: Viewer,
  { documents, projects, users, access, search }: NoteFilters,
): Promise<RawBuilder<unknown>[]> {
  const { dialect } = database;
  const among = (column: string, ids: readonly number[]): RawBuilder<boolean> =>
    dialect.isAmong(sql.ref(column), sql`${dialect.list(ids)}`);
  const conditions: RawBuilder<unknown>[] = [
    sql`(${visibleToAll(dialect, "documents")} or ${isShownTo(dialect, viewer)})`,
    visibleBeside(dialect, viewer),
  ];
  if (documents !== undefined) conditions.push(among("notes.document_id", documents));
  if (users !== undefined) conditions.push(among("notes.user_id", users));
  if (access !== undefined) conditions.push(sql`notes.access in (${sql.join(access)})`);
  if (projects !== undefined) {
    const ofProjects = among("project_memberships.project_id", projects);
    conditions.push(
      sql`notes.document_id in (select document_id from project_memberships where ${ofProjects})`,
    );
  }
  if (search !== undefined) {
    const matching = await matchingDocuments(database, viewer, visibleBeside, await planSearch(search));
    conditions.push(sql`notes.document_id in (${matching})`);
  }
  return conditions;
}
