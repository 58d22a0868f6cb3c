import { labelOf, shownFields, takes } from "./field-metadata.ts";
import { type Field, type FieldTable, bulkLimit } from "./fields.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Each of many names what it is for, if not by a field of its own: by its id. */
export function namedBy<T>(table: FieldTable, id: T): { id?: T } {
  const hasOwn = Object.values(table).some(({ type, required }) => type === "integer" && required === true);
  return hasOwn ? {} : { id };
}

/** Of a body that changes many at once. */
export function listSchema(table: FieldTable): JsonSchema {
  const item = tableSchema(table, true);
  const properties = { ...namedBy(table, { type: "integer" }), ...(item["properties"] as object) };
  return { type: "array", maxItems: bulkLimit, items: { ...item, properties } };
}

/** Of one thing as a client sends it: all of it, or the part that is to change. */
export function tableSchema(table: FieldTable, isPart: boolean): JsonSchema {
  const fields = shownFields(table);
  const required = fields.flatMap(([name, field]) => (field.required === true && !isPart ? [name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(name, field)])),
    ...(required.length > 0 && { required }),
  };
}

const typeSchemas: Readonly<Record<Exclude<Field["type"], "choice">, JsonSchema>> = {
  string: { type: "string" },
  text: { type: "string" },
  // Empty where it may be, which is a reference and no URI.
  url: { type: "string", format: "uri-reference" },
  boolean: { type: "boolean" },
  integer: { type: "integer" },
  number: { type: "number" },
  datetime: { type: "string", format: "date-time" },
  list: { type: "array" },
  json: {},
};

/**
 * A default is told in words: for the keyword, generators of types take a member as one that has to be sent.
 */
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
