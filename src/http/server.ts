import type { RequestListener, Server } from "node:http";
import { maxHeaderSize } from "./request/head-limits.ts";
import { createServer } from "./text/node-http.ts";

/** Long enough for a large file over a slow line. The headers must still arrive within a minute. */
const maxRequestMilliseconds = 2 * 3600 * 1000;

/** The HTTP server of the application, with its limits. */
export function createHttpServer(listener: RequestListener): Server {
  return createServer(
    { keepAliveTimeout: 72_000, requestTimeout: maxRequestMilliseconds, maxHeaderSize },
    listener,
  );
}
