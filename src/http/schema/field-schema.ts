import { labelOf, shownFields, takes } from "../fields/field-metadata.ts";
import { type Field, type FieldTable, bulkLimit } from "../fields/fields.ts";

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

const typeSchemas: Readonly<Record<Exclude<Field["type"], "choice">, { type?: string; format?: string }>> = {
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

function fieldSchema(name: string, field: Field): JsonSchema {
  const isNullable = field.nullable === true;
  const { type, ...rest } =
    field.type === "choice" ? { type: "string", enum: choicesOf(field) } : typeSchemas[field.type];
  return {
    title: labelOf(name, field),
    ...(type !== undefined && { type: isNullable ? [type, "null"] : type }),
    ...rest,
    ...(field.help !== undefined && field.help !== "" && { description: field.help }),
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
    ...(field.default !== undefined && { default: field.default }),
  };
}

function choicesOf(field: Field): unknown[] {
  const { choices = [], nullable } = field;
  const blank = takes(field, "") ? [""] : [];
  return [...choices, ...blank, ...(nullable === true ? [null] : [])];
}
