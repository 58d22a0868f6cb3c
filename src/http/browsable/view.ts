import type { FastifyRequest } from "fastify";
import type { FileTaking } from "../request/body.ts";
import { fieldMetadata } from "../fields/field-metadata.ts";
import type { FieldTable } from "../fields/fields.ts";
import type { Site } from "./page-shell.ts";
import type { Query } from "../request/query.ts";
import type { Representation } from "../request/negotiation.ts";
import { type Viewer, mayWrite } from "../request/viewer.ts";

declare module "fastify" {
  interface FastifyRequest {
    viewer: Viewer;
    representation: Representation;
    /** False where this viewer could do nothing with the form of a page that there is nothing to read on. */
    isInvited: boolean;
  }
  interface FastifyInstance {
    site: Site;
  }
  interface FastifyContextConfig {
    view?: View;
    /** The `Allow` header: what the path answers to, whoever asks. */
    allow?: string;
    /** Whether this is only for those who have signed in: for the published schema. */
    needsSignIn?: boolean;
    /** Its `Vary` is `Accept` alone, as its contract fixes it. */
    hasFixedVary?: boolean;
    /** Whoever asks is anonymous there. */
    ignoresCredentials?: boolean;
    /** Its answer is made without the database, and comes although that is away. */
    needsNoDatabase?: boolean;
    /** What is asked for may be as long as a search may be. */
    takesLongQuery?: boolean;
    /** A form may bring a file. */
    takesFile?: FileTaking;
  }
}

/** A path of the API as its metadata and its browsable page describe it. */
export interface View {
  /** As in that API: "Document List". */
  name: string;
  description: string;
  /** The views above it, from the root of the API on. */
  above: readonly { name: string; /** Below the root of the API. */ path: string }[];
  /** The types of bodies that it reads. */
  parses: readonly string[];
  /** What may be sent with each method that takes a body. */
  fields?: Partial<Record<"POST" | "PUT" | "PATCH", FieldTable>>;
  /** A POST takes a list: the form sends a list with the one item that its fields describe. */
  takesList?: true;
  /** What its page links to after a POST, relative to this address, where there is nothing to read here. */
  leadsTo?: string;
  /** What of its JSON the forms for changing it begin with; not given: the members of it that have a field. */
  shownInForms?: (shown: unknown) => Record<string, unknown>;
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

/**
 * The metadata that clients of that API expect from OPTIONS. Whoever may write is told of the fields, too. A collection
 * that also takes PUT has actions for both; that API fails there.
 */
export function metadata(view: View, viewer: Viewer): Record<string, unknown> {
  const isTold = mayWrite(viewer);
  const actions = (["POST", "PUT"] as const).flatMap((method) => {
    const table = view.fields?.[method];
    return isTold && table !== undefined ? [[method, fieldMetadata(table)] as const] : [];
  });
  return {
    name: view.name,
    description: view.description,
    renders: ["application/json", "text/html"],
    parses: view.parses,
    ...(actions.length > 0 && { actions: Object.fromEntries(actions) }),
  };
}
