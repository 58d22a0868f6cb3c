const base = "http://quire.invalid";

/**
 * The redirect target in a request, if it is a path of this service, or else `otherwise`. Browsers read `//host`,
 * `/\host` and addresses with control characters as other hosts, so the parsed address decides, not its first
 * character.
 */
export function localPath(target: string | undefined, otherwise: string): string {
  if (target === undefined || !target.startsWith("/") || target.length > 4000) return otherwise;
  if (!URL.canParse(target, base)) return otherwise;
  const { origin, pathname, search, hash } = new URL(target, base);
  // `/.//host` is a path here, but would name another host once it is written out.
  return origin === base && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : otherwise;
}

/**
 * The redirect target in a request: a path of this service as {@link localPath} reads it, or an absolute address of
 * one of these origins. An absolute address is serialized by the parser that checked it, so that browsers cannot read
 * it differently.
 */
export function nextAddress(
  target: string | undefined,
  { origins, otherwise }: { origins: readonly string[]; otherwise: string },
): string {
  if (
    target === undefined ||
    !/^https?:\/\/[^/\s\p{Cc}\\][^\s\p{Cc}\\]*$/iu.test(target) ||
    target.length > 4000
  ) {
    return localPath(target, otherwise);
  }
  if (!URL.canParse(target)) return otherwise;
  const { origin, username, password, href } = new URL(target);
  return origins.includes(origin) && username === "" && password === "" ? href : otherwise;
}
