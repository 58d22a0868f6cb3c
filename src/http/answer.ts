import type { FastifyReply, FastifyRequest } from "fastify";
import { type Content, content, send } from "./response/representation.ts";
import { addressesOf } from "./text/addresses.ts";

/**
 * An object that a request has created, as the response shows it. `name` is the last part of its address, after the
 * address of its collection.
 */
export class Created {
  readonly name: string | number;
  readonly shown: Content;

  constructor(name: string | number, shown: Content) {
    this.name = name;
    this.shown = shown;
  }
}

/** Sends what a handler has: content, an object that it created, or a value that becomes JSON. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: unknown): FastifyReply {
  if (!(answer instanceof Created)) return send(request, reply, isContent(answer) ? answer : content(answer));
  reply.header("location", `${ownAddress(request)}${answer.name}/`);
  return send(request, reply, answer.shown);
}

/** JSON contains no buffer, so a value from a client is never taken for content. */
function isContent(answer: unknown): answer is Content {
  return typeof answer === "object" && answer !== null && "body" in answer && Buffer.isBuffer(answer.body);
}

/** The absolute address that a request names, without its query. An id has no leading zeros there. */
export function ownAddress(request: FastifyRequest): string {
  const { api } = addressesOf(request.server.addressSettings, request);
  const { params, routeOptions } = request;
  const path = (routeOptions.url ?? "").replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = (params as Record<string, string>)[name] ?? "";
    return /^\d{1,15}$/.test(value) ? String(Number(value)) : value;
  });
  return `${api}${path}`;
}
