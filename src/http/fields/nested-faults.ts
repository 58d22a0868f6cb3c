import { FieldError } from "./fields.ts";

/** Turns an error about a part of a value into a fault of the whole value. */
export function faultOf<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "body" in error) throw FieldError.nested(error.body);
    throw error;
  }
}
