/** The headers of an answer that scripts of other origins may read, beside those that they always may. */
export const exposedHeaders =
  "Accept-Ranges, Content-Range, ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id";

/** The headers of every answer; a route may put others in their place. */
export const everyAnswer = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders,
  "cache-control": "no-cache",
  "referrer-policy": "same-origin",
  vary: "Accept",
  "x-content-type-options": "nosniff",
};
