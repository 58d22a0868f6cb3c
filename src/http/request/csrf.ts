import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { permissionDenied } from "../../errors.ts";
import { type Body, bodyOf } from "./body.ts";

/** Where a form carries the token that a program sends as `X-CSRFToken`. */
export const csrfField = "csrfmiddlewaretoken";

/**
 * A browser sends a session's cookie along with whatever another site makes it ask for. So what changes something has
 * to carry a token besides, which only our own pages know. Who signs in with a header is asked for none. `body` is as much as has come.
 */
export function checkCsrf(request: FastifyRequest, body: Body = bodyOf(request)): void {
  const { viewer } = request;
  if (viewer.kind === "anonymous" || viewer.csrfToken === null) return;
  const header = request.headers["x-csrftoken"];
  const given =
    typeof header === "string" ? header : "form" in body ? body.form.get(csrfField)?.at(-1) : undefined;
  if (given === undefined) throw permissionDenied("CSRF Failed: CSRF token missing.");
  if (!areEqual(given, viewer.csrfToken)) throw permissionDenied("CSRF Failed: CSRF token incorrect.");
}

function areEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
