import { once } from "node:events";
import type { Context } from "../context.ts";
import { createServer } from "../http/text/node-http.ts";
import { mayReadMetrics } from "../metrics/access.ts";
import { pageContentType } from "../metrics/metrics.ts";

/**
 * Answers `/metrics`, and nothing else, for a process that answers no other requests. Resolves to what ends it.
 *
 * @throws the system's error, such as EADDRINUSE
 */
export async function showWorkMetrics({
  config,
  metrics,
  log,
}: Pick<Context, "config" | "metrics" | "log">): Promise<() => Promise<void>> {
  if (metrics === null || config.workMetricsPort === null) return () => Promise.resolve();
  metrics.measureProcess();
  const server = createServer((request, response) => {
    const { headers, method, url, socket } = request;
    const reader = {
      authorization: headers.authorization,
      address: socket.remoteAddress ?? "",
      isForwarded: headers["x-forwarded-for"] !== undefined,
    };
    if (method !== "GET" || url !== "/metrics" || !mayReadMetrics(config, reader)) {
      response.writeHead(404).end();
      return;
    }
    metrics.page().then(
      (text) => response.writeHead(200, { "content-type": pageContentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, "The metrics could not be collected");
        response.writeHead(500).end();
      },
    );
  });
  server.listen({ host: config.host, port: config.workMetricsPort });
  await once(server, "listening");
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
}
