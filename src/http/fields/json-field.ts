import { FieldError, type Field } from "./fields.ts";
import { readText } from "./field-kinds.ts";

/** In bytes of JSON. A list shows the whole value of each row, for up to a thousand rows. */
const maxObjectBytes = 16 * 1024;
const maxDepth = 10;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Any JSON object within limits of size and depth. */
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
      check(value, maxDepth);
      checkSize(value, maxObjectBytes);
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

/** Checks that a value can be stored and returned unchanged. A value nested too deeply could not even be serialized. */
function check(value: unknown, depth: number): void {
  if (typeof value === "string") return void readText(value);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new FieldError("A valid number is required.");
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) throw new FieldError(`Ensure this field is nested no more than ${maxDepth} deep.`);
  for (const [name, inner] of Object.entries(value)) {
    readText(name);
    check(inner, depth - 1);
  }
}
