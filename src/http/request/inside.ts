import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The header by which a process knows requests that it makes to itself. */
export const insideHeader = "x-quire-inside";

/** Only this process knows it, and it sends it to nobody else. */
export const insideKey = randomBytes(32).toString("base64url");

/** Whether this process has made the request itself, on behalf of a client whose credentials it has checked. */
export function isFromInside(headers: IncomingHttpHeaders): boolean {
  const given = headers[insideHeader];
  if (typeof given !== "string") return false;
  const [actual, expected] = [Buffer.from(given), Buffer.from(insideKey)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
