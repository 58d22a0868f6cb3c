import type { Context } from "../../context.ts";
import { declineNotices } from "../mails/notice-store.ts";
import { recipientOf } from "../mails/unsubscribe-token.ts";
import { lockSavedSearch, updateSavedSearch } from "./store.ts";

/** Has a saved search send no more mails, or a person get no more notices. What they tell of stays on pages. */
export async function unsubscribe({ database }: Pick<Context, "database">, subject: string): Promise<void> {
  const userId = recipientOf(subject);
  await database.write(async (writer) => {
    if (userId !== null) return declineNotices(writer, userId);
    const search = await lockSavedSearch(writer, database, subject);
    if (search !== null && search.alert !== "off")
      await updateSavedSearch(writer, search.id, { alert: "page" });
  });
}
