import { busyStatuses } from "../../document-states.ts";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { DatabaseUnavailableError } from "../../../database/database-unavailable.ts";
import { ApiError, notFound, tooBusy } from "../../../errors.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { otherMethods } from "../../../http/read-only-route.ts";
import { leadToSlash, unpublished } from "../../../http/resource-route.ts";
import { TooBusyError } from "../../../semaphore.ts";
import { askerOf } from "../../users/credentials/throttle-key.ts";
import type { Authenticate } from "../../users/credentials/authentication.ts";
import { type DocumentProgress, findProgressOf } from "./find-progress.ts";
import { processEvents } from "./views.ts";

const maxStreams = 200;
/** Per user; anonymous clients count per address. */
const maxPerHolder = 20;
const lookEveryMilliseconds = 500;
/** After this time the stream ends. Browsers reconnect by themselves. */
const maxMinutes = 2;

/** Streams a document's progress as server-sent events. Access to the document is checked again before each event. */
export function progressRoutes(
  app: FastifyInstance,
  { database, semaphores }: Pick<Context, "database" | "semaphores">,
  authenticate: Authenticate,
): void {
  const streams = semaphores.open("progress streams", maxStreams, 0);

  leadToSlash(app, "/api/documents/:id/process/events/");
  otherMethods(app, {
    path: "/api/documents/:id/process/events/",
    view: processEvents,
    checkAddress: (request) => void idIn(request, "id"),
  });
  app.route({
    // Fastify's own HEAD handling would open a stream that nobody reads.
    method: ["GET", "HEAD"],
    url: "/api/documents/:id/process/events/",
    // The published schema cannot describe a stream.
    schema: unpublished(),
    async handler(request, reply) {
      const id = idIn(request, "id");
      if ((await findProgressOf(database, request.viewer, id)) === null) throw notFound();
      const stream = request.method === "HEAD" ? null : await begin(request, id);
      reply.headers({
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      return stream === null ? reply.send() : reply.send(stream);
    },
  });

  async function begin(request: FastifyRequest, id: number): Promise<Readable> {
    try {
      const asker = { name: askerOf(request.viewer, request.ip), maxPlaces: maxPerHolder };
      const release = await streams.acquire([asker]);
      return Readable.from(events(request, id)).once("close", release);
    } catch (error) {
      throw error instanceof TooBusyError ? tooBusy(10) : error;
    }
  }

  /** Null also if the request's credentials are no longer valid; `unknown` while the database is unavailable. */
  async function findNow(
    { headers }: FastifyRequest,
    id: number,
  ): Promise<DocumentProgress | "unknown" | null> {
    try {
      return await findProgressOf(database, await authenticate(headers), id);
    } catch (error) {
      if (error instanceof ApiError) return null;
      if (error instanceof DatabaseUnavailableError) return "unknown";
      throw error;
    }
  }

  async function* events(request: FastifyRequest, id: number): AsyncGenerator<string> {
    const end = Date.now() + maxMinutes * 60_000;
    let sent = "";
    while (Date.now() < end) {
      const progress = await findNow(request, id);
      if (progress === null) return;
      const text = progress === "unknown" ? sent : JSON.stringify(progress);
      yield text === sent ? ": still there\n\n" : `event: progress\ndata: ${text}\n\n`;
      sent = text;
      if (progress !== "unknown" && !busyStatuses.includes(progress.status)) return;
      await setTimeout(lookEveryMilliseconds, undefined, { ref: false });
    }
  }
}
