import { preconditionFailed } from "../../errors.ts";

/**
 * Whether an `If-None-Match` header lists this tag. The comparison is weak (RFC 9110, 13.1.2): a `W/` prefix is
 * ignored. It is ignored in an `If-Match` header too, because the tag of a compressed record has the prefix.
 */
export function isAmong(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  const strong = withoutWeakness(etag);
  return header.split(",").some((tag) => withoutWeakness(tag.trim()) === strong);
}

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, "");

/** `If-Match`, if it was sent, and the entity tag that the viewer would get for a row now. */
export interface Condition<Row> {
  ifMatch: string | undefined;
  tagOf: (row: Row) => string;
}

/** Throws 412 if the row has changed since the client read it. */
export function checkCondition<Row>(row: Row, { ifMatch, tagOf }: Condition<Row>): void {
  if (ifMatch !== undefined && !isAmong(tagOf(row), ifMatch)) throw preconditionFailed();
}
