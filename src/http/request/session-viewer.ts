import type { FastifyReply, FastifyRequest } from "fastify";
import { notFound, permissionDenied } from "../../errors.ts";
import { checkCsrf } from "./csrf.ts";
import type { SignedInViewer } from "./viewer.ts";

/** A viewer who has signed in with a browser. */
export type SessionViewer = SignedInViewer & { readonly csrfToken: string };

/** The viewer of a page that needs a session; null without one. */
export function sessionViewer({ viewer }: FastifyRequest): SessionViewer | null {
  return viewer.kind === "user" && viewer.csrfToken !== null ? (viewer as SessionViewer) : null;
}

/** The sender of a form on such a page. @throws {ApiError} 403 without a session, or for a form of another site. */
export function formSender(request: FastifyRequest): SessionViewer {
  checkCsrf(request);
  const viewer = sessionViewer(request);
  if (viewer === null) throw permissionDenied();
  return viewer;
}

/**
 * Leads to the page for signing in, and from there to `next`.
 * @throws {ApiError} 404 for a guest who has signed in: the account does not see the page either.
 */
export function leadToSignIn(reply: FastifyReply, next: string): FastifyReply {
  const { viewer } = reply.request;
  if (viewer.kind === "anonymous" && viewer.account !== undefined) throw notFound();
  return reply.redirect(`${reply.server.site.signIn}?next=${encodeURIComponent(next)}`, 302);
}
