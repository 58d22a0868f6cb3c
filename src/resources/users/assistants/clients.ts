import type { Context } from "../../../context.ts";
import { fetchClientDocument, isDocumentAddress } from "./client-document.ts";
import { type AssistantClient, findClient, keepDocument } from "./client-store.ts";

/**
 * The client with this id, as it describes itself now. For an id that is the address of a document, the document is
 * fetched, unless it was a short while ago: only ask for a person who has signed in. Null if there is no such client.
 */
export async function findClientNow(
  { config, database }: Pick<Context, "config" | "database">,
  clientId: string,
): Promise<AssistantClient | null> {
  const known = await findClient(database.reader, clientId);
  if (known?.isFresh === true) return known;
  if (!isDocumentAddress(clientId)) return null;
  const document = await fetchClientDocument(clientId, { allowedHosts: config.fetchAllowedHosts ?? [] });
  if (document === null) return null;
  await database.write((writer) => keepDocument(writer, clientId, document));
  return findClient(database.reader, clientId);
}
