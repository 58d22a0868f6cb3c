const somewhere = "http://quire.invalid";

/**
 * A path of this service that a request names as the place to go on to, or else `otherwise`. Browsers read `//host`,
 * `/\host` and what has control characters in it as other hosts, so what counts is how it is read, not how it begins.
 */
export function localPath(given: string | undefined, otherwise: string): string {
  if (given === undefined || !given.startsWith("/") || given.length > 4000) return otherwise;
  if (!URL.canParse(given, somewhere)) return otherwise;
  const { origin, pathname, search, hash } = new URL(given, somewhere);
  // `/.//host` is a path here, and would be another host once it is written out.
  return origin === somewhere && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : otherwise;
}

/**
 * Where a request names to go on to: a path of this service as {@link localPath} reads it, or an absolute address of one
 * of these origins. An absolute address is written out again by what read it, so that browsers cannot read it otherwise.
 */
export function nextAddress(
  given: string | undefined,
  { origins, otherwise }: { origins: readonly string[]; otherwise: string },
): string {
  if (
    given === undefined ||
    !/^https?:\/\/[^/\s\p{Cc}\\][^\s\p{Cc}\\]*$/iu.test(given) ||
    given.length > 4000
  ) {
    return localPath(given, otherwise);
  }
  if (!URL.canParse(given)) return otherwise;
  const { origin, username, password, href } = new URL(given);
  return origins.includes(origin) && username === "" && password === "" ? href : otherwise;
}
