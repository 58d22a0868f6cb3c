import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { setRows } from "../../database/rows.ts";
import type { Timestamp } from "../../database/tables.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { FeedPosition } from "../events/store.ts";
import type { SavedSearchRow } from "./store.ts";

/** The job that compares the searches that have an alert with what has happened. */
export const alertJob = "match saved searches";

type AlertReader = Pick<Database, "dialect" | "reader">;

/** Whether anybody has an alert. */
export async function hasAlerts({ reader }: Pick<Database, "reader">): Promise<boolean> {
  const found = await reader
    .selectFrom("saved_searches")
    .select("id")
    .where("alert", "<>", "off")
    .limit(1)
    .execute();
  return found.length > 0;
}

/** How many searches of a person have an alert. */
export async function countAlerts(writer: Writer, userId: number): Promise<number> {
  const { count } = await writer
    .selectFrom("saved_searches")
    .select(writer.fn.countAll().as("count"))
    .where("user_id", "=", userId)
    .where("alert", "<>", "off")
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function queueMatching(writer: Writer): Promise<void> {
  await enqueue(writer, { kind: alertJob, subject: 0 });
}

/** Whether a search has not been compared with the newest event yet, and no job is about to do so. */
export async function isAnyBehind({ dialect, reader }: AlertReader): Promise<boolean> {
  const newest = sql`(select transaction_id, id from events where ${dialect.eventOrder.isSettled}
    order by transaction_id desc, id desc limit 1)`;
  const { rows } = await sql`select 1 from saved_searches cross join ${newest} as newest
    where saved_searches.alert <> 'off'
      and (saved_searches.event_id is null or saved_searches.event_id <> newest.id
        or saved_searches.transaction_id <> newest.transaction_id)
      and not exists (select 1 from jobs where jobs.kind = ${alertJob} and jobs.cancelled_at is null
        and (jobs.again = true or (jobs.lease is null and jobs.due_at <= ${timestampNow()})))
    limit 1`.execute(reader);
  return rows.length > 0;
}

/** The earliest position of the searches with an alert; undefined if no search has one. */
export async function findEarliest({
  reader,
}: Pick<Database, "reader">): Promise<FeedPosition | null | undefined> {
  const { rows } = await sql<{ transaction_id: number | null; event_id: number | null }>`
    select transaction_id, event_id from saved_searches where alert <> 'off'
    order by coalesce(transaction_id, -1), coalesce(event_id, -1) limit 1`.execute(reader);
  const [first] = rows;
  if (first === undefined) return undefined;
  const { transaction_id, event_id } = first;
  return transaction_id === null || event_id === null ? null : { transaction_id, id: event_id };
}

/** Some of the searches with an alert that are at a position, in order of their ids. */
export async function findAlertsAt(
  { reader }: Pick<Database, "reader">,
  position: FeedPosition | null,
  afterId: number,
  limit: number,
): Promise<SavedSearchRow[]> {
  return reader
    .selectFrom("saved_searches")
    .selectAll()
    .where("alert", "<>", "off")
    .where("transaction_id", position === null ? "is" : "=", position?.transaction_id ?? null)
    .where("event_id", position === null ? "is" : "=", position?.id ?? null)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Moves searches to a position. */
export async function movePositions(
  writer: Writer,
  { dialect }: Pick<Database, "dialect">,
  searches: readonly SavedSearchRow[],
  to: FeedPosition | null,
): Promise<void> {
  const ids = searches.map(({ id }) => id);
  await writer
    .updateTable("saved_searches")
    .set({ transaction_id: to?.transaction_id ?? null, event_id: to?.id ?? null })
    .where("alert", "<>", "off")
    .where(dialect.isAmong(sql.ref("id"), sql`${dialect.list(ids)}`))
    .execute();
}

/** Which of these documents wait for their words or their language to be indexed. */
export async function findUnready(
  { dialect, reader }: AlertReader,
  documents: readonly number[],
): Promise<Set<number>> {
  const list = sql`${dialect.list(documents)}`;
  const waiting = (table: string) => sql`select document_id from ${sql.table(table)}
    where ${dialect.isAmong(sql.ref("document_id"), list)}`;
  const { rows } = await sql<{ document_id: number }>`${waiting("unindexed_documents")}
    union ${waiting("unrecognised_documents")}`.execute(reader);
  return new Set(rows.map(({ document_id }) => document_id));
}

/** The documents that are in any of these projects. */
export async function findInProjects(
  { dialect, reader }: AlertReader,
  projects: readonly number[],
): Promise<number[]> {
  if (projects.length === 0) return [];
  const { rows } = await sql<{ document_id: number }>`select distinct document_id from project_memberships
    where ${dialect.isAmong(sql.ref("project_id"), sql`${dialect.list(projects)}`)}`.execute(reader);
  return rows.map(({ document_id }) => document_id);
}

/** What a search found when it was last compared, among some documents or (null) all. */
export async function findKnown(
  { dialect }: Pick<Database, "dialect">,
  reader: Reader | Writer,
  searchId: number,
  among: readonly number[] | null,
): Promise<Set<number>> {
  const isAmong =
    among === null ? sql`1 = 1` : dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(among)}`);
  const { rows } = await sql<{ document_id: number }>`select document_id from saved_search_finds
    where search_id = ${searchId} and ${isAmong}`.execute(reader);
  return new Set(rows.map(({ document_id }) => document_id));
}

/** What searches found among some documents when they were last compared, by the id of each search. */
export async function findKnownOf(
  { dialect, reader }: AlertReader,
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

/** Adds what a search finds. Silently: what it found when its alert was switched on, of which nobody is told. */
export async function addFinds(
  { dialect }: Pick<Database, "dialect">,
  writer: Writer,
  { id, uuid, user_id }: Pick<SavedSearchRow, "id" | "uuid" | "user_id">,
  documents: readonly number[],
  { silently }: { silently: boolean },
): Promise<void> {
  if (documents.length === 0) return;
  const found = sql`(${dialect.valuesOf(sql`${dialect.list(documents)}`)})`;
  const now = timestampNow();
  const foundAt = silently ? sql`cast(null as text)` : sql`${now}`;
  await sql`insert into saved_search_finds (search_id, document_id, found_at, is_new)
    select ${sql.lit(id)}, found.value, ${foundAt}, ${sql.lit(!silently)} from ${found} as found where true
    on conflict do nothing`.execute(writer);
  if (silently) return;
  await sql`insert into events (type, document_id, seen_by, search_uuid)
    select 'search.found', found.value, ${`user:${user_id}`}, ${uuid} from ${found} as found`.execute(writer);
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

/** Counts the finds again that the owner of a search has not seen. */
export async function countNew(writer: Writer, searchId: number): Promise<void> {
  await sql`update saved_searches set new_count = (select count(*) from saved_search_finds
    where search_id = saved_searches.id and found_at is not null and is_new = true)
    where id = ${searchId}`.execute(writer);
}

/** Records that the owner of a search has seen what it has found. */
export async function markSeen(writer: Writer, searchId: number): Promise<void> {
  await setRows(writer, "saved_search_finds", { search_id: searchId, is_new: true }, { is_new: false });
  await countNew(writer, searchId);
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

/** The kinds of alerts that send mails, and how many seconds are between two of them. */
const pausesSeconds = { at_once: 5 * 60, daily: 24 * 60 * 60, weekly: 7 * 24 * 60 * 60 } as const;

/** Some of the searches that are to tell of finds by mail now. */
export async function findDueForMail(
  { reader }: Pick<Database, "reader">,
  limit: number,
): Promise<Pick<SavedSearchRow, "id" | "user_id">[]> {
  return reader
    .selectFrom("saved_searches")
    .select(["id", "user_id"])
    .where((search) =>
      search.or(
        Object.entries(pausesSeconds).map(([alert, seconds]) =>
          search.and([
            search("alert", "=", alert as keyof typeof pausesSeconds),
            search("mailed_at", "<=", timestampIn(-seconds)),
          ]),
        ),
      ),
    )
    .where((search) =>
      search.exists(
        search
          .selectFrom("saved_search_finds")
          .select("document_id")
          .whereRef("search_id", "=", "saved_searches.id")
          .where("found_at", "is not", null)
          .where("mail_id", "is", null),
      ),
    )
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Says by which mail the finds are told of that none has told of. */
export async function setMail(writer: Writer, searchId: number, mailId: number): Promise<void> {
  await writer
    .updateTable("saved_search_finds")
    .set({ mail_id: mailId })
    .where("search_id", "=", searchId)
    .where("found_at", "is not", null)
    .where("mail_id", "is", null)
    .execute();
  await setRows(writer, "saved_searches", { id: searchId }, { mailed_at: timestampNow() });
}

/** The documents that a mail tells of, the newest first. */
export async function findMailed(
  { reader }: Pick<Database, "reader">,
  searchId: number,
  mailId: number,
): Promise<number[]> {
  const rows = await reader
    .selectFrom("saved_search_finds")
    .select("document_id")
    .where("search_id", "=", searchId)
    .where("mail_id", "=", mailId)
    .orderBy("found_at", "desc")
    .orderBy("document_id", "desc")
    .execute();
  return rows.map(({ document_id }) => document_id);
}
