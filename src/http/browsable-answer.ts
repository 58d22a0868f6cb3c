import { STATUS_CODES } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { renderBrowsablePage } from "./browsable-page.ts";
import type { ListControls } from "./filter-form.ts";
import type { Links } from "./pagination.ts";
import type { Query } from "./query.ts";
import { type View, type ViewControls, metadata, queryOf } from "./view.ts";

/** What a program's answer would have said of itself, in the order in which it is shown. */
const shownHeaders = ["Allow", "Cache-Control", "Content-Type", "Vary"];

/** The page of a view around an answer that is about to be sent. */
export function browsableAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  view: View,
  body: string,
  links: Partial<Links>,
): string {
  const query = queryOf(request);
  const { site } = request.server;
  return renderBrowsablePage({
    site,
    name: view.name,
    description: view.description,
    breadcrumbs: view.above.map(({ name, path }) => ({ label: name, href: `${site.api}${path}` })),
    // HEAD speaks of the bytes that GET would give.
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
    options: JSON.stringify(metadata(view)),
    previous: links.previous ?? null,
    next: links.next ?? null,
    controls: view.controls === undefined ? null : controlsOf(view.controls, query),
  });
}

function controlsOf({ filters, orderings }: ViewControls, query: Query): ListControls {
  const own = new Set(["cursor", "ordering", ...filters.flatMap(({ name }) => [name, `${name}[]`])]);
  return {
    filters: filters.map((filter) => ({ ...filter, value: query.list(filter.name).join(",") })),
    orderings,
    ordering: query.last("ordering") ?? "",
    kept: [...query.entries()].flatMap(([name, values]) =>
      own.has(name) ? [] : values.map((value) => [name, value] as const),
    ),
  };
}
