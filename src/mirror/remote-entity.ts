import { ApiError } from "../errors.ts";
import { isFields, isId } from "../import/record-fields.ts";
import { type EntityToPut, readEntityToPut } from "../resources/entities/put-entities.ts";

/** An entity of the other server's document; null if the API would refuse it. */
export function entityIn(item: unknown, pageCount: number): EntityToPut | null {
  if (!isFields(item) || !isFields(item["entity"])) return null;
  const { id } = item["entity"];
  try {
    return readEntityToPut(isId(id) ? id : null, item["entity"], item, pageCount);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
