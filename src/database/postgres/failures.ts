import { DatabaseUnavailableError } from "../database-unavailable.ts";

export const queryCanceled = "57014";
/** Also the code of "cached plan must not change result type". */
const featureNotSupported = "0A000";
const cannotConnectNow = "57P03";
const tooManyConnections = "53300";

/** The server is shutting down, starting or recovering, or has closed the connection. */
const goneStates = /^(57P0[1-5]|08...)$/;
/** The server was the primary before a failover: another connection leads to the new one. */
const readOnlyTransaction = "25006";

/** System errors for a server that is unreachable, or for a name that does not resolve yet. */
const goneCodes: ReadonlySet<string> = new Set([
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EAI_AGAIN",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);
/** A standby cancels a query that needs what the primary has removed, or whose database was dropped. */
const conflictCodes: ReadonlySet<string> = new Set(["40001", "40P01", "57P04"]);
const silentCodes: ReadonlySet<string> = new Set(["EHOSTDOWN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);
/** The driver's errors that have no code. */
const goneMessages = /^(Connection terminated|timeout expired|Query read timeout)/;

export function unreachable(cause: Error | null): DatabaseUnavailableError {
  const mayComeBack = isAway(cause) || codeOf(cause) === tooManyConnections;
  return new DatabaseUnavailableError("PostgreSQL cannot be reached", { cause, mayComeBack });
}

/** No host is the primary at the moment: a failover is under way, or it failed. */
export function withoutPrimary(reasons: readonly string[]): Error {
  return refused(`no host is the primary (${reasons.join("; ")})`);
}

/** A server that answers, but is not used at the moment. */
export function refused(reason: string): Error {
  return Object.assign(new Error(reason), { code: cannotConnectNow });
}

/** Whether a connection failed because the server does not respond, or not yet. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === null ? goneMessages.test(error.message) : goneStates.test(code) || goneCodes.has(code);
}

/** Whether the server sent no response at all, not even a refusal. */
export function isSilence(error: Error): boolean {
  return error.message.startsWith("timeout expired") || silentCodes.has(codeOf(error) ?? "");
}

/** Whether a query failed because its connection was lost. */
export function isLoss(error: unknown): boolean {
  return isAway(error) || codeOf(error) === readOnlyTransaction;
}

/**
 * Whether a prepared statement may have been prepared before a newer version added to a table that it reads: PostgreSQL
 * then refuses to run it as it is, for as long as the connection lasts.
 */
export function isOutdatedStatement(error: unknown): boolean {
  return codeOf(error) === featureNotSupported;
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Whether a standby gave up a query that another server may answer. */
export function isConflict(error: unknown): boolean {
  return conflictCodes.has(codeOf(error) ?? "");
}
