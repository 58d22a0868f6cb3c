import type { Context } from "../../../context.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { openText, sealText } from "../../../secrets/sealed-text.ts";

/*
 * A file's password travels from the request to the job sealed in the options of the job's row. The row is deleted when
 * the job ends. The password is stored nowhere else.
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
export function passwordOf({ secrets }: Pick<Context, "secrets">, { subject, options }: Job): string {
  const sealed = options["sealedPassword"];
  return typeof sealed === "string" ? (openText(secrets, purpose, sealed, about(subject)) ?? "") : "";
}
