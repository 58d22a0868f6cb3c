/**
 * Whether a tag is among those of an `If-None-Match` header, which compares weakly (RFC 9110, 13.1.2): a `W/`
 * before a tag says nothing against it.
 */
export function isAmong(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  return header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
