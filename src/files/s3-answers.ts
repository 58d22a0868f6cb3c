import { S3ServiceException } from "@aws-sdk/client-s3";
import { isOutOfRoom } from "../errors.ts";
import { FilesUnavailableError } from "./files-unavailable.ts";
import { FileKeyError } from "./keys.ts";

/** That there is no such object, or nothing of it where a range begins: it was longer when it was asked for last. */
const absent: ReadonlySet<string> = new Set(["NoSuchKey", "NotFound", "InvalidRange"]);

/** Null where there is no such object. */
export async function answered<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof S3ServiceException && absent.has(error.name)) return null;
    throw unavailable(error);
  }
}

export async function answeredAlways<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * In words for a log, and without the error itself: that holds the request, its signature and the whole answer. What has
 * nothing to do with the store is left as it is: a key that is none, a disk of this machine that is full.
 */
export function unavailable(error: unknown): Error {
  if (error instanceof FileKeyError) return error;
  if (error instanceof Error && isOutOfRoom(error)) return error;
  if (isFull(error)) return Object.assign(new Error("the store is full"), { code: "ENOSPC" });
  return new FilesUnavailableError(explained(error));
}

function isFull(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 507;
}

const explanations: Readonly<Record<string, string>> = {
  AbortError: "it does not answer in time",
  TimeoutError: "it does not answer in time",
  AccessDenied: "the key may not use the bucket (AccessDenied)",
  InvalidAccessKeyId: "the store does not know the key of QUIRE_S3_ACCESS_KEY_ID (InvalidAccessKeyId)",
  NoSuchBucket: "there is no such bucket (NoSuchBucket)",
  PermanentRedirect: "the bucket is in another region than QUIRE_S3_REGION says (PermanentRedirect)",
  RequestTimeTooSkewed: "this machine's clock is wrong (RequestTimeTooSkewed)",
  SignatureDoesNotMatch:
    "the secret of QUIRE_S3_SECRET_ACCESS_KEY does not belong to the key (SignatureDoesNotMatch)",
};

function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = Object.hasOwn(explanations, error.name) ? explanations[error.name] : undefined;
  if (known !== undefined) return known;
  const code = "code" in error ? String(error.code) : error.name;
  return error.message === "" || error.message === code ? code : `${error.message} (${code})`;
}
