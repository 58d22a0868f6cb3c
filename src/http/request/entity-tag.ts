/**
 * Whether an `If-None-Match` header lists this tag. The comparison is weak (RFC 9110, 13.1.2): a `W/` prefix is
 * ignored.
 */
export function isAmong(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  return header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
