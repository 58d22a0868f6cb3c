import type { JsonSchema } from "../fields/json-schema.ts";

/** The named schemas, by name. */
export type Components = Map<string, unknown>;

/**
 * Converts a schema to plain JSON, without the internal data of its library. Schemas within it that have an `$id` are
 * added to the components and replaced by references.
 */
export function plain(schema: unknown, components: Components): JsonSchema {
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
