import type { Context } from "../../context.ts";
import { endConnections } from "../users/end-connections.ts";
import { removeRefreshTokens } from "../users/credentials/refresh-token-store.ts";
import type { Notice } from "./oidc.ts";
import { type ProviderRow, endProviderSessions, findUserOf } from "./store.ts";

/**
 * Ends what a provider says has ended there: one session, or all that a person began there. Then the tokens end too
 * that their programs refresh, and the connections of their assistants.
 */
export async function endAsTold(
  { database }: Pick<Context, "database">,
  { id }: Pick<ProviderRow, "id">,
  { subject, session }: Notice,
): Promise<void> {
  if (session !== null)
    return database.write((writer) => endProviderSessions(writer, id, { provider_session: session }));
  const user = await findUserOf(database.reader, { provider_id: id, subject });
  if (user === null) return;
  await database.write(async (writer) => {
    await endProviderSessions(writer, id, { user_id: user });
    await endConnections(writer, user, {}, null);
  });
  await removeRefreshTokens(database, user);
}
