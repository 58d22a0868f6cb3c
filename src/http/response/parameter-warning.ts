import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type View, queryOf } from "../browsable/view.ts";

/*
 * Names the parameters of a query that had no effect, in a header `Warning` (RFC 7234). The answer is the same as
 * without them, as at DocumentCloud.
 */

/** What every address that can be read takes. */
const everywhere = [
  "format",
  "indent",
  "version",
  "expand",
  "fields",
  "omit",
  "cursor",
  "page",
  "per_page",
  "ordering",
];

/** The answers of the list stay as they are, byte for byte; in a search, any name may be a field. */
const unwarned = new Set(["/api/documents/", "/api/documents/search/", "/api/documents/:id/search/"]);

/** How many parameters a warning names. */
const maxNamed = 10;

/** Adds the header to the answers of all addresses that can be read. Call it before the routes are registered. */
export function warnOfParameters(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    const { hide, querystring } = (route.schema ?? {}) as {
      hide?: boolean;
      querystring?: { properties?: object };
    };
    const view = route.config?.view;
    const isRead = [route.method].flat().includes("GET");
    if (view === undefined || hide === true || !isRead || unwarned.has(route.url)) return;
    const known = knownParameters(view, querystring ?? {});
    const warn = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      if (request.url.includes("?")) addWarning(request, reply, known);
      done();
    };
    route.preHandler = [warn, ...[route.preHandler ?? []].flat()];
  });
}

interface KnownParameters {
  names: ReadonlySet<string>;
  /** Null if the address has no orderings. */
  orderings: ReadonlySet<string> | null;
}

/** The names that are published, and those of the filters and orderings. */
function knownParameters({ controls }: View, { properties = {} }: { properties?: object }): KnownParameters {
  const { filters = [], orderings = [] } = controls ?? {};
  return {
    names: new Set([...everywhere, ...Object.keys(properties), ...filters.map(({ name }) => name)]),
    orderings: orderings.length === 0 ? null : new Set(orderings.map(({ value }) => value)),
  };
}

function addWarning(
  request: FastifyRequest,
  reply: FastifyReply,
  { names, orderings }: KnownParameters,
): void {
  const query = queryOf(request);
  const unknown = Array.from(query.entries(), ([name]) =>
    name.endsWith("[]") ? name.slice(0, -2) : name,
  ).filter((name) => !names.has(name) || (name === "ordering" && orderings === null));
  const perPage = query.last("per_page");
  const ordering = query.last("ordering");
  const warnings = [
    ...(unknown.length > 0
      ? [`Unknown parameters: ${unknown.slice(0, maxNamed).map(plain).join(", ")}`]
      : []),
    ...(perPage !== undefined && !/^\s*\+?\d+\s*$/.test(perPage) ? ["per_page is not a number"] : []),
    ...(ordering !== undefined && ordering !== "" && orderings?.has(ordering) === false
      ? [`Unknown ordering: ${plain(ordering)}`]
      : []),
  ];
  if (warnings.length > 0) reply.header("warning", `299 - "${warnings.join("; ")}"`);
}

/** A header has no room for other characters. */
const plain = (text: string): string => text.slice(0, 50).replaceAll(/[^\w.,:~+-]/g, "?");
