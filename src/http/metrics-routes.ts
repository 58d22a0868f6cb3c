import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { type MetricsReader, mayReadMetrics } from "../metrics/access.ts";
import { type Metrics, pageContentType } from "../metrics/metrics.ts";

/**
 * What a server measures, as Prometheus reads it. Everyone who may not read it gets the answer of an address that does
 * not exist, which depends on their credentials: `authenticate` refuses invalid ones.
 */
export function metricsRoutes(
  app: FastifyInstance,
  settings: Pick<Config, "metricsToken" | "metricsAddresses">,
  {
    metrics,
    authenticate,
  }: { metrics: Metrics | null; authenticate: (request: FastifyRequest) => Promise<unknown> },
): void {
  const config = { ignoresCredentials: true, needsNoDatabase: true, isHidden: true };
  app.get(
    "/metrics",
    {
      schema: {},
      config,
      async onRequest(request, reply) {
        if (metrics !== null && mayReadMetrics(settings, readerIn(request))) return;
        await authenticate(request);
        reply.callNotFound();
      },
    },
    async (_request, reply) =>
      reply
        .headers({ "content-type": pageContentType, "cache-control": "no-store" })
        .send(await (metrics as Metrics).page()),
  );
}

function readerIn({ headers, ip, ips }: FastifyRequest): MetricsReader {
  return {
    authorization: headers.authorization,
    address: ip,
    // Fastify reads the header only if it trusts the sender; `ips` then has more than one address.
    isForwarded: headers["x-forwarded-for"] !== undefined && (ips?.length ?? 0) < 2,
  };
}
