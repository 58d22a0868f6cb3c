import { describe, expect, it } from "vitest";
import { routes } from "../src/routes.ts";
import type { AppRoute } from "../src/testing/app-routes.ts";
import { everyRoute, useApp } from "../src/testing/test-app.ts";
import { everyRow, operationsWithoutRights } from "./rights/every-route.ts";

const isStatic = (path: string): boolean => path.startsWith("/static/");

/** The addresses for programs that the schema leaves out, each with the reason. */
const unpublishedAddresses: Readonly<Record<string, string>> = {
  "/api/oembed": "another name of /api/oembed/",
  "/api/oembed.json": "another name of /api/oembed/",
  "/api/schema/docs": "another name of /api/schema/docs/",
  "/api/schema/docs/": "a page",
};

const isForPrograms = (operation: string): boolean => /^\w+ \/(?:api|files|iiif|uploads)\//.test(operation);

describe("the table of routes", () => {
  const app = useApp("sqlite", everyRoute);

  it("names the addresses of the router, and no others", () => {
    const named = new Set(routes.flatMap(([addresses]) => addresses));
    const registered = new Set(app.routes.map(({ path }) => path));
    // Static files carry a digest in their names.
    const unnamed = [...registered].filter((path) => !named.has(path) && !named.has(`${path}/`));
    expect(unnamed.filter((path) => !isStatic(path))).toEqual([]);
    expect([...named].filter((path) => !registered.has(path) && !isStatic(path))).toEqual([]);
  });

  it("has a matrix of rights for each operation: see tests/rights/", async () => {
    const operations = operationsOf(app.routes);
    const published = await publishedOperations();
    const known = new Set([
      ...everyRow.map(({ method, path }) => `${method} ${path}`),
      ...Object.keys(operationsWithoutRights),
    ]);
    expect([...operations, ...published].filter((operation) => !known.has(operation))).toEqual([]);
    expect([...known].filter((operation) => !operations.includes(operation))).toEqual([]);
  });

  it("is published, but for pages: see /api/schema/", async () => {
    const published = new Set(await publishedOperations());
    const missing = operationsOf(app.routes).filter(
      (operation) => isForPrograms(operation) && !published.has(operation),
    );
    const addresses = new Set(missing.map((operation) => operation.split(" ")[1] ?? ""));
    expect([...addresses].toSorted()).toEqual(Object.keys(unpublishedAddresses));
  });

  async function publishedOperations(): Promise<string[]> {
    const answer = await app.fetch("/api/schema/");
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map(
        (method) => `${method.toUpperCase()} ${path.replace("{path}", "*").replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
  }
});

/** HEAD and OPTIONS are ways to ask of every row. No client sends TRACE and QUERY, which `all` registers too. */
function operationsOf(all: readonly AppRoute[]): string[] {
  const readable = new Set(
    all.flatMap(({ kind, method, path }) => (method === "GET" && kind === "operation" ? [path] : [])),
  );
  const unasked = new Set(["OPTIONS", "TRACE", "QUERY"]);
  return all.flatMap(({ kind, method, path }) => {
    const isWay = unasked.has(method) || (method === "HEAD" && readable.has(path));
    return kind === "operation" && !isWay ? [`${method} ${path}`] : [];
  });
}
