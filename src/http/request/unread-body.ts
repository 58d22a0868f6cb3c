import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";

/**
 * Reads the rest of a request's body and discards it, for no longer than this. A browser sends all of a form before it
 * reads the response: without the rest, it would show a broken connection instead of the page that refuses the form.
 * Returns whether all of the body has arrived.
 */
export async function discardRest(request: IncomingMessage, maxMilliseconds: number): Promise<boolean> {
  if (!request.complete && !request.destroyed) {
    request.resume();
    try {
      await finished(request, {
        writable: false,
        signal: AbortSignal.timeout(maxMilliseconds),
        cleanup: true,
      });
    } catch {
      // The time is over, or the client has left.
    }
  }
  return request.complete;
}
