import { sql } from "kysely";
import type { Database, Writer } from "../../database/database.ts";
import { countRows, setRows } from "../../database/rows.ts";
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
  return countRows(writer, "saved_searches", { user_id: userId }, sql`alert <> 'off'`);
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

/** Which of these documents wait for their words, their language or their mentions to be indexed. */
export async function findUnready(
  { dialect, reader }: AlertReader,
  documents: readonly number[],
): Promise<Set<number>> {
  const list = sql`${dialect.list(documents)}`;
  const waiting = (table: string) => sql`select document_id from ${sql.table(table)}
    where ${dialect.isAmong(sql.ref("document_id"), list)}`;
  const { rows } = await sql<{ document_id: number }>`${waiting("unindexed_documents")}
    union ${waiting("unrecognised_documents")} union ${waiting("unread_mentions")}`.execute(reader);
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

/** These searches by id, without those whose alert is off, locked until the transaction ends. */
export async function lockAlerts(
  writer: Writer,
  { dialect }: Pick<Database, "dialect">,
  ids: readonly number[],
): Promise<Map<number, SavedSearchRow>> {
  const { rows } = await sql<SavedSearchRow>`select * from saved_searches
    where alert <> 'off' and ${dialect.isAmong(sql.ref("id"), sql`${dialect.list(ids)}`)}
    order by id ${dialect.forUpdate}`.execute(writer);
  return new Map(rows.map((row) => [row.id, row]));
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
