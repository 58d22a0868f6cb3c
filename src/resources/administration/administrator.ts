import type { FastifyRequest } from "fastify";
import { notFound } from "../../errors.ts";
import { isAdministrator } from "../../http/resource-route.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";

/**
 * The administrator who sent a request. Throws 404 if the user has ceased to be one since the request began: its body
 * may take long to arrive.
 */
export function administrator({ viewer }: FastifyRequest): SignedInViewer {
  if (!isAdministrator(viewer)) throw notFound();
  return viewer;
}
