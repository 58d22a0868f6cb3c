import { STATUS_CODES } from "../text/node-http.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { maxShown, renderBrowsablePage } from "./browsable-page.ts";
import type { ListControls } from "./filter-form.ts";
import { type Offered, csrfTokenOf, offeredForms } from "./offered-forms.ts";
import type { Links } from "../request/pagination.ts";
import type { Query } from "../request/query.ts";
import { type View, type ViewControls, metadata, queryOf, viewsAbove } from "./view.ts";
import { visitedSite } from "./visited-site.ts";

/** The response headers that the page shows, in this order. */
const shownHeaders = ["Allow", "Cache-Control", "Content-Type", "Vary"];

/** JSON that is about to be sent, with its links and the methods that this viewer may use. */
export interface BrowsableContent extends Partial<Links> {
  body: Buffer;
  etag: string;
  offers?: readonly ("POST" | "PUT" | "PATCH" | "DELETE")[];
}

export interface BrowsableAnswer {
  page: string;
  hasForms: boolean;
}

/** Renders the browsable page for a response that is about to be sent. */
export function browsableAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  view: View,
  content: BrowsableContent,
): BrowsableAnswer {
  const query = queryOf(request);
  const site = { ...visitedSite(request), language: "en" as const };
  const body = content.body.toString();
  const { forms, deletes } = formsOf(request, view, {
    status: reply.statusCode,
    body,
    etag: content.etag,
    allow: request.routeOptions.config.allow ?? "",
    offers: content.offers ?? [],
  });
  const page = renderBrowsablePage({
    site,
    name: view.name,
    description: view.description,
    breadcrumbs: viewsAbove(request).map(({ name, path }) => ({ label: name, href: `${site.api}${path}` })),
    // A response to HEAD describes the bytes that GET would return.
    method: request.method === "HEAD" ? "GET" : request.method,
    target: request.url,
    status: reply.statusCode,
    reason: STATUS_CODES[reply.statusCode] ?? "",
    headers: shownHeaders.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [[name, String(value)] as const];
    }),
    body,
    formats: ["json", "api"].map((name) => ({ name, href: query.with("format", name).toString() })),
    options: JSON.stringify(metadata(view, request.viewer)),
    previous: content.previous ?? null,
    next: content.next ?? null,
    controls: view.controls === undefined ? null : controlsOf(view.controls, query),
    forms,
    deletes: deletes === null ? null : { name: deletes, csrfToken: csrfTokenOf(request) },
    made: reply.statusCode === 201 && body.length <= maxShown ? addressOfCreated(body) : null,
  });
  return { page, hasForms: forms !== null || deletes !== null };
}

/** The forms show what there is, and a response that is only shown in part has none. */
function formsOf(...[request, view, answer]: Parameters<typeof offeredForms>): Offered {
  return answer.body.length > maxShown ? { forms: null, deletes: null } : offeredForms(request, view, answer);
}

/** The address of the created object, relative to its collection. */
function addressOfCreated(body: string): string | null {
  const created = JSON.parse(body) as { id?: unknown } | null;
  return typeof created?.id === "number" ? `${created.id}/?format=api` : null;
}

function controlsOf({ filters, orderings }: ViewControls, query: Query): ListControls {
  const known = new Set(["cursor", "ordering", ...filters.flatMap(({ name }) => [name, `${name}[]`])]);
  return {
    filters: filters.map((filter) => ({ ...filter, value: query.list(filter.name).join(",") })),
    orderings,
    ordering: query.last("ordering") ?? "",
    kept: [...query.entries()].flatMap(([name, values]) =>
      known.has(name) ? [] : values.map((value) => [name, value] as const),
    ),
  };
}
