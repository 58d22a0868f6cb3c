import { jsonBody, multipartBody, typesOfBodies } from "../request/body.ts";
import { exampleBody, withoutFile } from "../fields/field-metadata.ts";
import { bulkLimit } from "../../contract/limits.ts";
import { listSchema, namedBy, tableSchema } from "../fields/field-schema.ts";
import type { JsonSchema } from "../fields/json-schema.ts";
import { type Components, plain } from "./components.ts";
import type { ApiOperation, DocumentedRoute, RouteSchemas } from "./openapi-types.ts";

type RequestBody = NonNullable<ApiOperation["requestBody"]>;

/** The body as the route describes it, or else as its fields do. */
export function requestBody(
  { method, schema, view, allow, takesFile = false }: DocumentedRoute,
  operationId: string,
  schemas: Components,
): RequestBody | null {
  if (schema.body !== undefined)
    return ownBody(schema, view === undefined ? [jsonBody] : typesOfBodies(view), schemas);
  const table = view?.fields?.[method as "POST" | "PUT" | "PATCH"];
  if (view === undefined || table === undefined) return null;
  const add = (name: string, added: JsonSchema) => plain({ ...added, $id: name }, schemas);
  const isPart = method === "PATCH";
  if (method !== "POST" && allow.includes("POST")) {
    const reference = add(`${operationId}Body`, listSchema(table, isPart));
    return {
      required: true,
      content: {
        [jsonBody]: { schema: reference, example: [{ ...namedBy(table, 1), ...exampleBody(table) }] },
      },
    };
  }
  const jsonTable = withoutFile(table);
  const whole = tableSchema(jsonTable, isPart);
  const one = add(`${operationId}Body`, whole);
  const list = { type: "array", items: one, maxItems: bulkLimit };
  const contentOf = (type: string): JsonSchema => {
    if (type === multipartBody && "file" in table)
      return add(`${operationId}Form`, tableSchema(table, isPart));
    if (type === multipartBody && takesFile)
      return { anyOf: [add(`${operationId}Form`, withFile(whole)), one] };
    return type === jsonBody && schema.takesList === true ? { oneOf: [one, list] } : one;
  };
  const content = typesOfBodies(view).map((type) => {
    const sent = type === multipartBody ? table : jsonTable;
    return [type, { schema: contentOf(type), example: exampleBody(sent) }];
  });
  const isRequired =
    whole["required"] !== undefined ||
    Object.values(table).some(({ insteadOf = "" }) => Object.hasOwn(table, insteadOf));
  return {
    required: isRequired,
    content: Object.fromEntries(content) as RequestBody["content"],
  };
}

/** A body that the route describes itself. An object without required members may be missing. */
function ownBody(
  { body: given, consumes }: RouteSchemas,
  parses: readonly string[],
  schemas: Components,
): RequestBody {
  const { examples, ...body } = plain(given, schemas);
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
  const isObject = body["type"] === "object";
  const types = consumes ?? (isObject ? parses : [jsonBody]);
  return {
    required: !isObject || body["required"] !== undefined,
    content: Object.fromEntries(
      types.map((type) => [type, { schema: body, ...(example !== undefined && { example }) }]),
    ),
  };
}

/**
 * The schema of a form with a file. Nothing but the file is required, because its name replaces members that are
 * otherwise required.
 */
function withFile({ dependentRequired = {}, ...form }: JsonSchema): JsonSchema {
  // What other members need is the address to fetch the file from.
  const addresses = new Set(Object.values(dependentRequired as Record<string, string[]>).flat());
  const members = Object.entries(form["properties"] as object).filter(([name]) => !addresses.has(name));
  const file = {
    title: "File",
    type: "string",
    format: "binary",
    description: "The file, with its name, which becomes the title if none is given",
  };
  return { ...form, properties: { ...Object.fromEntries(members), file }, required: ["file"] };
}
