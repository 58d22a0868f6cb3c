import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** How long requests are still answered on connections that are kept open. */
const drainMilliseconds = 1000;
const pollMilliseconds = 20;

/**
 * Closes a server without dropping requests. A client may send a request on a keep-alive connection at the very
 * moment when the server decides to close it. So the server goes on responding for a while, and each response says
 * that the connection closes, which tells the client not to use it again. Then idle connections are closed, busy ones
 * are closed after their response, and those that never finish are cut off.
 *
 * A balancer that sends to several servers learns from `/readyz` that this one stops. Until it has asked, it goes on
 * sending new connections, so the server takes them for as long as it is told to.
 */
export class GracefulClose {
  readonly #app: FastifyInstance;
  readonly #limitSeconds: number;
  #isClosing = false;
  #isDraining = false;

  /**
   * Create it before the application listens.
   *
   * @param limitSeconds after this time, connections with unfinished requests are cut off
   */
  constructor(app: FastifyInstance, limitSeconds: number) {
    this.#app = app;
    this.#limitSeconds = limitSeconds;
    // For requests that arrived before closing began.
    app.addHook("onSend", (_request, reply, _payload, done) => {
      if (this.#isClosing) reply.header("connection", "close");
      done();
    });
    app.addHook("onRequest", (request, reply, done) => {
      if (!this.#isDraining || !request.url.startsWith("/readyz")) return done();
      void reply.code(503).send({ status: "not ready", server: "is stopping" });
    });
  }

  /** @param drainSeconds how long new connections are taken at least, while `/readyz` says that the server stops */
  async close(drainSeconds = 0): Promise<void> {
    const { server } = this.#app;
    this.#isClosing = true;
    this.#isDraining = drainSeconds > 0;
    // Before any other listener, so that it also covers cached responses, which the application never sees.
    server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
    });
    if (drainSeconds > 0) await wait(drainSeconds * 1000);
    const late = setTimeout(() => server.closeAllConnections(), this.#limitSeconds * 1000);
    const drained = performance.now() + drainMilliseconds;
    while (performance.now() < drained && (await hasConnections(server))) await wait(pollMilliseconds);
    const idle = setInterval(() => server.closeIdleConnections(), pollMilliseconds);
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
