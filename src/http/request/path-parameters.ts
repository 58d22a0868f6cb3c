import type { FastifyRequest } from "fastify";
import { notFound } from "../../errors.ts";

/** The id that a path names; 404 for what nothing can have as its id. */
export function idIn(request: FastifyRequest, name: string): number {
  const id = (request.params as Record<string, string>)[name] ?? "";
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}
