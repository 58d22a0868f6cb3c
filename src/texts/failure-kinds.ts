/**
 * What went wrong with a file or a job, as far as its message tells: a remedy and a translation exist for each kind.
 */
export type FailureKind =
  | "cancelled"
  | "worker"
  | "room"
  | "store"
  | "address"
  | "password"
  | "install"
  | "limits"
  | "size"
  | "upload"
  | "broken";

/** The first match applies. */
const patterns: readonly (readonly [message: RegExp, kind: FailureKind])[] = [
  [/was cancelled/i, "cancelled"],
  [/^the worker .* went away/i, "worker"],
  [/\bno room\b/i, "room"],
  [/^the files cannot be reached/i, "store"],
  [/larger than|too large|too long/i, "size"],
  [/\bthe address\b|^the file broke off/i, "address"],
  [/password|encrypted/i, "password"],
  [/install/i, "install"],
  [/took longer|more memory/i, "limits"],
  [/missing|no bytes|no pages/i, "upload"],
  [/broken|not a pdf|cannot be made out/i, "broken"],
];

/** The kind of a failure, by the message that a receipt or a job has; null if it is of no known kind. */
export function failureKindOf(message: string): FailureKind | null {
  return patterns.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}
