/**
 * Whether an `If-None-Match` header lists this tag. The comparison is weak (RFC 9110, 13.1.2): a `W/` prefix is
 * ignored. So is one of an `If-Match` header, because a compressed record has such a tag.
 */
export function isAmong(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  const strong = withoutWeakness(etag);
  return header.split(",").some((tag) => withoutWeakness(tag.trim()) === strong);
}

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, "");
