import type { View } from "../browsable/view.ts";
import type { JsonSchema } from "../fields/json-schema.ts";

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
  /** The body, if no table of fields describes it. */
  body?: unknown;
  /** The content types of `body`: JSON by default. */
  consumes?: readonly string[];
  /** By status. A schema may also name `mediaTypes`, `contents` and `headers`: see schema-shapes.ts. */
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
  responses: Record<string, ApiResponse>;
  security: readonly Record<string, readonly string[]>[];
}

export interface ApiResponse {
  description?: string;
  headers?: Record<string, { description?: string; required?: boolean; schema: JsonSchema }>;
  content?: Record<string, { schema: unknown }>;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  example?: string | number;
  schema: JsonSchema;
}
