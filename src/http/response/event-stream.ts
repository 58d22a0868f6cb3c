import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ChangeWatch } from "./change-watch.ts";
import { leavingOf } from "./leaving.ts";

/** What one look at the database found: lines of server-sent events, empty if nothing is new. */
export interface Look {
  events: string;
  /** When to look again: `never` ends the stream. */
  again: "after a change" | "at once" | "never";
}

interface Options<Asker> {
  /** How many streams each person may have open. */
  limit: { acquire: (asker: Asker) => Promise<() => void> };
  changes: ChangeWatch;
  /** After this time the stream ends. Browsers reconnect by themselves. */
  maxMinutes: number;
  /** No two looks come closer together than this. */
  pauseMilliseconds?: number;
}

/** Proxies close a connection on which nothing is sent. */
const quietMilliseconds = 15_000;
/** A comment, which clients ignore. */
const stillThere = ": still there\n\n";

/**
 * Streams server-sent events: looks now, and again whenever something has been written to the database. A HEAD request
 * gets the headers alone.
 *
 * @throws {ApiError} 503 if the asker has too many streams open.
 */
export async function sendEvents<Request extends FastifyRequest>(
  request: Request,
  reply: FastifyReply,
  options: Options<Request>,
  look: () => Promise<Look>,
): Promise<FastifyReply> {
  const leaving = leavingOf(reply);
  const release = request.method === "HEAD" ? null : await options.limit.acquire(request);
  reply.headers({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  if (release === null) return reply.send();
  return reply.send(Readable.from(eventsUntil(leaving, options, look)).once("close", release));
}

async function* eventsUntil(
  leaving: AbortSignal,
  {
    changes,
    maxMinutes,
    pauseMilliseconds = 0,
  }: Pick<Options<never>, "changes" | "maxMinutes" | "pauseMilliseconds">,
  look: () => Promise<Look>,
): AsyncGenerator<string> {
  const end = Date.now() + maxMinutes * 60_000;
  while (Date.now() < end && !leaving.aborted) {
    const seen = await changes.version();
    const { events, again } = await look();
    if (events !== "") yield events;
    if (again === "never") return;
    if (events === "") yield stillThere;
    if (again === "at once") continue;
    const pause = setTimeout(pauseMilliseconds, undefined, { ref: false });
    await Promise.all([pause, changes.changed(seen, { limitMilliseconds: quietMilliseconds, leaving })]);
  }
}
