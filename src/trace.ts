import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/*
 * Traces of other programs that go through Quire, in the form of W3C Trace Context: a request that comes with the
 * header `traceparent` belongs to a trace. Log lines about it say so, and so do the jobs that it queues and what these
 * fetch from elsewhere. Quire begins no traces.
 */

const form = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(?:-|$)/;

interface Trace {
  id: string;
  flags: string;
}

const current = new AsyncLocalStorage<Trace>();

function traceIn(traceparent: unknown): Trace | null {
  const [, id, flags] = typeof traceparent === "string" ? (form.exec(traceparent) ?? []) : [];
  return id === undefined || flags === undefined ? null : { id, flags };
}

/** The id of the trace that a header names; null if it names none. */
export const traceIdIn = (traceparent: unknown): string | null => traceIn(traceparent)?.id ?? null;

/** Runs `work`, and all that it begins, as a part of the trace that a header names. */
export function inTrace<T>(traceparent: unknown, work: () => T): T {
  const trace = traceIn(traceparent);
  return trace === null ? work() : current.run(trace, work);
}

/** The id of the trace that the caller is a part of. */
export const currentTraceId = (): string | null => current.getStore()?.id ?? null;

/** The header for a request of the caller to another program; null if the caller is not a part of a trace. */
export function nextTraceparent(): string | null {
  const trace = current.getStore();
  return trace === undefined ? null : `00-${trace.id}-${randomBytes(8).toString("hex")}-${trace.flags}`;
}
