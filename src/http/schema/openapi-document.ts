import { STATUS_CODES } from "../text/node-http.ts";
import { jsonBody } from "../request/body.ts";
import type { JsonSchema } from "../fields/json-schema.ts";
import { AnyError } from "../fields/schema-shapes.ts";
import { type Components, plain } from "./components.ts";
import type {
  ApiOperation,
  ApiResponse,
  DocumentedRoute,
  ObjectSchema,
  OpenApiDocument,
  Parameter,
  PathItem,
} from "./openapi-types.ts";
import { requestBody } from "./request-body.ts";

const description =
  "Programs get what people see in the pages, from the same addresses. An answer is JSON unless its operation names " +
  "another content type. A browser, or `format=api`, gets the page that shows the JSON, which this " +
  "document leaves out.";

/** The OpenAPI 3.1 document of these routes, for a service whose API is at `api`. */
export function openApiDocument(routes: readonly DocumentedRoute[], api: string): OpenApiDocument {
  const paths: Record<string, PathItem> = {};
  const schemas: Components = new Map();
  const refusal = plain(AnyError, schemas);
  // A path that can be read answers HEAD by itself. Where HEAD stands alone, it is an operation of its own.
  const readable = new Set(routes.flatMap(({ method, path }) => (method === "GET" ? [path] : [])));
  for (const route of routes) {
    if (route.method === "HEAD" && readable.has(route.path)) continue;
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
  HEAD: "Ask about",
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
  location: "query" | "header",
  { properties = {}, required = [] }: ObjectSchema,
): Parameter[] {
  return Object.entries(properties).map(([name, property]) =>
    parameter(name, location, required.includes(name), property),
  );
}

function parameter(
  name: string,
  location: Parameter["in"],
  required: boolean,
  property: JsonSchema,
): Parameter {
  const { description: text, examples, ...schema } = property;
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
  return {
    name,
    in: location,
    required,
    ...(typeof text === "string" && { description: text }),
    ...((typeof example === "string" || typeof example === "number") && { example }),
    schema,
  };
}

function responses({ schema }: DocumentedRoute, schemas: Components): ApiOperation["responses"] {
  const given = Object.entries((schema.response ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries([
    ...(given.length > 0 ? [] : [["2XX", { description: "Success" }]]),
    ...given.map(([status, answer]) => [status, response(status, answer, schemas)]),
    ["default", { $ref: "#/components/responses/Refusal" }],
  ]) as ApiOperation["responses"];
}

/** The page is another representation of a JSON response, with its own media type, which this document leaves out. */
function response(
  status: string,
  { mediaTypes = [jsonBody], contents, headers, ...schema }: ResponseSchema,
  schemas: Components,
): ApiResponse {
  const { description: text, $id } = schema;
  const isEmpty = schema["type"] === "null" || status === "204" || status.startsWith("3");
  const shapes = contents ?? Object.fromEntries(mediaTypes.map((type) => [type, schema]));
  return {
    description: typeof text === "string" && $id === undefined ? text : (STATUS_CODES[status] ?? "An answer"),
    ...(headers !== undefined && { headers: headersOf(plain(headers, schemas)) }),
    ...(!isEmpty && {
      content: Object.fromEntries(
        Object.entries(shapes).map(([type, shape]) => [type, { schema: plain(shape, schemas) }]),
      ),
    }),
  };
}

type ResponseSchema = JsonSchema & {
  mediaTypes?: readonly string[];
  contents?: Readonly<Record<string, JsonSchema>>;
  headers?: JsonSchema;
};

function headersOf({ properties = {}, required = [] }: ObjectSchema): NonNullable<ApiResponse["headers"]> {
  const headers = Object.entries(properties).map(([name, { description: text, ...schema }]) => [
    name,
    {
      ...(typeof text === "string" && { description: text }),
      ...(required.includes(name) && { required: true }),
      schema,
    },
  ]);
  return Object.fromEntries(headers) as NonNullable<ApiResponse["headers"]>;
}
