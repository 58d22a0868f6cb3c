import type { FastifyRequest } from "fastify";
import { notFound } from "../../errors.ts";

/** The id in a path parameter; 404 for a text that cannot be an id. */
export function idIn(request: FastifyRequest, name: string): number {
  const id = (request.params as Record<string, string>)[name] ?? "";
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}

/** The UUID in a path parameter; 404 for any other text. */
export function uuidIn(request: FastifyRequest, name = "uuid"): string {
  const uuid = ((request.params as Record<string, string>)[name] ?? "").toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) throw notFound();
  return uuid;
}
