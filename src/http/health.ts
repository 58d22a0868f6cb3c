import type { FastifyInstance } from "fastify";
import type { Database } from "../database/database.ts";
import { reasonOf } from "../errors.ts";
import { Type } from "./fields/json-schema.ts";
import { dictionary } from "./fields/schema-shapes.ts";
import { WatchedFiles } from "./watched-files.ts";

export interface HealthChecks {
  database: Pick<Database, "ping" | "standbys">;
  files: { ping(): Promise<void> };
  /** The moment whose contents the latest good backup has; null if there was none. */
  lastBackup: () => Promise<string | null>;
}

/** The time limit for all that `/readyz` asks. Supervisors wait a few seconds for it, whatever a request may take. */
const limitMilliseconds = 2000;

const Health = dictionary(Type.String(), { $id: "Health" });

/**
 * Liveness and readiness for a process supervisor: `/livez` says that the process runs, `/readyz` that it can serve
 * requests. That takes the database. Whether the files can be reached is told beside it: without them, lists, search
 * and texts are served all the same, and no other machine would reach them either.
 */
export function healthRoutes(app: FastifyInstance, { database, files, lastBackup }: HealthChecks): void {
  const config = { ignoresCredentials: true, needsNoDatabase: true };
  app.get("/livez", { config, schema: { response: { 200: Health } } }, () => ({ status: "ok" }));
  const answers = { 200: Health, 503: Health };
  const watched = new WatchedFiles(files, app.log);
  app.get("/readyz", { config, schema: { response: answers } }, async (request, reply) => {
    const late = delay(limitMilliseconds);
    const backup = Promise.race([lastBackup(), late.failure]).then(backupFacts, () => ({}));
    const [databaseState, hasFiles, facts] = await Promise.all([
      stateOf(database, late.failure),
      watched.answer(late.failure),
      backup,
    ]);
    late.end();
    const ready = databaseState === "ok";
    if (!ready) request.log.error({ reqId: request.id, database: databaseState }, "Not ready");
    return reply.code(ready ? 200 : 503).send({
      status: ready ? "ok" : "not ready",
      database: ready ? "ok" : "does not answer",
      files: hasFiles ? "ok" : "do not answer",
      ...(ready && facts),
      ...standbyFacts(database),
    });
  });
}

/** All values of the answer are texts. */
function backupFacts(at: string | null): Record<string, string> {
  if (at === null) return { last_backup: "never" };
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  return { last_backup: at, backup_age_seconds: String(seconds) };
}

/** Without standbys, the primary answers everything, so they do not count for readiness. */
function standbyFacts({ standbys }: Pick<Database, "standbys">): Record<string, string> {
  return standbys === null ? {} : { standbys: `${standbys.answering} of ${standbys.total} answer` };
}

/** A promise that rejects after some time, unless it is ended. */
function delay(milliseconds: number): { failure: Promise<never>; end: () => void } {
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${milliseconds / 1000} s`)),
    milliseconds,
  );
  failure.catch(() => undefined);
  return { failure, end: () => clearTimeout(timer) };
}

async function stateOf(part: { ping(): Promise<void> }, late: Promise<never>): Promise<string> {
  try {
    await Promise.race([part.ping(), late]);
    return "ok";
  } catch (error) {
    return reasonOf(error);
  }
}
