import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { Page } from "../../database/keyset.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { isListed, isShownTo } from "../documents/search/condition-store.ts";
import { type HoldRights, mayHold } from "./access.ts";
import { visibleRows } from "../../database/rows.ts";

/** The holds that a viewer with these rights may see, also those that were released. */
export const heldBy = visibleRows("holds", {
  row: (rights: HoldRights, { organization_id }) => mayHold(rights, organization_id),
  list: (rows, { isAdministrator, organizations }) =>
    isAdministrator ? rows : rows.among("organization_id", [...organizations]),
});

/** A document that a hold has found. */
export interface HeldRow {
  /** The id of the document. */
  id: number;
  title: string;
  page_count: number;
  user_id: number;
  organization_id: number;
  access: string;
  status: string;
}

/** Documents of a hold in a way that no page says how many the viewer may not see. */
const heldAndSeen = (dialect: Dialect, viewer: SignedInViewer, hold: number) => sql`held_documents
  join documents on documents.id = held_documents.document_id
  where held_documents.hold_id = ${hold} and (${isListed(dialect, viewer)} or ${isShownTo(dialect, viewer)})`;

/** One page of the documents that a hold has found and that the viewer may see, in order of ids. */
export async function listHeld(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  viewer: SignedInViewer,
  hold: number,
  { key, reverse, offset }: Cursor,
  limit: number,
): Promise<Page<HeldRow>> {
  const from = heldAndSeen(dialect, viewer, hold);
  const id = sql.ref("held_documents.document_id");
  const [beyond, behind] = reverse ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`];
  const isBeyond = key === null ? sql`1 = 1` : sql`${id} ${beyond} ${key.id}`;
  const { rows } = await sql<HeldRow>`select documents.id, title, page_count, documents.user_id,
      documents.organization_id, access, status
    from ${from} and ${isBeyond} order by ${id} ${reverse ? sql`desc` : sql`asc`}
    limit ${sql.lit(limit + 1)} offset ${offset}`.execute(reader);
  const found =
    key === null
      ? []
      : (await sql`select 1 from ${from} and ${id} ${behind} ${key.id} limit 1`.execute(reader)).rows;
  const isBehind = found.length > 0 || (offset > 0 && rows.length > 0);
  const isMore = rows.length > limit;
  const shown = rows.slice(0, limit);
  if (reverse) return { rows: shown.toReversed(), before: isMore, after: isBehind };
  return { rows: shown, before: isBehind, after: isMore };
}

/** How many of the documents of each of these holds the viewer may see: others might say what is in hidden ones. */
export async function countSeen(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  viewer: SignedInViewer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ hold_id: number; count: number }>`
    select hold_id, count(*) as count from held_documents
    join documents on documents.id = held_documents.document_id
    where ${dialect.isAmong(sql.ref("hold_id"), sql`${dialect.list(ids)}`)}
      and (${isListed(dialect, viewer)} or ${isShownTo(dialect, viewer)})
    group by hold_id`.execute(reader);
  return new Map(rows.map(({ hold_id, count }) => [hold_id, count]));
}
