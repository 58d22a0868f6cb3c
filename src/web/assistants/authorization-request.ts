import type { AssistantClient } from "../../resources/users/assistants/client-store.ts";
import { isNamed } from "../../resources/users/assistants/redirect-address.ts";
import { assistantScopes } from "../mcp/audience.ts";

/** What a client asks a person for, once it is known that it may. */
export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  /** Sent back as it came; null if the client sent none. */
  state: string | null;
  challenge: string;
  /** Whether the client asks to write, too. The person decides. */
  wantsToWrite: boolean;
}

/** A parameter of the request; undefined if it is not there. */
export type ReadParameter = (name: string) => string | undefined;

export const maxIdLength = 1100;
const maxStateLength = 2000;

/** Why a request is refused, with the codes of RFC 6749 and RFC 8707. */
export interface AuthorizationProblem {
  error: "invalid_request" | "invalid_scope" | "invalid_target" | "unsupported_response_type";
  reason: string;
}

/** Where the answer to a request goes. Null unless it is an address of the client. */
export function findRedirect(read: ReadParameter, client: AssistantClient): string | null {
  const asked = read("redirect_uri") ?? "";
  return isNamed(client.redirectUris, asked) ? asked : null;
}

/** Reads what a client asks for. Of its redirect is known that it is the client's. */
export function readAuthorization(
  read: ReadParameter,
  { clientId, redirectUri, resource }: { clientId: string; redirectUri: string; resource: string },
): AuthorizationRequest | AuthorizationProblem {
  if (read("response_type") !== "code") {
    return { error: "unsupported_response_type", reason: "response_type must be code" };
  }
  const challenge = read("code_challenge") ?? "";
  if (read("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge)) {
    return { error: "invalid_request", reason: "code_challenge must be there, with the method S256" };
  }
  if (!isResource(read("resource"), resource)) {
    return { error: "invalid_target", reason: `resource must be ${resource}` };
  }
  const state = read("state") ?? null;
  if (state !== null && state.length > maxStateLength) {
    return { error: "invalid_request", reason: "state is too long" };
  }
  const scopes = (read("scope") ?? "").split(" ").filter((scope) => scope !== "");
  // Others, such as offline_access, are left out, as RFC 6749 allows.
  const known = scopes.filter((scope) => (assistantScopes as readonly string[]).includes(scope));
  if (scopes.length > 0 && known.length === 0) {
    return { error: "invalid_scope", reason: `scope can be ${assistantScopes.join(" and ")}` };
  }
  return { clientId, redirectUri, state, challenge, wantsToWrite: known.includes("write") };
}

/** Whether a client names this resource, or none. Scheme and host may be written in capitals. */
export function isResource(named: string | undefined, resource: string): boolean {
  return named === undefined || URL.parse(named)?.href === new URL(resource).href;
}

/**
 * The client's address with an answer: a code, or an error. It says which server answers, so that no other one can pass
 * for it (RFC 9207).
 */
export function answerAddress(
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): string {
  const members = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${members.toString()}`;
}
