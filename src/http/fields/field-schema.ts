import { bulkLimit } from "../../contract/limits.ts";
import { labelOf, shownFields, takes } from "./field-metadata.ts";
import { type Field, type FieldTable } from "./fields.ts";
import type { JsonSchema } from "./json-schema.ts";

/** In a bulk request, each item names its object by `id`, unless the table has a required id field. */
export function namedBy<T>(table: FieldTable, id: T): { id?: T } {
  return idFieldOf(table) === undefined ? { id } : {};
}

function idFieldOf(table: FieldTable): string | undefined {
  return Object.keys(table).find((name) => table[name]?.type === "integer" && table[name].required === true);
}

/** The schema of a bulk request's body. Items that are a part of an object still name it. */
export function listSchema(table: FieldTable, isPart: boolean): JsonSchema {
  const item = tableSchema(table, isPart);
  const properties = {
    ...namedBy(table, { type: "integer", format: "int64", minimum: 1 }),
    ...(item["properties"] as object),
  };
  const others = (item["required"] ?? []) as readonly string[];
  const required = [...new Set([idFieldOf(table) ?? "id", ...others])];
  return { type: "array", maxItems: bulkLimit, items: { ...item, properties, required } };
}

/** The schema of one object as a client sends it: the whole object, or the part that is to change. */
export function tableSchema(table: FieldTable, isPart: boolean): JsonSchema {
  const fields = shownFields(table);
  const required = fields.flatMap(([name, field]) => (field.required === true && !isPart ? [name] : []));
  const dependent = fields.flatMap(([name, { needs }]) => (needs === undefined ? [] : [[name, [needs]]]));
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(name, field)])),
    ...(required.length > 0 && { required }),
    ...(dependent.length > 0 && { dependentRequired: Object.fromEntries(dependent) as object }),
  };
}

const typeSchemas: Readonly<Record<Exclude<Field["type"], "choice">, JsonSchema>> = {
  string: { type: "string" },
  text: { type: "string" },
  // It may be empty, and an empty text is a URI reference but not a URI.
  url: { type: "string", format: "uri-reference" },
  boolean: { type: "boolean" },
  integer: { type: "integer" },
  number: { type: "number" },
  datetime: { type: "string", format: "date-time" },
  list: { type: "array" },
  json: {},
  file: { type: "string", format: "binary" },
};

/** The description states the default: type generators treat a member with the `default` keyword as required. */
function fieldSchema(name: string, field: Field): JsonSchema {
  const { type, ...rest } = {
    ...(field.type === "choice" ? { type: "string", enum: choicesOf(field) } : typeSchemas[field.type]),
    ...(field.item !== undefined && { items: itemSchema(field.item) }),
    ...field.schema,
  } as JsonSchema & { type?: string };
  const description = descriptionOf(field);
  return {
    title: labelOf(name, field),
    ...(type !== undefined && { type: field.nullable === true ? [type, "null"] : type }),
    ...rest,
    ...(description !== "" && { description }),
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
  };
}

function itemSchema(item: Field): JsonSchema {
  const { title: _, ...schema } = fieldSchema("", item);
  return schema;
}

function descriptionOf({ help = "", default: value }: Field): string {
  if (value === undefined) return help;
  const isSentence = help === "" || help.endsWith(".");
  return `${help}${isSentence ? "" : "."} Default: ${JSON.stringify(value)}`.trim();
}

function choicesOf(field: Field): unknown[] {
  const { choices = [], nullable } = field;
  const blank = takes(field, "") ? [""] : [];
  return [...choices, ...blank, ...(nullable === true ? [null] : [])];
}
