import type { FastifyRequest } from "fastify";
import { type FileTaking, typesOfBodies } from "../request/body.ts";
import type { AddressSettings } from "../text/addresses.ts";
import type { ApiError } from "../../errors.ts";
import { fieldMetadata } from "../fields/field-metadata.ts";
import type { FieldTable } from "../fields/fields.ts";
import type { Site } from "./page-shell.ts";
import type { Query } from "../request/query.ts";
import { type Representation, checkVersion, chooseRepresentation } from "../request/negotiation.ts";
import { type Viewer, mayWrite } from "../request/viewer.ts";

declare module "fastify" {
  interface FastifyRequest {
    viewer: Viewer;
    representation: Representation;
    /** False if this viewer may not use the form of a page that has nothing to read. */
    isInvited: boolean;
  }
  interface FastifyInstance {
    site: Site;
    addressSettings: AddressSettings;
    /** The names of the views that can be read, by path. */
    viewNames: Map<string, string>;
  }
  interface FastifyContextConfig {
    view?: View;
    /** The `Allow` header: the methods of the path, for any viewer. */
    allow?: string;
    /** Whether the route requires a signed-in user: for the published schema. */
    needsSignIn?: boolean;
    /** Not everyone learns that the address exists. */
    isHidden?: boolean;
    /** The `Vary` header is always `Accept`, as the contract with clients requires. */
    hasFixedVary?: boolean;
    /** Every viewer counts as anonymous. */
    ignoresCredentials?: boolean;
    /** The route works without the database, and responds even when the database is unavailable. */
    needsNoDatabase?: boolean;
    /** Its POST only reads, or asks other routes to change something, which check that it may. */
    changesNothingItself?: boolean;
    /** The query string may be as long as a search query. */
    takesLongQuery?: boolean;
    /** Connected assistants may send their tokens here. */
    takesAssistants?: boolean;
    /** How the route stores the file that a form may contain. */
    takesFile?: FileTaking;
  }
}

/** Describes a path of the API in its metadata and on its browsable page. */
export interface View {
  /** As in DocumentCloud: "Document List". */
  name: string;
  description: string;
  /** The error of a request for an unknown `format`; by default 404. */
  unknownFormat?: () => ApiError;
  /** The content types that it accepts; by default JSON and forms. */
  parses?: readonly string[];
  /** The fields of the body, by method. */
  fields?: Partial<Record<"POST" | "PUT" | "PATCH", FieldTable>>;
  /** POST takes a list: the form sends a list with the single item that its fields describe. */
  takesList?: true;
  /**
   * The page to link to after a POST, relative to this address, if this address cannot be read or the response is shown
   * only once.
   */
  leadsTo?: string;
  /** The initial values of the forms for changing the object; by default the members of its JSON that have a field. */
  shownInForms?: (shown: unknown) => Record<string, unknown>;
  /** The filters and orderings that the page offers. */
  controls?: ViewControls;
}

/** The filter form of a list's page. */
export interface ViewControls {
  filters: readonly { name: string; label: string; help: string; choices?: readonly string[] }[];
  orderings: readonly { value: string; label: string }[];
}

/** The views above an address that can be read, from the root of the API on; their paths are relative to it. */
export function viewsAbove({ server, routeOptions }: FastifyRequest): { name: string; path: string }[] {
  const parts = (routeOptions.url ?? "").split("/").slice(2, -2);
  const paths = ["/api/", ...parts.map((_, index) => `/api/${parts.slice(0, index + 1).join("/")}/`)];
  return paths.flatMap((path) => {
    const name = server.viewNames.get(path);
    return name === undefined || path.includes(":") || path === routeOptions.url
      ? []
      : [{ name, path: path.slice("/api/".length) }];
  });
}

/** The parsed query string: {@link Query} replaces Fastify's own parser. */
export function queryOf(request: FastifyRequest): Query {
  return request.query as Query;
}

/** Chooses the representation of the response. @throws {ApiError} for an unknown format or version. */
export function negotiate(request: FastifyRequest): void {
  const { accept } = request.headers;
  // Set before negotiation can throw: a browser that asks for an unknown format gets its 404 as a page.
  if (accept?.includes("text/html")) request.representation = "page";
  const query = queryOf(request);
  request.representation = chooseRepresentation(
    query.last("format"),
    accept,
    request.routeOptions.config.view?.unknownFormat,
  );
  checkVersion(query.last("version"));
}

/**
 * The response to OPTIONS, as in Django REST framework. Viewers who may write also see the fields. A collection that
 * also takes PUT lists actions for both methods; DocumentCloud fails there.
 */
export function metadata(view: View, viewer: Viewer): Record<string, unknown> {
  const maySeeFields = mayWrite(viewer);
  const actions = (["POST", "PUT"] as const).flatMap((method) => {
    const table = view.fields?.[method];
    return maySeeFields && table !== undefined ? [[method, fieldMetadata(table)] as const] : [];
  });
  return {
    name: view.name,
    description: view.description,
    renders: ["application/json", "text/html"],
    parses: typesOfBodies(view),
    ...(actions.length > 0 && { actions: Object.fromEntries(actions) }),
  };
}
