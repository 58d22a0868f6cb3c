import type { Context } from "../../context.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { permissionDenied } from "../../errors.ts";
import { findAccountById, lockAccount } from "../users/account-store.ts";
import { hasPassword } from "../users/credentials/sign-in.ts";
import { findEnabledProviders, findIdentitiesOf, removeIdentities } from "./store.ts";

/** A provider at which people may sign in, as a user sees it. */
export interface ConnectedProvider {
  id: number;
  name: string;
  /** Whether the user can sign in there. */
  isConnected: boolean;
  /** Whether the user can sign in nowhere else. */
  isOnlyWay: boolean;
}

/** How a user can sign in. */
export interface WaysIn {
  /** Whether the user has a password, and may sign in with it. */
  hasPassword: boolean;
  providers: ConnectedProvider[];
}

export async function findWaysIn(
  config: Pick<Context["config"], "passwordSignIn">,
  reader: Reader | Writer,
  userId: number,
): Promise<WaysIn> {
  const own = new Set((await findIdentitiesOf(reader, userId)).map(({ provider_id }) => provider_id));
  const account = await findAccountById(reader, userId);
  const isByPassword = account !== null && hasPassword(config, account);
  const enabled = await findEnabledProviders(reader);
  const count = enabled.filter(({ id }) => own.has(id)).length + (isByPassword ? 1 : 0);
  const providers = enabled.map(({ id, name }) => {
    const isConnected = own.has(id);
    return { id, name, isConnected, isOnlyWay: isConnected && count === 1 };
  });
  return { hasPassword: isByPassword, providers };
}

/** Takes a provider from a user, and ends the sessions that began there. @throws {ApiError} 403 for the only way in. */
export async function disconnect(
  { config, database }: Pick<Context, "config" | "database">,
  userId: number,
  providerId: number,
): Promise<void> {
  await database.write(async (writer) => {
    await lockAccount(writer, database.dialect, userId);
    const { providers } = await findWaysIn(config, writer, userId);
    if (providers.some(({ id, isOnlyWay }) => id === providerId && isOnlyWay)) throw permissionDenied();
    await removeIdentities(writer, { provider_id: providerId, user_id: userId });
  });
}
