import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "../../../context.ts";
import { type ApiError, credentialsRefused } from "../../../errors.ts";
import { findCookie } from "../../../http/request/cookies.ts";
import { sessionCookie } from "../../../http/request/session-cookies.ts";
import { type RunOfViewer, type Viewer, anonymous } from "../../../http/request/viewer.ts";
import { assistantTokenPrefix, findByAccess } from "../assistants/connection-store.ts";
import { type FoundApiToken, apiTokenPrefix, findApiToken } from "./api-token-store.ts";
import { csrfTokenOf, findSession } from "./session-store.ts";
import { SignedTokens } from "./signed-tokens.ts";
import type { TokenUses } from "./token-uses.ts";
import { type KnownUser, findKnownUser } from "../viewer-store.ts";

/**
 * Finds the viewer who sent a request with these headers.
 *
 * @param resource the address for which tokens of connected assistants are, if the request is one that they may send;
 *   without it, such a token is invalid
 */
export type Authenticate = (headers: IncomingHttpHeaders, resource?: string | null) => Promise<Viewer>;

/**
 * Authenticates requests by a bearer token or a session cookie. A bad token is refused even if the request needs none,
 * so that no client is silently anonymous. A cookie of a session that has ended is ignored, because browsers keep
 * sending it. Other authentication schemes are ignored too, since they may be meant for a proxy in front of Quire.
 */
export function authenticator(
  context: Pick<Context, "database" | "secrets">,
  uses: Pick<TokenUses, "note" | "noteConnection" | "noteSession">,
): Authenticate {
  const { database } = context;
  const tokens = new SignedTokens(context.secrets);

  return async ({ authorization = "", cookie }, resource = null) => {
    const [scheme = "", ...values] = authorization.trim().split(/\s+/);
    if (scheme.toLowerCase() !== "bearer") return viewerOfSession(findCookie(cookie, sessionCookie));
    const [token] = values;
    if (token === undefined || values.length > 1) {
      throw credentialsRefused({
        detail: "Authorization header must contain two space-delimited values",
        code: "bad_authorization_header",
      });
    }
    if (token.startsWith(assistantTokenPrefix)) return viewerOfAssistant(token, resource);
    return token.startsWith(apiTokenPrefix) ? viewerOfApiToken(token) : viewerOfAccessToken(token);
  };

  async function viewerOfSession(secret: string | null): Promise<Viewer> {
    if (secret === null) return anonymous;
    const session = await findSession(database, secret);
    const user = session && (await findKnownUser(database, { id: session.user_id }));
    if (session === null || user === null || !user.isActive) return anonymous;
    uses.noteSession(session);
    return { ...user.viewer, mayWrite: true, hasPersonalToken: false, csrfToken: csrfTokenOf(secret) };
  }

  async function viewerOfApiToken(token: string): Promise<Viewer> {
    const found = await findApiToken(database, token);
    if (found === null) throw invalidToken("Token is invalid or expired");
    const { viewer } = activeUser(await findKnownUser(database, { id: found.user_id }));
    uses.note(found);
    const run = runOf(found);
    const mayWrite = Boolean(found.may_write);
    return { ...viewer, mayWrite, hasPersonalToken: true, csrfToken: null, ...(run !== null && { run }) };
  }

  /** It manages the account as little as a personal token does. */
  async function viewerOfAssistant(token: string, resource: string | null): Promise<Viewer> {
    const found = resource === null ? null : await findByAccess(database, token);
    if (found === null || found.resource !== resource) throw invalidToken("Token is invalid or expired");
    const { viewer } = activeUser(await findKnownUser(database, { id: found.user_id }));
    uses.noteConnection(found);
    return { ...viewer, mayWrite: Boolean(found.may_write), hasPersonalToken: true, csrfToken: null };
  }

  async function viewerOfAccessToken(token: string): Promise<Viewer> {
    const claims = await tokens.read(token);
    if (typeof claims === "string") throw invalidToken("Token is invalid or expired");
    if (claims.type !== "access") throw invalidToken("Token has wrong type");
    const user = activeUser(
      claims.user === null ? null : await findKnownUser(database, { uuid: claims.user }),
    );
    if (claims.generation !== user.tokenGeneration) throw invalidToken("Token is invalid or expired");
    return { ...user.viewer, mayWrite: true, hasPersonalToken: false, csrfToken: null };
  }
}

function runOf({ run_id, run_uuid, run_event, run_scope }: FoundApiToken): RunOfViewer | null {
  if (run_id === null || run_uuid === null) return null;
  const documents = new Set(JSON.parse(run_scope ?? "[]") as number[]);
  return { id: run_id, uuid: run_uuid, event: run_event, documents };
}

function activeUser(user: KnownUser | null): KnownUser {
  if (user === null) throw credentialsRefused({ detail: "User not found", code: "user_not_found" });
  if (!user.isActive) throw credentialsRefused({ detail: "User is inactive", code: "user_inactive" });
  return user;
}

function invalidToken(message: string): ApiError {
  return credentialsRefused({
    detail: "Given token not valid for any token type",
    code: "token_not_valid",
    messages: [{ token_class: "AccessToken", token_type: "access", message }],
  });
}
