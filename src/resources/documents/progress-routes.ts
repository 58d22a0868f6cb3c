import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest, FastifySchema } from "fastify";
import type { Context } from "../../context.ts";
import { notFound, tooBusy } from "../../errors.ts";
import { idIn } from "../../http/path-parameters.ts";
import { TooBusyError, Turns } from "../../turns.ts";
import { findProgressOf } from "./find-progress.ts";

const mostStreams = 200;
const lookEveryMilliseconds = 500;
/** Whoever still wants to know then asks anew, as browsers do by themselves. */
const longestMinutes = 2;

/** A stream is nothing that the published schema could describe. */
const schema = { hide: true } as FastifySchema;

/** Tells whoever waits for a document how far it is: each time that it is asked whether they may still see it. */
export function progressRoutes(app: FastifyInstance, { database }: Context): void {
  const turns = new Turns(mostStreams, 0);

  app.get("/api/documents/:id/process/events/", { schema }, async (request, reply) => {
    const id = idIn(request, "id");
    if ((await findProgressOf(database, request.viewer, id)) === null) throw notFound();
    const endTurn = await turns.take().catch((error: unknown) => {
      throw error instanceof TooBusyError ? tooBusy(10) : error;
    });
    const stream = Readable.from(events(request, id));
    stream.once("close", endTurn);
    return reply
      .headers({
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      })
      .send(stream);
  });

  async function* events(request: FastifyRequest, id: number): AsyncGenerator<string> {
    const end = Date.now() + longestMinutes * 60_000;
    let told = "";
    while (Date.now() < end) {
      const progress = await findProgressOf(database, request.viewer, id);
      if (progress === null) return;
      const text = JSON.stringify(progress);
      yield text === told ? ": still there\n\n" : `event: progress\ndata: ${text}\n\n`;
      told = text;
      if (!["pending", "readable"].includes(progress.status)) return;
      await setTimeout(lookEveryMilliseconds, undefined, { ref: false });
    }
  }
}
