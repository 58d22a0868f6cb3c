import type { Field, FieldTable, FieldType } from "./fields.ts";

/** The fields of a table that appear in forms and in the schema. */
export function shownFields(table: FieldTable): [name: string, field: Field][] {
  return Object.entries(table).filter(([, field]) => field.hidden !== true);
}

/** The fields of a body that cannot have a file: all but those of multipart forms. */
export function withoutFile(table: FieldTable): FieldTable {
  return Object.fromEntries(Object.entries(table).filter(([, { type }]) => type !== "file"));
}

/** The label, by default made from the name: "published_url" becomes "Published url". */
export function labelOf(name: string, { label }: Field): string {
  if (label !== undefined && label !== "") return label;
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The names of types in Django REST framework's metadata. */
const typeNames: Readonly<Record<FieldType, string>> = {
  string: "string",
  text: "string",
  url: "url",
  boolean: "boolean",
  integer: "integer",
  number: "float",
  choice: "choice",
  datetime: "datetime",
  list: "list",
  json: "field",
  file: "file upload",
};

/** The description of a table in the response to OPTIONS. */
export function fieldMetadata(table: FieldTable): Record<string, unknown> {
  return Object.fromEntries(
    shownFields(table).map(([name, field]) => [
      name,
      {
        type: typeNames[field.type],
        required: field.required === true,
        read_only: false,
        label: labelOf(name, field),
        ...(field.help !== undefined && field.help !== "" && { help_text: field.help }),
        ...(field.maxLength !== undefined && { max_length: field.maxLength }),
        ...(field.choices !== undefined && {
          choices: field.choices.map((value) => ({ value, display_name: value })),
        }),
      },
    ]),
  );
}

/** Whether a field accepts a value. Calling `read` is safe: it has no effect besides throwing. */
export function takes(field: Field, value: unknown): boolean {
  if (value === null) return field.nullable === true;
  try {
    field.read(value);
    return true;
  } catch {
    return false;
  }
}

const examplesByType: Readonly<Record<Exclude<FieldType, "choice">, unknown>> = {
  string: "An example",
  text: "A longer text.",
  url: "https://example.org/page",
  boolean: false,
  integer: 1,
  number: 0.5,
  datetime: "2030-01-31T12:00:00Z",
  list: [],
  json: {},
  file: "(the content of the file)",
};

/** A valid value of the field, to show the format. */
export function exampleOf(field: Field): unknown {
  if (field.example !== undefined) return field.example;
  if (field.default !== undefined && field.default !== "") return field.default;
  return field.type === "choice" ? (field.choices?.[0] ?? "") : examplesByType[field.type];
}

/** An example of an object that a client may send, with every required member. */
export function exampleBody(table: FieldTable): Record<string, unknown> {
  const fields = shownFields(table).filter(
    ([, { insteadOf }]) => insteadOf === undefined || !(insteadOf in table),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]));
}
