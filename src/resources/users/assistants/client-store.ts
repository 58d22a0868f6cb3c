import type { Reader, Writer } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";
import { newSecret } from "../../../secrets/digest.ts";
import type { ClientDocument } from "./client-document.ts";
import type { ClientMetadata } from "./client-metadata.ts";

export interface AssistantClient extends ClientMetadata {
  id: number;
  clientId: string;
  /** Whether what is known of its document may still be used. True for a client that has registered. */
  isFresh: boolean;
}

export async function findClient(
  reader: Pick<Reader, "selectFrom">,
  clientId: string,
): Promise<AssistantClient | null> {
  const row = await reader
    .selectFrom("assistant_clients")
    .select(["id", "client_id", "name", "redirect_uris", "fresh_until"])
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    isFresh: row.fresh_until === null || row.fresh_until > timestampNow(),
  };
}

/** Registers a client and returns the id that it is given. */
export async function addClient(writer: Writer, { name, redirectUris }: ClientMetadata): Promise<string> {
  const client_id = newSecret(18);
  const redirect_uris = JSON.stringify(redirectUris);
  await writer
    .insertInto("assistant_clients")
    .values({ client_id, name, redirect_uris, created_at: timestampNow() })
    .execute();
  return client_id;
}

/** Keeps what a client's document says. */
export async function keepDocument(
  writer: Writer,
  clientId: string,
  { name, redirectUris, freshSeconds }: ClientDocument,
): Promise<void> {
  const said = {
    name,
    redirect_uris: JSON.stringify(redirectUris),
    fresh_until: timestampIn(freshSeconds),
  };
  await writer
    .insertInto("assistant_clients")
    .values({ client_id: clientId, created_at: timestampNow(), ...said })
    .onConflict((conflict) => conflict.column("client_id").doUpdateSet(said))
    .execute();
}

export async function noteClientUse(writer: Writer, id: number): Promise<void> {
  await writer
    .updateTable("assistant_clients")
    .set({ used_at: timestampNow() })
    .where("id", "=", id)
    .execute();
}

const daySeconds = 24 * 3600;
const unusedDays = 1;
const formerDays = 90;

/**
 * Removes what is over: codes and tokens that have expired, connections that nothing can refresh, clients that nobody
 * has connected within a day, and clients that nobody has used for three months.
 */
export async function removeEnded(writer: Writer): Promise<void> {
  const now = timestampNow();
  await writer.deleteFrom("assistant_codes").where("expires_at", "<=", now).execute();
  await writer.deleteFrom("assistant_tokens").where("expires_at", "<=", now).execute();
  await writer.deleteFrom("assistant_connections").where("expires_at", "<=", now).execute();
  await writer
    .deleteFrom("assistant_clients")
    .where((client) =>
      client.or([
        client.and([
          client("used_at", "is", null),
          client("created_at", "<=", timestampIn(-unusedDays * daySeconds)),
        ]),
        client("used_at", "<=", timestampIn(-formerDays * daySeconds)),
      ]),
    )
    .where((client) =>
      client.not(
        client.exists(
          client
            .selectFrom("assistant_connections")
            .select("assistant_connections.id")
            .whereRef("assistant_connections.client_id", "=", "assistant_clients.id"),
        ),
      ),
    )
    .execute();
}
