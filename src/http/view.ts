import type { FastifyRequest } from "fastify";
import type { Site } from "./page-shell.ts";
import type { Query } from "./query.ts";
import type { Representation } from "./negotiation.ts";
import type { Viewer } from "./viewer.ts";

declare module "fastify" {
  interface FastifyRequest {
    viewer: Viewer;
    representation: Representation;
  }
  interface FastifyInstance {
    site: Site;
  }
  interface FastifyContextConfig {
    view?: View;
  }
}

/** A path of the API as its metadata and its browsable page describe it. */
export interface View {
  /** As in that API: "Document List". */
  name: string;
  description: string;
  /** The `Allow` header: what the path answers to, whoever asks. */
  allow: string;
  /** The views above it, from the root of the API on. */
  above: readonly { name: string; /** Below the root of the API. */ path: string }[];
  /** What the page offers besides the links in the JSON. */
  controls?: ViewControls;
}

/** The form of a list's page. */
export interface ViewControls {
  filters: readonly { name: string; label: string; help: string; choices?: readonly string[] }[];
  orderings: readonly { value: string; label: string }[];
}

/** What is asked for on an address: read once, by our own rules (see {@link Query}), in place of Fastify's. */
export function queryOf(request: FastifyRequest): Query {
  return request.query as Query;
}

/** The metadata that clients of that API expect from OPTIONS. */
export function metadata(view: View): Record<string, unknown> {
  return {
    name: view.name,
    description: view.description,
    renders: ["application/json", "text/html"],
    parses: ["application/json", "multipart/form-data"],
  };
}
