import type { FastifyRequest } from "fastify";
import { notFound } from "../../errors.ts";

/** The id in a path parameter; 404 for a text that cannot be an id. */
export function idIn(request: FastifyRequest, name: string): number {
  const id = (request.params as Record<string, string>)[name] ?? "";
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}
