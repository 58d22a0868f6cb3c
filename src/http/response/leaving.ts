import type { FastifyReply } from "fastify";

/** Aborts when the client of a response has left, or has received all of it. */
export function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  if (raw.closed) leaving.abort();
  else raw.once("close", () => leaving.abort());
  return leaving.signal;
}
