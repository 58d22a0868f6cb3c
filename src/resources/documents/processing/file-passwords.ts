import type { Context } from "../../../context.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { openText, sealText } from "../../../secrets/sealed-text.ts";

/*
 * The password of a file, from the request that gives it to the job that needs it: sealed in the options of the job's
 * row, which goes when the job ends. It is in nothing else.
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

/** Empty where none was given. */
export function passwordOf({ secrets }: Pick<Context, "secrets">, { subject, options }: Job): string {
  const sealed = options["sealedPassword"];
  return typeof sealed === "string" ? (openText(secrets, purpose, sealed, about(subject)) ?? "") : "";
}
