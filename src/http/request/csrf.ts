import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { permissionDenied } from "../../errors.ts";
import { type Body, bodyOf } from "./body.ts";

/** The form field for the token that a program sends as `X-CSRFToken`. */
export const csrfField = "csrfmiddlewaretoken";

/**
 * Browsers attach the session cookie to requests that other sites cause. So a change also has to carry a token that
 * only pages of this site know. Requests that authenticate with a header need no token. `body` is as much of the body
 * as has arrived.
 */
export function checkCsrf(request: FastifyRequest, body: Body = bodyOf(request)): void {
  const { viewer } = request;
  if (viewer.kind === "anonymous" || viewer.csrfToken === null) return;
  const header = request.headers["x-csrftoken"];
  const token =
    typeof header === "string" ? header : "form" in body ? body.form.get(csrfField)?.at(-1) : undefined;
  if (token === undefined) throw permissionDenied("CSRF Failed: CSRF token missing.");
  if (!areEqual(token, viewer.csrfToken)) throw permissionDenied("CSRF Failed: CSRF token incorrect.");
}

function areEqual(token: string, expected: string): boolean {
  const [actual, wanted] = [Buffer.from(token), Buffer.from(expected)];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
