import type { Reader, Writer } from "../../database/database.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

const factorActions = ["second_factor_added", "second_factor_removed", "second_factors_reset"] as const;

/** What an entry of an account's history is about. */
export type AccountAction = (typeof factorActions)[number] | "assistant_connected" | "assistant_disconnected";

export interface AccountHistoryRow {
  user_id: number;
  at: string;
  action: string;
  /** Null if it was done on the command line. */
  by: string | null;
}

/**
 * Must run in the transaction of the change.
 *
 * @param by the user who did it; null for the command line, or if nobody did.
 * @param subject the name of the assistant that it is about.
 */
export async function addAccountHistory(
  writer: Writer,
  userId: number,
  action: AccountAction,
  by: number | null,
  subject: string | null = null,
): Promise<void> {
  await writer
    .insertInto("account_history")
    .values({ user_id: userId, by_id: by, action, at: timestampNow(), subject })
    .execute();
}

const maxShown = 20;

/** The latest changes of an account's second factors, newest first. */
export async function findAccountHistory(
  reader: Pick<Reader, "selectFrom">,
  userId: number,
): Promise<AccountHistoryRow[]> {
  return reader
    .selectFrom("account_history")
    .leftJoin("users", "users.id", "account_history.by_id")
    .select([
      "account_history.user_id",
      "account_history.at",
      "account_history.action",
      "users.username as by",
    ])
    .where("account_history.user_id", "=", userId)
    .where("account_history.action", "in", factorActions)
    .orderBy("account_history.id", "desc")
    .limit(maxShown)
    .execute();
}
