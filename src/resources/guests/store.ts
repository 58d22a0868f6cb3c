import { type Selectable, sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import { countRows, lockRow, removeRows, rowOf, setRows, tableRows } from "../../database/rows.ts";
import type { GuestLinksTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { isOwnRow } from "./access.ts";

export type GuestLinkRow = Selectable<GuestLinksTable>;
export type ListedLinkRow = GuestLinkRow & { search_uuid: string | null; maker: string };

const listed = sql`guest_links.*,
  (select uuid from saved_searches where saved_searches.id = guest_links.search_id) as search_uuid,
  (select case name when '' then username else name end from users where users.id = guest_links.user_id) as maker`;

/** Whose links: the viewer's own, or everyone's, of which only those to one document or project. */
export type LinksChoice =
  | { of: "viewer" }
  | { of: "everyone" }
  | { of: "document"; id: number }
  | { of: "project"; id: number };

/** One page of guest links, the newest first. */
export async function listGuestLinks(
  database: Database,
  viewer: SignedInViewer,
  choice: LinksChoice,
  cursor: Cursor,
  limit: number,
): Promise<Page<ListedLinkRow>> {
  const links = new Conditions(database.dialect, "guest_links");
  const chosen = (): Conditions => {
    if (choice.of === "everyone") return links;
    if (choice.of === "viewer") return links.always("own", isOwnRow()).with({ viewer: viewer.id });
    return links.equals(`${choice.of}_id`, choice.id);
  };
  return chosen().page(database, listed, cursor, limit, { descending: true });
}

export async function findGuestLink(reader: Reader, uuid: string): Promise<ListedLinkRow | null> {
  const { rows } = await sql<ListedLinkRow>`select ${listed} from guest_links where uuid = ${uuid}`.execute(
    reader,
  );
  return rows[0] ?? null;
}

/** The link with a secret that has this digest, if it works. */
export async function findWorkingLink(
  reader: Pick<Reader, "selectFrom">,
  digest: string,
): Promise<GuestLinkRow | null> {
  return working(await rowOf(reader, "guest_links", { digest }));
}

/** Like {@link findWorkingLink}, and locks the link until the transaction ends. */
export async function lockWorkingLink(writer: Writer, digest: string): Promise<GuestLinkRow | null> {
  return working(await lockRow(writer, "guest_links", { digest }));
}

function working(row: GuestLinkRow | null): GuestLinkRow | null {
  return row === null || row.revoked_at !== null || row.expires_at <= timestampNow() ? null : row;
}

export const guestLinkRows = tableRows("guest_links");

export async function countWorking(writer: Writer, userId: number): Promise<number> {
  const open = { user_id: userId, revoked_at: null };
  return countRows(writer, "guest_links", open, sql`expires_at > ${timestampNow()}`);
}

/** Ends a link with its sessions; false if it had ended. The row stays, for the list and for the history. */
export async function endGuestLink(writer: Writer, id: number, userId: number): Promise<boolean> {
  const ended = await setRows(
    writer,
    "guest_links",
    { id, revoked_at: null },
    { revoked_at: timestampNow(), revoked_by: userId },
  );
  await removeRows(writer, "guest_openings", { link_id: id });
  await removeRows(writer, "guest_sessions", { link_id: id });
  return ended > 0;
}

const opened = () => sql`select guest_links.* from guest_sessions
    join guest_links on guest_links.id = guest_sessions.link_id
    where guest_sessions.digest = ${parameter("digest")} and guest_sessions.expires_at > ${parameter("now")}
    and guest_links.revoked_at is null and guest_links.expires_at > ${parameter("now")}
    order by guest_links.id`;

/** The links that a session has opened and that work. */
export async function findOpenedLinks({ prepared }: Database, digest: string): Promise<GuestLinkRow[]> {
  return prepared.rows<GuestLinkRow>("links of guest", opened, { digest, now: timestampNow() });
}

/** Adds a link to a session, and forgets the sessions of this link that have expired. */
export async function addToSession(
  writer: Writer,
  { digest, link, expiresAt }: { digest: string; link: number; expiresAt: string },
): Promise<void> {
  const now = timestampNow();
  const ended = writer
    .selectFrom("guest_sessions")
    .select("digest")
    .where("link_id", "=", link)
    .where("expires_at", "<=", now);
  await writer
    .deleteFrom("guest_openings")
    .where("link_id", "=", link)
    .where("digest", "in", ended)
    .execute();
  await writer
    .deleteFrom("guest_sessions")
    .where("link_id", "=", link)
    .where("expires_at", "<=", now)
    .execute();
  await writer
    .insertInto("guest_sessions")
    .values({ digest, link_id: link, created_at: now, expires_at: expiresAt })
    .execute();
}

/** Gives a session another secret, so that a cookie that somebody planted never gets another link. */
export async function renewSession(writer: Writer, former: string, digest: string): Promise<void> {
  await setRows(writer, "guest_sessions", { digest: former }, { digest });
  await setRows(writer, "guest_openings", { digest: former }, { digest });
}

/** Ends a session: the browser has to open its links again. */
export async function endSession(writer: Writer, digest: string): Promise<void> {
  await removeRows(writer, "guest_openings", { digest });
  await removeRows(writer, "guest_sessions", { digest });
}

export async function countUse(writer: Writer, { id, uses }: GuestLinkRow): Promise<void> {
  await setRows(writer, "guest_links", { id }, { uses: uses + 1 });
}

/** Which of these documents a session is already known to have opened. */
export async function findOpenings(
  { dialect, prepared }: Database,
  digest: string,
  documents: readonly number[],
): Promise<Set<number>> {
  const build = () => sql`select document_id from guest_openings where digest = ${parameter("digest")}
    and ${dialect.isAmong(sql.ref("document_id"), parameter("ids"))}`;
  const values = { digest, ids: dialect.list(documents) };
  const rows = await prepared.rows<{ document_id: number }>("openings of guest", build, values);
  return new Set(rows.map((row) => row.document_id));
}

/** Records that a session has opened a document. Returns whether it was not known. */
export async function addOpening(
  writer: Writer,
  opening: { digest: string; link_id: number; document_id: number },
): Promise<boolean> {
  const added = await writer
    .insertInto("guest_openings")
    .values(opening)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const ofProject = () => sql`select document_id as id from project_memberships
    where project_id = ${parameter("project")} order by document_id desc`;

/** The ids of a project's documents, the newest first. */
export async function findDocumentsOfProject(
  { prepared }: Pick<Database, "prepared">,
  project: number,
): Promise<number[]> {
  const rows = await prepared.rows<{ id: number }>("documents of guest's project", ofProject, { project });
  return rows.map(({ id }) => id);
}

/** Those of these documents that are in the project. */
export async function findAmongProject(
  { dialect, prepared }: Pick<Database, "dialect" | "prepared">,
  project: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const build = () => sql`select document_id as id from project_memberships
    where project_id = ${parameter("project")}
      and ${dialect.isAmong(sql.ref("document_id"), parameter("ids"))}`;
  const values = { project, ids: dialect.list(ids) };
  const rows = await prepared.rows<{ id: number }>("guest's documents in project", build, values);
  return new Set(rows.map(({ id }) => id));
}
