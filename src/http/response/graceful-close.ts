import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** How long requests are still answered on connections that are kept open. */
const drainMilliseconds = 1000;
/** Altogether: less than what a container's keeper waits before it kills. */
const graceMilliseconds = 9000;
const lookEveryMilliseconds = 20;

/**
 * Ends a server without hanging up on anyone. A client may send a request on a connection that it keeps open at the very
 * moment when the server decides to close it. So for a while every request is answered, and each answer says that the
 * connection closes, which tells the client not to use it again. Then connections without a request are closed, those
 * with one when it is answered, and what never ends is cut off.
 */
export class GracefulClose {
  readonly #app: FastifyInstance;
  #isClosing = false;

  /** Before the application listens. */
  constructor(app: FastifyInstance) {
    this.#app = app;
    // For requests that came before the closing began.
    app.addHook("onSend", (_request, reply, _payload, done) => {
      if (this.#isClosing) reply.header("connection", "close");
      done();
    });
  }

  async close(): Promise<void> {
    const { server } = this.#app;
    this.#isClosing = true;
    // Before any other listener, so that it holds for answers which the application never sees.
    server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
    });
    const late = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
    const drained = performance.now() + drainMilliseconds;
    while (performance.now() < drained && (await hasConnections(server))) await wait(lookEveryMilliseconds);
    const idle = setInterval(() => server.closeIdleConnections(), lookEveryMilliseconds);
    try {
      await this.#app.close();
    } finally {
      clearInterval(idle);
      clearTimeout(late);
    }
  }
}

function hasConnections(server: Server): Promise<boolean> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null && count > 0));
  });
}
