import type { Context } from "../../context.ts";
import { declineNotices } from "../mails/notice-store.ts";
import { declinedNotices } from "../mails/unsubscribe-token.ts";
import { lockSavedSearch, ownSearches } from "./store.ts";

/** Stops the mails of a saved search, or those to a person of a kind of notice. What they tell of stays on pages. */
export async function unsubscribe({ database }: Pick<Context, "database">, subject: string): Promise<void> {
  const declined = declinedNotices(subject);
  await database.write(async (writer) => {
    if (declined !== null) return declineNotices(writer, declined.userId, declined.kind);
    const search = await lockSavedSearch(writer, subject);
    if (search !== null && search.alert !== "off")
      await ownSearches.change(writer, search, { alert: "page" });
  });
}
