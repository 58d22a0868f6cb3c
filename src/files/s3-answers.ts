import { createHash } from "node:crypto";
import { S3ServiceException } from "@aws-sdk/client-s3";
import { isOutOfRoom } from "../errors.ts";
import { FilesUnavailableError } from "./files-unavailable.ts";
import { FileKeyError } from "./keys.ts";

/** Errors for a missing object, or for a range beyond the end of an object that has become shorter. */
const absent: ReadonlySet<string> = new Set(["NoSuchKey", "NotFound", "InvalidRange"]);

/** Null if the object does not exist. */
export async function answered<Answer>(response: Promise<Answer>): Promise<Answer | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof S3ServiceException && absent.has(error.name)) return null;
    throw unavailable(error);
  }
}

export async function answeredAlways<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * Converts an error for the log, without the error itself, which holds the request, its signature and the whole
 * response. Errors that do not concern the store, such as an invalid key or a full local disk, are returned
 * unchanged.
 */
export function unavailable(error: unknown): Error {
  if (error instanceof FileKeyError) return error;
  if (error instanceof Error && isOutOfRoom(error)) return error;
  if (isFull(error)) return Object.assign(new Error("the store is full"), { code: "ENOSPC" });
  return new FilesUnavailableError(explained(error), { mayComeBack: !isRefusal(error) });
}

/** Whether the store has refused the request itself, as it would at every other time. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return status !== undefined && status >= 300 && status < 500 && status !== 408 && status !== 429;
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

/** Nearly every server uses a hexadecimal hash as the tag, but it may be anything. */
export function versionOf(tag = ""): string {
  const [, plain = ""] = /^"?([\w.-]{1,100})"?$/.exec(tag) ?? [];
  return plain === "" ? createHash("sha1").update(tag).digest("hex") : plain;
}
