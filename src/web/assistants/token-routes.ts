import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { bodyOf, formOf, jsonBody, shortBodyLimit, valueOf } from "../../http/request/body.ts";
import { networkOf } from "../../http/request/client-address.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { unpublished } from "../../http/resource-route.ts";
import { readClientMetadata } from "../../resources/users/assistants/client-metadata.ts";
import { addClient } from "../../resources/users/assistants/client-store.ts";
import { accessSeconds } from "../../resources/users/assistants/connection-store.ts";
import {
  type Granted,
  exchangeCode,
  exchangeRefresh,
  revoke,
} from "../../resources/users/assistants/grant.ts";
import { countAttempt } from "../../resources/users/credentials/sign-in-attempt-store.ts";
import { assistantResource } from "../mcp/audience.ts";
import { isResource } from "./authorization-request.ts";
import { sendJson } from "./metadata-routes.ts";

export const tokenPaths = ["/oauth/register/", "/oauth/token/", "/oauth/revoke/"] as const;

/** Within a quarter of an hour, from one network. */
const maxRegistrations = 30;

const registering = {
  name: "Registration of assistants",
  description: "Registers an assistant that wants to ask people to connect it.",
  parses: [jsonBody],
};

/**
 * What assistants send themselves, without a browser. Nobody's credentials count here: the code, or the token, in the
 * body is the right.
 */
export function tokenRoutes(app: FastifyInstance, context: Context): void {
  const config = { ignoresCredentials: true };
  const options = { schema: {}, bodyLimit: shortBodyLimit, config };
  const registration = { ...options, schema: unpublished(), config: { ...config, view: registering } };
  app.post("/oauth/register/", registration, (request, reply) => register(context, request, reply));
  app.post("/oauth/token/", options, (request, reply) => giveTokens(context, request, reply));

  app.post("/oauth/revoke/", options, async (request, reply) => {
    const [token, clientId] = [parameterIn(request, "token"), parameterIn(request, "client_id")];
    if (token === undefined || clientId === undefined) return refuse(reply, "invalid_request");
    await revoke(context, clientId, token);
    // Whether there was such a token is nobody's business (RFC 7009).
    return sendJson(reply, {});
  });
}

/** RFC 7591: anybody may register a client, which gets no secret. Nothing comes of it unless a person consents. */
async function register(
  { database }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const subject = `assistants from ${networkOf(request.ip)}`;
  const wait = await countAttempt(database, subject, maxRegistrations);
  if (wait !== null) {
    const description = "Too many clients have registered from there.";
    return refuse(
      reply.code(429).header("retry-after", String(wait)),
      "temporarily_unavailable",
      description,
    );
  }
  const metadata = readClientMetadata(valueOf(bodyOf(request)));
  if ("problem" in metadata) return refuse(reply, metadata.problem, metadata.description);
  const clientId = await database.write((writer) => addClient(writer, metadata));
  return sendJson(reply.code(201), {
    client_id: clientId,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    client_name: metadata.name,
    redirect_uris: metadata.redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
}

async function giveTokens(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const expected = assistantResource(addressesOf(context.config, request).api);
  const named = parameterIn(request, "resource");
  if (!isResource(named, expected)) return refuse(reply, "invalid_target", `resource must be ${expected}`);
  const granted = await grantedTo(context, request, named === undefined ? null : expected);
  if (typeof granted === "string") return refuse(reply, granted);
  if ("problem" in granted) return refuse(reply, granted.problem);
  return sendJson(reply, {
    access_token: granted.access,
    token_type: "Bearer",
    expires_in: accessSeconds,
    refresh_token: granted.refresh,
    scope: granted.mayWrite ? "read write" : "read",
  });
}

/** @returns a text for a request that cannot be read. */
async function grantedTo(
  context: Context,
  request: FastifyRequest,
  resource: string | null,
): Promise<Granted | "invalid_request" | "unsupported_grant_type"> {
  const clientId = parameterIn(request, "client_id");
  if (clientId === undefined) return "invalid_request";
  switch (parameterIn(request, "grant_type")) {
    case "authorization_code": {
      const code = parameterIn(request, "code");
      const redirectUri = parameterIn(request, "redirect_uri");
      const verifier = parameterIn(request, "code_verifier");
      if (code === undefined || redirectUri === undefined || verifier === undefined) return "invalid_request";
      return exchangeCode(context, { clientId, code, redirectUri, verifier, resource });
    }
    case "refresh_token": {
      const token = parameterIn(request, "refresh_token");
      return token === undefined
        ? "invalid_request"
        : exchangeRefresh(context, { clientId, token, resource });
    }
    case undefined:
      return "invalid_request";
    default:
      return "unsupported_grant_type";
  }
}

/** A parameter, which may be there once. */
function parameterIn(request: FastifyRequest, name: string): string | undefined {
  const texts = formOf(request).get(name) ?? [];
  const [text] = texts;
  return texts.length === 1 && text !== "" ? text?.replaceAll("\0", "") : undefined;
}

function refuse(reply: FastifyReply, error: string, description?: string): FastifyReply {
  if (reply.statusCode === 200) reply.code(400);
  return sendJson(reply, {
    error,
    ...(description !== undefined && { error_description: description }),
  });
}
