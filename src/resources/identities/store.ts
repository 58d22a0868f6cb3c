import type { Insertable, Selectable } from "kysely";
import type { Reader, Writer } from "../../database/database.ts";
import { addRow, allRows, removeRows, rowOf, rowsOf, setRows } from "../../database/rows.ts";
import type { IdentitiesTable, IdentityProvidersTable } from "../../database/tables.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

export type ProviderRow = Selectable<IdentityProvidersTable>;

/** What an administrator decides about a provider. */
export type ProviderSettings = Omit<Insertable<IdentityProvidersTable>, "id" | "created_at" | "updated_at">;

/** The providers at which people may sign in, the oldest first. */
export async function findEnabledProviders(
  reader: Pick<Reader, "selectFrom">,
): Promise<Pick<ProviderRow, "id" | "name">[]> {
  return rowsOf(reader, "identity_providers", { is_enabled: true }, "id");
}

export async function findProvider(
  reader: Pick<Reader, "selectFrom">,
  id: number,
): Promise<ProviderRow | null> {
  return rowOf(reader, "identity_providers", { id });
}

/** The providers, for administrators. With one go its identities, and the sessions that began there. */
export const allProviders = allRows("identity_providers");

export type Identity = Pick<Selectable<IdentitiesTable>, "provider_id" | "subject">;

/** The id of the user whose identity it is; null if no one has signed in with it. */
export async function findUserOf(
  reader: Pick<Reader, "selectFrom">,
  { provider_id, subject }: Identity,
): Promise<number | null> {
  return (await rowOf(reader, "identities", { provider_id, subject }))?.user_id ?? null;
}

export async function addIdentity(writer: Writer, identity: Identity, userId: number): Promise<void> {
  const now = timestampNow();
  await addRow(writer, "identities", { ...identity, user_id: userId, created_at: now, signed_in_at: now });
}

export async function noteIdentityUse(writer: Writer, identity: Identity): Promise<void> {
  await setRows(writer, "identities", identity, { signed_in_at: timestampNow() });
}

/** The identities of a user. */
export async function findIdentitiesOf(
  reader: Pick<Reader, "selectFrom">,
  userId: number,
): Promise<Identity[]> {
  return rowsOf(reader, "identities", { user_id: userId });
}

/** Removes the identities of a user at a provider, and ends the sessions that began with them. */
export async function removeIdentities(
  writer: Writer,
  of: { provider_id: number; user_id: number },
): Promise<void> {
  await removeRows(writer, "identities", of);
  await endProviderSessions(writer, of.provider_id, { user_id: of.user_id });
}

/** Ends the sessions that began at a provider: the one that it names so, or all of a user. */
export async function endProviderSessions(
  writer: Writer,
  providerId: number,
  of: { provider_session: string } | { user_id: number },
): Promise<void> {
  await removeRows(writer, "sessions", { provider_id: providerId, ...of });
}

/** Whether anyone else is an administrator who may sign in. */
export async function hasOtherAdministrator(writer: Writer, user: number): Promise<boolean> {
  const found = await writer
    .selectFrom("users")
    .select("id")
    .where("id", "<>", user)
    .where("password_hash", "is not", null)
    .where("is_administrator", "=", true)
    .where("is_active", "=", true)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
