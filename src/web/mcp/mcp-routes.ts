import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { permissionDenied } from "../../errors.ts";
import { bodyOf, jsonBody, valueOf } from "../../http/request/body.ts";
import { unpublished } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { isFromElsewhere } from "../account/form-pages.ts";
import { asking } from "./ask-api.ts";
import { mcpServer } from "./mcp-server.ts";

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
    { schema: unpublished(), bodyLimit, config: { view, changesNothingItself: true } },
    async (request, reply) => {
      const { viewer, headers } = request;
      const isAllowed = (config.allowedOrigins ?? []).includes(headers.origin ?? "");
      if (isFromElsewhere(config, request) && !isAllowed) throw permissionDenied();
      const hasToken = headers.authorization !== undefined && viewer.kind === "user";
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
        mayWrite: hasToken && viewer.mayWrite,
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
