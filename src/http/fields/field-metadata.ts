import type { Field, FieldTable, FieldType } from "./fields.ts";

/** The fields of a table that people and programs are told of. */
export function shownFields(table: FieldTable): [name: string, field: Field][] {
  return Object.entries(table).filter(([, field]) => field.hidden !== true);
}

/** "published_url" is shown as "Published url" where it has no better label. */
export function labelOf(name: string, { label }: Field): string {
  if (label !== undefined && label !== "") return label;
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The names of types in that API's metadata. */
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
};

/** A table as OPTIONS tells of it. */
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

/** Whether a field takes a value: `read` has no effect but to throw. */
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
};

/** A value that the field takes, to show how one is written. */
export function exampleOf(field: Field): unknown {
  if (field.example !== undefined) return field.example;
  if (field.default !== undefined && field.default !== "") return field.default;
  return field.type === "choice" ? (field.choices?.[0] ?? "") : examplesByType[field.type];
}

/** An object that a client may send, with what it has to give and what shows how values are written. */
export function exampleBody(table: FieldTable): Record<string, unknown> {
  return Object.fromEntries(shownFields(table).map(([name, field]) => [name, exampleOf(field)]));
}
