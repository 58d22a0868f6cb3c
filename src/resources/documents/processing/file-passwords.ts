import type { Context } from "../../../context.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { openText, sealText } from "../../../secrets/sealed-text.ts";

/*
 * A file's password travels from the request to the job sealed in the options of the job's row. The row is deleted when
 * the job ends. The password of a file that arrives in parts is first sealed in the note of the upload, which loses it
 * when the file has arrived. The password is stored nowhere else.
 */

const purpose = "passwords of files";
const about = (documentId: number): string => `document ${documentId}`;

export function sealPassword(
  { secrets }: Pick<Context, "secrets">,
  documentId: number,
  password: string,
): string {
  return sealText(secrets, purpose, password, about(documentId));
}

/** Empty if the request had no password. */
export function passwordOf(context: Pick<Context, "secrets">, { subject, options }: Job): string {
  const sealed = options["sealedPassword"];
  return typeof sealed === "string" ? openPassword(context, subject, sealed) : "";
}

/** Empty if the password was sealed for another document, or with a secret that no longer exists. */
export function openPassword(
  { secrets }: Pick<Context, "secrets">,
  documentId: number,
  sealed: string,
): string {
  return openText(secrets, purpose, sealed, about(documentId)) ?? "";
}
