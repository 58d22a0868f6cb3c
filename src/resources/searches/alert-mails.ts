import type { Context } from "../../context.ts";
import type { FoundAlert } from "../mails/compose.ts";
import { type Mail, findRecipient, hasMail, queueMail } from "../mails/mail-store.ts";
import { findVisibleDocuments } from "../documents/store.ts";
import { findDueForMail, findMailed, setMail } from "./alert-store.ts";
import { findNow, findOwner } from "./compare.ts";
import { findSearchOf, lockAlert } from "./store.ts";
import { unsubscribeToken } from "../mails/unsubscribe-token.ts";

const searchesAtOnce = 50;
/** What stands for the mail of finds that no mail tells of. */
const noMail = 0;

/** Queues a mail for each search whose finds are to be told of by now. */
export async function queueAlertMails({
  config,
  database,
}: Pick<Context, "config" | "database">): Promise<void> {
  if (!hasMail(config)) return;
  for (;;) {
    const due = await findDueForMail(database, searchesAtOnce);
    for (const { id, user_id } of due) {
      await database.write(async (writer) => {
        if ((await lockAlert(writer, id)) === null) return;
        const recipient = await findRecipient(writer, user_id);
        const isWanted = recipient !== null && Boolean(recipient.mail_notices);
        const mail = { kind: "search alert", userId: user_id, details: { search: id } } as const;
        await setMail(writer, id, isWanted ? await queueMail(writer, mail) : noMail);
      });
    }
    if (due.length < searchesAtOnce) return;
  }
}

const maxNamed = 20;
const maxCompared = 1000;

/**
 * What is left of the finds that a mail was queued for: those that the search still finds, with the rights that its
 * owner has now. Null if that is nothing, or if no mail is wanted any more.
 */
export async function findAlert(
  { database, secrets }: Pick<Context, "database" | "secrets">,
  mail: Pick<Mail, "id" | "user_id" | "details">,
): Promise<FoundAlert | null> {
  const { search: id } = JSON.parse(mail.details) as { search: number };
  const search = await findSearchOf(database.reader, { id, user_id: mail.user_id ?? 0 });
  if (search === null || search.alert === "off" || search.alert === "page") return null;
  const owner = await findOwner(database, search.user_id);
  if (owner === null) return null;
  const told = (await findMailed(database, id, mail.id)).slice(0, maxCompared);
  const found = await findNow(database, owner, search, told);
  const left = told.filter((document) => found.has(document));
  const named = await findVisibleDocuments(database, owner, left.slice(0, maxNamed));
  if (named.length === 0) return null;
  const byId = new Map(named.map((row) => [row.id, row]));
  const documents = left.flatMap((document) => byId.get(document) ?? []);
  const { uuid, name } = search;
  const more = Math.max(0, left.length - maxNamed);
  return { uuid, name, documents, more, token: unsubscribeToken(secrets, uuid) };
}
