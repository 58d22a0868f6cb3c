/** Response headers that scripts of other origins may read, besides those that CORS always exposes. */
export const exposedHeaders =
  "Accept-Ranges, Content-Range, ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id";

/** The headers of every response; a route may override them. */
export const everyAnswer = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders,
  "cache-control": "no-cache",
  "referrer-policy": "same-origin",
  vary: "Accept",
  "x-content-type-options": "nosniff",
};
