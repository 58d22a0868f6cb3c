import type { FastifyInstance } from "fastify";
import { reasonOf } from "../errors.ts";
import { Type } from "./fields/json-schema.ts";
import { dictionary } from "./fields/schema-shapes.ts";

export interface HealthChecks {
  database: { ping(): Promise<void> };
  files: { ping(): Promise<void> };
}

const Health = dictionary(Type.String(), { $id: "Health" });

/**
 * Liveness and readiness for a process supervisor: `/livez` says that the process runs, `/readyz` that it can serve
 * requests.
 */
export function healthRoutes(app: FastifyInstance, { database, files }: HealthChecks): void {
  const config = { ignoresCredentials: true, needsNoDatabase: true };
  app.get("/livez", { config, schema: { response: { 200: Health } } }, () => ({ status: "ok" }));
  const answers = { 200: Health, 503: Health };
  app.get("/readyz", { config, schema: { response: answers } }, async (request, reply) => {
    const [databaseState, filesState] = await Promise.all([stateOf(database), stateOf(files)]);
    const ready = databaseState === "ok" && filesState === "ok";
    if (!ready)
      request.log.error({ reqId: request.id, database: databaseState, files: filesState }, "Not ready");
    return reply.code(ready ? 200 : 503).send({
      status: ready ? "ok" : "not ready",
      database: databaseState === "ok" ? "ok" : "does not answer",
      files: filesState === "ok" ? "ok" : "do not answer",
    });
  });
}

async function stateOf(part: { ping(): Promise<void> }): Promise<string> {
  try {
    await part.ping();
    return "ok";
  } catch (error) {
    return reasonOf(error);
  }
}
