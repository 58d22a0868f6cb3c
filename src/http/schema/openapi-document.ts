import { STATUS_CODES } from "node:http";
import { jsonBody } from "../request/body.ts";
import { exampleBody } from "../fields/field-metadata.ts";
import { type JsonSchema, listSchema, namedBy, tableSchema } from "./field-schema.ts";
import type { View } from "../browsable/view.ts";

/** A route as it was registered: its schemas are JSON Schema. */
export interface DocumentedRoute {
  method: string;
  /** As the router has it: `/api/documents/:id/`. */
  path: string;
  schema: RouteSchemas;
  view: View | undefined;
  /** What the path answers to. */
  allow: string;
  /** Whether someone has to have signed in. */
  needsSignIn: boolean;
}

export interface RouteSchemas {
  summary?: string;
  params?: unknown;
  querystring?: unknown;
  headers?: unknown;
  body?: unknown;
  response?: unknown;
}

export interface ObjectSchema {
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string }[];
  paths: Record<string, PathItem>;
  components: Record<string, Record<string, unknown>>;
}

/** By method, in lower case. */
export type PathItem = Record<string, ApiOperation>;

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  parameters: readonly Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema: unknown }> }>;
  security: readonly Record<string, readonly string[]>[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  example?: string | number;
  schema: JsonSchema;
}

const description =
  "Whatever a person sees in the pages, a program gets from the same addresses. Every answer is JSON, or with " +
  "`format=api` the page that shows it.";

/** The OpenAPI 3.1 document of these routes, for a service whose API is at `api`. */
export function openApiDocument(routes: readonly DocumentedRoute[], api: string): OpenApiDocument {
  const paths: Record<string, PathItem> = {};
  const schemas: Record<string, unknown> = {};
  for (const route of routes) {
    const item = (paths[templateOf(route.path)] ??= {});
    item[route.method.toLowerCase()] = operation(route, schemas);
  }
  const tags = new Set(routes.map(tagOf));
  return {
    openapi: "3.1.0",
    info: { title: "Quire", version: "1", description },
    servers: [{ url: api }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      responses: {
        Refusal: {
          description: "Why not: `detail`, or messages by field",
          content: { [jsonBody]: { schema: {} } },
        },
      },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "An access token, or a personal API token",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "sessionid",
          description: "Of someone who has signed in at /sign-in/. Changes carry X-CSRFToken besides.",
        },
      },
    },
  };
}

const verbs: Readonly<Record<string, string>> = {
  GET: "Read",
  POST: "Add or send",
  PUT: "Replace",
  PATCH: "Change",
  DELETE: "Delete",
};

function operation(route: DocumentedRoute, schemas: Record<string, unknown>): ApiOperation {
  const { method, path, schema, view, needsSignIn } = route;
  const operationId = operationIdOf(method, path);
  const body = requestBody(route, operationId, schemas);
  const credentials = [{ bearer: [] }, { session: [] }];
  return {
    operationId,
    summary: schema.summary ?? `${verbs[method] ?? method} · ${view?.name ?? path}`,
    ...(view !== undefined && { description: view.description }),
    tags: [tagOf(route)],
    parameters: [
      ...pathParameters(path, schema.params),
      ...parametersIn("query", schema.querystring),
      ...parametersIn("header", schema.headers),
    ],
    ...(body !== null && { requestBody: body }),
    responses: responses(route),
    security: needsSignIn ? credentials : [{}, ...credentials],
  };
}

/** `/api/documents/:id/` is `/api/documents/{id}/`. */
function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)(?:\([^)]*\))?/g, "{$1}").replace("*", "{path}");
}

const namesIn = (path: string): string[] =>
  Array.from(templateOf(path).matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);

/** `GET /api/documents/:id/data/` is `getDocumentsByIdData`: as different as the addresses are. */
function operationIdOf(method: string, path: string): string {
  const words = templateOf(path)
    .replace(/^\/api\//, "/")
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => segment.replace(/^\{(.*)\}$/, "by_$1"));
  const name = (words.length === 0 ? ["root"] : words)
    .flatMap((segment) => segment.split(/[^A-Za-z0-9]+/))
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${method.toLowerCase()}${name.join("")}`;
}

function tagOf({ path }: DocumentedRoute): string {
  const [first = "", second = ""] = path.split("/").filter((segment) => segment !== "");
  if (first !== "api") return first === "files" ? "files" : "service";
  return second === "" ? "root" : second;
}

function pathParameters(path: string, schema: unknown): Parameter[] {
  const { properties = {} } = plain(schema) as ObjectSchema;
  return namesIn(path).map((name) => {
    const property = properties[name] ??
      (name === "path" ? properties["*"] : undefined) ?? {
        type: "string",
      };
    return parameter(name, "path", true, property);
  });
}

function parametersIn(place: "query" | "header", schema: unknown): Parameter[] {
  const { properties = {}, required = [] } = plain(schema) as ObjectSchema;
  return Object.entries(properties).map(([name, property]) =>
    parameter(name, place, required.includes(name), property),
  );
}

function parameter(name: string, place: Parameter["in"], required: boolean, property: JsonSchema): Parameter {
  const { description: text, examples, ...schema } = property;
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
  return {
    name,
    in: place,
    required,
    ...(typeof text === "string" && { description: text }),
    ...((typeof example === "string" || typeof example === "number") && { example }),
    schema,
  };
}

type RequestBody = NonNullable<ApiOperation["requestBody"]>;

/** What the route says of its body, or what its fields say. */
function requestBody(
  { method, schema, view, allow }: DocumentedRoute,
  operationId: string,
  schemas: Record<string, unknown>,
): RequestBody | null {
  if (schema.body !== undefined) {
    const { examples, ...body } = plain(schema.body) as JsonSchema;
    const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
    return { required: true, content: { [jsonBody]: { schema: body, example } } };
  }
  const table = view?.fields?.[method as "POST" | "PUT" | "PATCH"];
  if (view === undefined || table === undefined) return null;
  const name = `${operationId}Body`;
  const reference = { $ref: `#/components/schemas/${name}` };
  if (method !== "POST" && allow.includes("POST")) {
    schemas[name] = listSchema(table);
    return {
      required: true,
      content: {
        [jsonBody]: { schema: reference, example: [{ ...namedBy(table, 1), ...exampleBody(table) }] },
      },
    };
  }
  schemas[name] = tableSchema(table, method === "PATCH");
  const content = view.parses.map((type) => [type, { schema: reference, example: exampleBody(table) }]);
  return {
    required: true,
    content: Object.fromEntries(content) as RequestBody["content"],
  };
}

function responses({ method, schema, view }: DocumentedRoute): ApiOperation["responses"] {
  const given = Object.entries(plain(schema.response) as Record<string, JsonSchema>);
  const told = given.map(([status, answer]) => [status, response(method, status, answer, view)]);
  const isDone = given.some(([status]) => status.startsWith("2"));
  return Object.fromEntries([
    ...(isDone ? [] : [["2XX", { description: "It is done" }]]),
    ...told,
    ...(view === undefined ? [] : [["default", { $ref: "#/components/responses/Refusal" }]]),
  ]) as ApiOperation["responses"];
}

function response(method: string, status: string, schema: JsonSchema, view: View | undefined): object {
  const { description: text } = schema;
  const isEmpty = schema["type"] === "null" || status === "204" || status.startsWith("3");
  const isPage = method === "GET" && status === "200" && view !== undefined;
  return {
    description: typeof text === "string" ? text : (STATUS_CODES[status] ?? "An answer"),
    ...(!isEmpty && {
      content: { [jsonBody]: { schema }, ...(isPage && { "text/html": { schema: { type: "string" } } }) },
    }),
  };
}

/** A schema as the JSON that it stands for, without what its library keeps in it. */
function plain(schema: unknown): object {
  return schema === undefined ? {} : (JSON.parse(JSON.stringify(schema)) as object);
}
