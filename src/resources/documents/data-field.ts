import { documentLimits } from "../../contract/limits.ts";
import { type Field, FieldError } from "../../http/fields/fields.ts";
import { readText } from "../../http/fields/field-kinds.ts";

export type DocumentData = Record<string, string[]>;

const dataKey = new RegExp(`^[A-Za-z0-9_-]{1,${documentLimits.dataKey}}$`);

export function isDataKey(name: string): boolean {
  return dataKey.test(name);
}

/** Free-form metadata: an object of lists of texts. A single text is a list with one item. */
export function data(options: Partial<Field<DocumentData>>): Field<DocumentData> {
  return {
    type: "json",
    schema: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
    read(value) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new FieldError("`data` must be a JSON object");
      }
      return checkedData(
        Object.fromEntries(
          Object.entries(value).map(([name, values]) => [readKey(name), readValues(values)]),
        ),
      );
    },
    ...options,
  };
}

/** The maximum size of a document's data, in bytes of JSON. A list shows the data of up to a thousand documents. */
export const maxData = 256 * 1024;

/** Returns the data. Throws if it is too large. */
export function checkedData(whole: DocumentData): DocumentData {
  if (Buffer.byteLength(JSON.stringify(whole)) > maxData) {
    throw new FieldError(`\`data\` must have no more than ${maxData} bytes altogether`);
  }
  return whole;
}

function readKey(name: string): string {
  if (isDataKey(name)) return name;
  throw new FieldError("`data` JSON object must have alphanumeric string keys");
}

function readValues(values: unknown): string[] {
  const list = typeof values === "string" ? [values] : values;
  if (!Array.isArray(list)) {
    throw new FieldError("`data` JSON object must have arrays for values of all top level object properties");
  }
  return list.map((value: unknown) => {
    if (typeof value !== "string") {
      throw new FieldError(
        "`data` JSON object must have strings for all values within the listsof top level object properties",
      );
    }
    if (Array.from(value).length > documentLimits.dataValue)
      throw new FieldError("`data` JSON values must be less than 300 long");
    return readText(value).trim();
  });
}
