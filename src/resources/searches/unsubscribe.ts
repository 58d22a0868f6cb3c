import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../../context.ts";
import { lockSavedSearch, updateSavedSearch } from "./store.ts";

/*
 * The address in a mail at which its alert is declined without signing in (RFC 8058). It names one saved search, does
 * nothing else, and works for as long as the server has the secret.
 */

type Secrets = Context["secrets"];

const purpose = "unsubscribing";

export function unsubscribeToken(secrets: Secrets, uuid: string): string {
  return `${uuid}.${signatures(secrets, uuid)[0]}`;
}

/** The uuid of the saved search that a token is for; null if Quire has not made it. */
export function searchOfToken(secrets: Secrets, token: string): string | null {
  const [uuid = "", signature = ""] = token.split(".");
  const actual = Buffer.from(signature);
  const isValid = signatures(secrets, uuid).some((valid) => {
    const expected = Buffer.from(valid);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  });
  return isValid ? uuid : null;
}

function signatures(secrets: Secrets, uuid: string): string[] {
  return secrets
    .keysFor(purpose)
    .map(({ key }) => createHmac("sha256", key).update(uuid).digest("base64url"));
}

/** Has a saved search send no more mails. What it finds stays on pages. */
export async function unsubscribe({ database }: Pick<Context, "database">, uuid: string): Promise<void> {
  await database.write(async (writer) => {
    const search = await lockSavedSearch(writer, database, uuid);
    if (search !== null && search.alert !== "off")
      await updateSavedSearch(writer, search.id, { alert: "page" });
  });
}
