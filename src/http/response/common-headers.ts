/** The headers of every answer; a route may put others in their place. */
export const everyAnswer = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Accept-Ranges, Content-Range, ETag",
  "cache-control": "no-cache",
  "referrer-policy": "same-origin",
  vary: "Accept",
  "x-content-type-options": "nosniff",
};
