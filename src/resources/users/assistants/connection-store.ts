import type { Database, Reader, Writer } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";
import { digestOf, newSecret } from "../../../secrets/digest.ts";
import { addAccountHistory } from "../account-history-store.ts";

/** The prefixes tell these tokens from others, for Quire and for scanners of leaked secrets. */
export const assistantTokenPrefix = "quireassistant_";
const refreshPrefix = "quirerefresh_";

export const accessSeconds = 3600;
/** A connection that is not used for so long ends. */
export const refreshSeconds = 60 * 24 * 3600;

export interface Connection {
  id: number;
  userId: number;
  /** The client's row. */
  clientId: number;
  name: string;
  resource: string;
  mayWrite: boolean;
}

const columns = ["id", "user_id", "client_id", "name", "resource", "may_write"] as const;

interface ConnectionRow {
  id: number;
  user_id: number;
  client_id: number;
  name: string;
  resource: string;
  may_write: boolean | number;
}

const connectionOf = (row: ConnectionRow): Connection => ({
  id: row.id,
  userId: row.user_id,
  clientId: row.client_id,
  name: row.name,
  resource: row.resource,
  mayWrite: Boolean(row.may_write),
});

/** Connects an assistant with an account that the transaction has locked. */
export async function addConnection(
  writer: Writer,
  { userId, clientId, name, resource, mayWrite, host }: Omit<Connection, "id"> & { host: string },
): Promise<Connection> {
  const row = await writer
    .insertInto("assistant_connections")
    .values({
      user_id: userId,
      client_id: clientId,
      name,
      host,
      resource,
      may_write: mayWrite,
      created_at: timestampNow(),
      expires_at: timestampIn(refreshSeconds),
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  await addAccountHistory(writer, userId, "assistant_connected", userId, name);
  return connectionOf(row);
}

export interface AssistantTokens {
  access: string;
  refresh: string;
}

/** Gives a connection another pair of tokens. */
export async function addTokens(writer: Writer, { id }: Pick<Connection, "id">): Promise<AssistantTokens> {
  const access = assistantTokenPrefix + newSecret(32);
  const refresh = refreshPrefix + newSecret(32);
  const [soon, later] = [timestampIn(accessSeconds), timestampIn(refreshSeconds)];
  await writer
    .insertInto("assistant_tokens")
    .values([
      { digest: digestOf(access), connection_id: id, kind: "access", expires_at: soon },
      { digest: digestOf(refresh), connection_id: id, kind: "refresh", expires_at: later },
    ])
    .execute();
  await writer.updateTable("assistant_connections").set({ expires_at: later }).where("id", "=", id).execute();
  return { access, refresh };
}

export interface FoundConnection {
  id: number;
  user_id: number;
  resource: string;
  may_write: boolean | number;
  last_used_at: string | null;
}

/** The connection of an access token; null if the token is unknown or has expired. */
export async function findByAccess(database: Database, token: string): Promise<FoundConnection | null> {
  const found = await database.reader
    .selectFrom("assistant_tokens")
    .innerJoin("assistant_connections", "assistant_connections.id", "connection_id")
    .select(["assistant_connections.id", "user_id", "resource", "may_write", "last_used_at"])
    .where("digest", "=", digestOf(token))
    .where("kind", "=", "access")
    .where("assistant_tokens.expires_at", ">", timestampNow())
    .executeTakeFirst();
  return found ?? null;
}

/** The connection of an access or a refresh token that has not expired, used or not. */
export async function findByToken(
  reader: Pick<Reader, "selectFrom">,
  token: string,
): Promise<(Connection & { kind: "access" | "refresh" }) | null> {
  const row = await reader
    .selectFrom("assistant_tokens")
    .innerJoin("assistant_connections", "assistant_connections.id", "connection_id")
    .select(columns.map((name) => `assistant_connections.${name}` as const))
    .select("kind")
    .where("digest", "=", digestOf(token))
    .where("assistant_tokens.expires_at", ">", timestampNow())
    .executeTakeFirst();
  return row === undefined ? null : { ...connectionOf(row), kind: row.kind };
}

/** Uses up a refresh token. Returns false if it was used before, or is gone. */
export async function useRefreshToken(writer: Writer, token: string): Promise<boolean> {
  const used = await writer
    .updateTable("assistant_tokens")
    .set({ used_at: timestampNow() })
    .where("digest", "=", digestOf(token))
    .where("kind", "=", "refresh")
    .where("used_at", "is", null)
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}

/** Records that a connection was used. At most once a minute, because each record is a write. */
export async function noteConnectionUse(
  database: Database,
  { id, last_used_at }: Pick<FoundConnection, "id" | "last_used_at">,
): Promise<void> {
  if (last_used_at !== null && last_used_at > timestampIn(-60)) return;
  await database.write((writer) =>
    writer
      .updateTable("assistant_connections")
      .set({ last_used_at: timestampNow() })
      .where("id", "=", id)
      .execute(),
  );
}

/** An assistant that a person has connected, as their account page shows it. */
export interface ListedConnection {
  id: number;
  name: string;
  /** Where it runs; empty for a program on the person's own device. */
  host: string;
  may_write: boolean | number;
  created_at: string;
  last_used_at: string | null;
}

const maxListed = 100;

/** The newest first. */
export async function listConnections(
  reader: Pick<Reader, "selectFrom">,
  userId: number,
): Promise<ListedConnection[]> {
  return reader
    .selectFrom("assistant_connections")
    .select(["id", "name", "host", "may_write", "created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", timestampNow())
    .orderBy("id", "desc")
    .limit(maxListed)
    .execute();
}
