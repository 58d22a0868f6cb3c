import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { setRows } from "../../database/rows.ts";
import type { Timestamp } from "../../database/tables.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { SavedSearchRow } from "./store.ts";

/** What a search found when it was last compared. */
export async function findKnown(writer: Writer, searchId: number): Promise<Set<number>> {
  const rows = await writer
    .selectFrom("saved_search_finds")
    .select("document_id")
    .where("search_id", "=", searchId)
    .execute();
  return new Set(rows.map(({ document_id }) => document_id));
}

/** What searches found among some documents when they were last compared, by the id of each search. */
export async function findKnownOf(
  { dialect }: Pick<Database, "dialect">,
  reader: Reader | Writer,
  searches: readonly Pick<SavedSearchRow, "id">[],
  among: readonly number[],
): Promise<Map<number, Set<number>>> {
  const known = new Map<number, Set<number>>();
  const [first, last] = [searches.at(0)?.id ?? 0, searches.at(-1)?.id ?? 0];
  const { rows } = await sql<{ search_id: number; document_id: number }>`select search_id, document_id
    from saved_search_finds where ${dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(among)}`)}
      and search_id between ${first} and ${last}`.execute(reader);
  for (const { search_id, document_id } of rows)
    known.set(search_id, (known.get(search_id) ?? new Set()).add(document_id));
  return known;
}

/** Adds what a search found when its alert was switched on, of which nobody is told. */
export async function addFormerFinds(
  { dialect }: Pick<Database, "dialect">,
  writer: Writer,
  searchId: number,
  documents: readonly number[],
): Promise<void> {
  if (documents.length === 0) return;
  const found = sql`(${dialect.valuesOf(sql`${dialect.list(documents)}`)})`;
  await sql`insert into saved_search_finds (search_id, document_id, found_at, is_new)
    select ${sql.lit(searchId)}, found.value, cast(null as text), false from ${found} as found where true
    on conflict do nothing`.execute(writer);
}

/** A document that a search has newly found. */
export interface Find {
  search: Pick<SavedSearchRow, "id" | "uuid" | "user_id">;
  document: number;
}

const findsAtOnce = 500;

/** Adds what searches have newly found, with an event for each. */
export async function addNewFinds(writer: Writer, finds: readonly Find[]): Promise<void> {
  const found_at = timestampNow();
  for (let at = 0; at < finds.length; at += findsAtOnce) {
    const some = finds.slice(at, at + findsAtOnce);
    await writer
      .insertInto("saved_search_finds")
      .values(
        some.map(({ search, document }) => ({
          search_id: search.id,
          document_id: document,
          found_at,
          is_new: true,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await writer
      .insertInto("events")
      .values(
        some.map(({ search: { uuid, user_id }, document }) => ({
          type: "search.found" as const,
          document_id: document,
          seen_by: `user:${user_id}`,
          search_uuid: uuid,
        })),
      )
      .execute();
  }
}

export async function removeFinds(
  { dialect }: Pick<Database, "dialect">,
  writer: Writer,
  searchId: number,
  documents: readonly number[] | null,
): Promise<void> {
  const isAmong =
    documents === null
      ? sql`1 = 1`
      : dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(documents)}`);
  await sql`delete from saved_search_finds where search_id = ${searchId} and ${isAmong}`.execute(writer);
}

/** Counts the finds again that the owners of these searches have not seen. */
export async function countNew(
  { dialect }: Pick<Database, "dialect">,
  writer: Writer,
  searches: readonly Pick<SavedSearchRow, "id">[],
): Promise<void> {
  const ids = searches.map(({ id }) => id);
  await sql`update saved_searches set new_count = (select count(*) from saved_search_finds
    where search_id = saved_searches.id and found_at is not null and is_new = true)
    where ${dialect.isAmong(sql.ref("id"), sql`${dialect.list(ids)}`)}`.execute(writer);
}

/** Records that the owner of a search has seen what it has found. */
export async function markSeen(writer: Writer, searchId: number): Promise<void> {
  await setRows(writer, "saved_search_finds", { search_id: searchId, is_new: true }, { is_new: false });
  await setRows(writer, "saved_searches", { id: searchId }, { new_count: 0 });
}

/** The latest finds of a search, the newest first. */
export async function listFinds(
  { reader }: Pick<Database, "reader">,
  searchId: number,
  limit: number,
): Promise<{ document_id: number; found_at: Timestamp | null; is_new: boolean | number }[]> {
  return reader
    .selectFrom("saved_search_finds")
    .select(["document_id", "found_at", "is_new"])
    .where("search_id", "=", searchId)
    .where("found_at", "is not", null)
    .orderBy("found_at", "desc")
    .orderBy("document_id", "desc")
    .limit(limit)
    .execute();
}
