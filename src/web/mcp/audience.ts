import type { FastifyRequest } from "fastify";
import type { Config } from "../../config-values.ts";
import { ApiError } from "../../errors.ts";
import { isFromInside } from "../../http/request/inside.ts";
import { addressesOf } from "../../http/text/addresses.ts";

type Settings = Pick<Config, "assistantSignIn" | "url" | "webUrl" | "assetUrl">;

/** What a connected assistant may do. */
export const assistantScopes = ["read", "write"] as const;

/** The address for which the tokens of connected assistants are. */
export const assistantResource = (api: string): string => `${api}/mcp`;

/**
 * The resource of a request that connected assistants may send: to `/mcp`, which then asks the API from inside. Null
 * for any other request, so that a token of an assistant opens nothing else.
 */
export function resourceOf(settings: Settings, request: FastifyRequest): string | null {
  if (settings.assistantSignIn === "off") return null;
  const isTheirs =
    request.routeOptions.config.takesAssistants === true ||
    (isFromInside(request.headers) && request.headers.authorization !== undefined);
  return isTheirs ? assistantResource(addressesOf(settings, request).api) : null;
}

/** The refusal that says where an assistant can have somebody sign in. */
export function signInNeeded(
  settings: Settings,
  request: FastifyRequest,
  { status = 401, error, detail }: { status?: 401 | 403; error?: string; detail: string },
): ApiError {
  const { api } = addressesOf(settings, request);
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${api}/.well-known/oauth-protected-resource/mcp"`,
    `scope="${assistantScopes.join(" ")}"`,
  ];
  return new ApiError(status, { detail }, { "www-authenticate": `Bearer ${parts.join(", ")}` });
}

/** What the sender of a bad token is told: an assistant gets another one, or has the person sign in again. */
export function refusalOf(settings: Settings, request: FastifyRequest, error: unknown): unknown {
  const isBadToken = error instanceof ApiError && error.status === 403;
  if (!isBadToken || settings.assistantSignIn === "off") return error;
  if (request.routeOptions.config.takesAssistants !== true) return error;
  const { detail } = error.body as { detail?: string };
  return signInNeeded(settings, request, {
    error: "invalid_token",
    detail: detail ?? "The token is invalid.",
  });
}
