import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { permissionDenied } from "../../errors.ts";
import { bodyOf, jsonBody, valueOf } from "../../http/request/body.ts";
import { unpublished } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { assistantTokenPrefix } from "../../resources/users/assistants/connection-store.ts";
import { isFromElsewhere } from "../account/form-pages.ts";
import { asking } from "./ask-api.ts";
import { signInNeeded } from "./audience.ts";
import { mcpServer, ownTools } from "./mcp-server.ts";

const view = {
  name: "Model Context Protocol",
  description: "Messages of the Model Context Protocol, by which assistants search and read.",
  parses: [jsonBody],
};

/** A text to upload, in JSON. */
const bodyLimit = 4 * 1024 * 1024;

/** The headers of the protocol's answer that reach the client. */
const answered = ["content-type", "mcp-protocol-version", "allow"];

/**
 * Assistants speak the Model Context Protocol here: streamable HTTP without sessions. What a tool does, it asks of the
 * API with the credentials of its sender.
 */
export function mcpRoutes(app: FastifyInstance, { config }: Context): void {
  app.post(
    "/mcp",
    { schema: unpublished(), bodyLimit, config: { view, changesNothingItself: true, takesAssistants: true } },
    async (request, reply) => {
      const { viewer, headers } = request;
      const isAllowed = (config.allowedOrigins ?? []).includes(headers.origin ?? "");
      if (isFromElsewhere(config, request) && !isAllowed) throw permissionDenied();
      const hasToken = headers.authorization !== undefined && viewer.kind === "user";
      const isOffered = config.assistantSignIn === "offered";
      if (config.assistantSignIn !== "off") refuseWithoutSignIn(config, request, hasToken);
      const { api, web } = addressesOf(config, request);
      const message = new Request(`${api}/mcp`, {
        method: "POST",
        headers: Object.entries(headers).flatMap(([name, value]) =>
          typeof value === "string" && name !== "content-length" ? [[name, value] as [string, string]] : [],
        ),
      });
      const answer = await mcpServer();
      const response = await answer(message, valueOf(bodyOf(request)), {
        ask: asking(app, web, request),
        // Without a token, a tool that writes leads to the sign-in page.
        mayWrite: hasToken ? viewer.mayWrite : isOffered,
        maySignIn: isOffered,
      });
      for (const name of answered) {
        const value = response.headers.get(name);
        if (value !== null) reply.header(name, value);
      }
      reply.header("cache-control", "no-store");
      return reply.code(response.status).send(Buffer.from(await response.arrayBuffer()));
    },
  );
}

/**
 * Sends a client to the sign-in page: always if signing in is required, and else only if it uses a tool that needs it.
 * That is how a client that reads what everybody sees learns that its person can sign in.
 *
 * @throws {ApiError} 401; 403 for a connected assistant that may only read and uses a tool that writes
 */
function refuseWithoutSignIn(config: Context["config"], request: FastifyRequest, hasToken: boolean): void {
  if (!hasToken && config.assistantSignIn === "required")
    throw signInNeeded(config, request, { detail: "Sign in first." });
  const used = toolsUsed(valueOf(bodyOf(request)));
  if (!hasToken && used.length > 0)
    throw signInNeeded(config, request, { detail: "This tool needs a person who has signed in." });
  const { viewer, headers } = request;
  const isAssistant = headers.authorization?.includes(assistantTokenPrefix) === true;
  const mayNot = hasToken && viewer.kind === "user" && !viewer.mayWrite && isAssistant;
  if (mayNot && used.some((name) => ownTools.get(name)?.writes === true)) {
    const detail = "This person has let the assistant read, but not write.";
    throw signInNeeded(config, request, { status: 403, error: "insufficient_scope", detail });
  }
}

/** The tools in a message, or in a list of messages, that only a person who has signed in can use. */
function toolsUsed(body: unknown): string[] {
  return [body].flat().flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
    const name = method === "tools/call" ? params?.name : undefined;
    return typeof name === "string" && ownTools.has(name) ? [name] : [];
  });
}
