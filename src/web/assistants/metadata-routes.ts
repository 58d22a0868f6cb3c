import type { FastifyInstance, FastifyReply } from "fastify";
import type { Context } from "../../context.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { assistantResource, assistantScopes } from "../mcp/audience.ts";

export const metadataPaths = [
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-authorization-server",
] as const;

/** What assistants read first: RFC 9728 says who signs people in for `/mcp`, and RFC 8414 how they ask for it. */
export function metadataRoutes(app: FastifyInstance, { config }: Context): void {
  const open = { schema: {}, config: { ignoresCredentials: true, needsNoDatabase: true } };
  const [general, ofMcp, ofServer] = metadataPaths;

  for (const path of [general, ofMcp]) {
    app.get(path, open, (request, reply) => {
      const { api } = addressesOf(config, request);
      return sendJson(reply, {
        resource: assistantResource(api),
        resource_name: app.site.brand.name,
        authorization_servers: [api],
        scopes_supported: assistantScopes,
        bearer_methods_supported: ["header"],
      });
    });
  }

  app.get(ofServer, open, (request, reply) => {
    const { api } = addressesOf(config, request);
    return sendJson(reply, {
      issuer: api,
      authorization_endpoint: `${api}/oauth/authorize/`,
      token_endpoint: `${api}/oauth/token/`,
      registration_endpoint: `${api}/oauth/register/`,
      revocation_endpoint: `${api}/oauth/revoke/`,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      scopes_supported: assistantScopes,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      protected_resources: [assistantResource(api)],
    });
  });
}

/** JSON of the protocol: no cache keeps it, since it may be a secret, or have come from a request's own host. */
export function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply
    .headers({ "cache-control": "no-store", pragma: "no-cache" })
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(value));
}
