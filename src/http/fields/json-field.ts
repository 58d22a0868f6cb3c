import { FieldError, type Field, readText } from "./fields.ts";

/** In bytes of JSON: a list shows all of it, up to a thousand times. */
const most = 16 * 1024;
const deepest = 10;

export type JsonObject = Readonly<Record<string, unknown>>;

/** An object of whatever is JSON, within limits. */
export function jsonObject<const O extends Omit<Partial<Field<JsonObject>>, "type" | "read">>(
  options: O,
): Field<JsonObject> & O {
  return {
    type: "json",
    schema: { type: "object", additionalProperties: true },
    read: (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new FieldError("Value must be a JSON object.");
      }
      check(value, deepest);
      checkSize(value, most);
      return value as JsonObject;
    },
    ...options,
  };
}

/** A value's size as JSON. */
export function checkSize(value: unknown, maxBytes: number): void {
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
    throw new FieldError(`Ensure this field has no more than ${maxBytes} bytes of JSON.`);
  }
}

/** Whether it can be kept and given back as it is: what is written deeper than a stack cannot even be written. */
function check(value: unknown, depth: number): void {
  if (typeof value === "string") return void readText(value);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new FieldError("A valid number is required.");
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) throw new FieldError(`Ensure this field is nested no more than ${deepest} deep.`);
  for (const [name, inner] of Object.entries(value)) {
    readText(name);
    check(inner, depth - 1);
  }
}
