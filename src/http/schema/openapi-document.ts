import { STATUS_CODES } from "../text/node-http.ts";
import { jsonBody, multipartBody } from "../request/body.ts";
import { exampleBody, withoutFile } from "../fields/field-metadata.ts";
import { bulkLimit } from "../fields/fields.ts";
import { listSchema, namedBy, tableSchema } from "../fields/field-schema.ts";
import type { JsonSchema } from "../fields/json-schema.ts";
import { AnyError } from "../fields/schema-shapes.ts";
import type { View } from "../browsable/view.ts";

/** A route as it was registered: its schemas are JSON Schema. */
export interface DocumentedRoute {
  method: string;
  /** As in the router: `/api/documents/:id/`. */
  path: string;
  schema: RouteSchemas;
  view: View | undefined;
  /** The methods that the path accepts. */
  allow: string;
  /** Whether the route requires a signed-in user. */
  needsSignIn: boolean;
  /** Whether a form may contain a file, in its part `file`. */
  takesFile?: boolean;
}

export interface RouteSchemas {
  summary?: string;
  /** By default the description of the path's view. */
  description?: string;
  /** Whether POST also takes a list of objects. */
  takesList?: boolean;
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
  "Programs get what people see in the pages, from the same addresses. Every answer is JSON. A browser, or " +
  "`format=api`, gets the page that shows it, which this document leaves out.";

/** The OpenAPI 3.1 document of these routes, for a service whose API is at `api`. */
export function openApiDocument(routes: readonly DocumentedRoute[], api: string): OpenApiDocument {
  const paths: Record<string, PathItem> = {};
  const schemas: Components = new Map();
  const refusal = plain(AnyError, schemas);
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
      schemas: Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1))),
      responses: {
        Refusal: {
          description: "The reason: `detail`, or messages by field",
          content: { [jsonBody]: { schema: refusal } },
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
          description: "The session of a user who signed in at /sign-in/. Changes also need X-CSRFToken.",
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

function operation(route: DocumentedRoute, schemas: Components): ApiOperation {
  const { method, path, schema, view, needsSignIn } = route;
  const operationId = operationIdOf(method, path);
  const body = requestBody(route, operationId, schemas);
  const about = schema.description ?? view?.description;
  const credentials = [{ bearer: [] }, { session: [] }];
  return {
    operationId,
    summary: schema.summary ?? `${verbs[method] ?? method} · ${view?.name ?? path}`,
    ...(about !== undefined && { description: about }),
    tags: [tagOf(route)],
    parameters: [
      ...pathParameters(path, plain(schema.params, schemas)),
      ...parametersIn("query", plain(schema.querystring, schemas)),
      ...parametersIn("header", plain(schema.headers, schemas)),
    ],
    ...(body !== null && { requestBody: body }),
    responses: responses(route, schemas),
    security: needsSignIn ? credentials : [{}, ...credentials],
  };
}

/** Converts `/api/documents/:id/` to `/api/documents/{id}/`. */
function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)(?:\([^)]*\))?/g, "{$1}").replace("*", "{path}");
}

const namesIn = (path: string): string[] =>
  Array.from(templateOf(path).matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);

/** Converts `GET /api/documents/:id/data/` to `getDocumentsByIdData`. Different addresses have different ids. */
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

function pathParameters(path: string, { properties = {} }: ObjectSchema): Parameter[] {
  return namesIn(path).map((name) => {
    const property = properties[name] ??
      (name === "path" ? properties["*"] : undefined) ?? {
        type: "string",
      };
    return parameter(name, "path", true, property);
  });
}

function parametersIn(
  place: "query" | "header",
  { properties = {}, required = [] }: ObjectSchema,
): Parameter[] {
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

/** The body as the route describes it, or else as its fields do. */
function requestBody(
  { method, schema, view, allow, takesFile = false }: DocumentedRoute,
  operationId: string,
  schemas: Components,
): RequestBody | null {
  if (schema.body !== undefined) {
    const { examples, ...body } = plain(schema.body, schemas);
    const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
    return { required: true, content: { [jsonBody]: { schema: body, example } } };
  }
  const table = view?.fields?.[method as "POST" | "PUT" | "PATCH"];
  if (view === undefined || table === undefined) return null;
  const add = (name: string, added: JsonSchema) => plain({ ...added, $id: name }, schemas);
  if (method !== "POST" && allow.includes("POST")) {
    const reference = add(`${operationId}Body`, listSchema(table));
    return {
      required: true,
      content: {
        [jsonBody]: { schema: reference, example: [{ ...namedBy(table, 1), ...exampleBody(table) }] },
      },
    };
  }
  const jsonTable = withoutFile(table);
  const whole = tableSchema(jsonTable, method === "PATCH");
  const one = add(`${operationId}Body`, whole);
  const list = { type: "array", items: one, maxItems: bulkLimit };
  const contentOf = (type: string): JsonSchema => {
    if (type === multipartBody && "file" in table)
      return add(`${operationId}Form`, tableSchema(table, method === "PATCH"));
    if (type === multipartBody && takesFile)
      return { oneOf: [add(`${operationId}Form`, withFile(whole)), one] };
    return type === jsonBody && schema.takesList === true ? { oneOf: [one, list] } : one;
  };
  const content = view.parses.map((type) => {
    const sent = type === multipartBody ? table : jsonTable;
    return [type, { schema: contentOf(type), example: exampleBody(sent) }];
  });
  return {
    required: true,
    content: Object.fromEntries(content) as RequestBody["content"],
  };
}

/**
 * The schema of a form with a file. Nothing but the file is required, because its name replaces members that are
 * otherwise required.
 */
function withFile(form: JsonSchema): JsonSchema {
  const file = {
    title: "File",
    type: "string",
    format: "binary",
    description: "The file, with its name, which becomes the title if none is given",
  };
  return { ...form, properties: { ...(form["properties"] as object), file }, required: ["file"] };
}

function responses({ schema, view }: DocumentedRoute, schemas: Components): ApiOperation["responses"] {
  const given = Object.entries((schema.response ?? {}) as Record<string, JsonSchema>);
  const told = given.map(([status, answer]) => [status, response(status, answer, schemas)]);
  const isDone = given.some(([status]) => status.startsWith("2"));
  return Object.fromEntries([
    ...(isDone ? [] : [["2XX", { description: "Success" }]]),
    ...told,
    ...(view === undefined ? [] : [["default", { $ref: "#/components/responses/Refusal" }]]),
  ]) as ApiOperation["responses"];
}

/**
 * Describes the JSON response only. The page is another representation of it, with its own media type, which this
 * document leaves out.
 */
function response(status: string, schema: JsonSchema, schemas: Components): object {
  const { description: text, $id } = schema;
  const isEmpty = schema["type"] === "null" || status === "204" || status.startsWith("3");
  return {
    description: typeof text === "string" && $id === undefined ? text : (STATUS_CODES[status] ?? "An answer"),
    ...(!isEmpty && { content: { [jsonBody]: { schema: plain(schema, schemas) } } }),
  };
}

/** The named schemas, by name. */
type Components = Map<string, unknown>;

/**
 * Converts a schema to plain JSON, without the internal data of its library. Schemas within it that have an `$id` are
 * added to the components and replaced by references.
 */
function plain(schema: unknown, components: Components): JsonSchema {
  return schema === undefined
    ? {}
    : (referring(JSON.parse(JSON.stringify(schema)), components) as JsonSchema);
}

function referring(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => referring(item, components));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, referring(inner, components)]);
  const { $id: name, ...schema } = Object.fromEntries(members) as JsonSchema;
  if (typeof name !== "string") return schema;
  const known = components.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`Two schemas have the name ${name}`);
  }
  components.set(name, schema);
  return { $ref: `#/components/schemas/${name}` };
}
