import type { Writer } from "../../database/database.ts";
import { addRow, rowOf } from "../../database/rows.ts";
import type { AdministrationHistoryTable } from "../../database/tables.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { type ChangedBy, actorOf } from "./membership-history-store.ts";

type AccountAction = Exclude<
  AdministrationHistoryTable["action"],
  "organization_added" | "organization_renamed"
>;

/** Adds to the history what somebody has done with an account, in the transaction that does it. */
export async function addAccountChange(
  writer: Writer,
  user: number,
  action: AccountAction,
  by: ChangedBy,
): Promise<void> {
  await addRow(writer, "administration_history", {
    at: timestampNow(),
    action,
    user_id: user,
    ...actorOf(by),
  });
}

/** The same for a new organization. Individual ones come with their accounts, and are not in the history. */
export async function addNewOrganization(
  writer: Writer,
  organization: number,
  name: string,
  by: ChangedBy,
): Promise<void> {
  await addRow(writer, "administration_history", {
    at: timestampNow(),
    action: "organization_added",
    organization_id: organization,
    name_after: name,
    ...actorOf(by),
  });
}

/** The same for an organization that is about to get this name, which may be its own. */
export async function addRenaming(
  writer: Writer,
  organization: number,
  name: string,
  by: ChangedBy,
): Promise<void> {
  const former = await rowOf(writer, "organizations", { id: organization });
  if (former === null || former.name === name) return;
  await addRow(writer, "administration_history", {
    at: timestampNow(),
    action: "organization_renamed",
    organization_id: organization,
    name_before: former.name,
    name_after: name,
    ...actorOf(by),
  });
}
