import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { cacheCompiledModules } from "../compile-cache.ts";
import type { ProcessMessage, ServeOrder, SupervisorMessage } from "./server-processes.ts";

/** A process that answers requests: see server-processes.ts. It loads its modules before it is told to serve. */
async function run(self: Worker): Promise<void> {
  const stopping = new AbortController();
  const ordered = Promise.withResolvers<ServeOrder | null>();
  const stop = (): void => {
    stopping.abort();
    ordered.resolve(null);
  };
  process.on("SIGTERM", stop);
  // Ctrl-C reaches every process of the terminal, but only the supervisor reacts to it.
  process.on("SIGINT", () => undefined);
  const loading = Promise.all([
    import("../context.ts"),
    import("../shared-semaphores.ts"),
    import("./request-server.ts"),
    import("./server-log.ts"),
  ]);
  const [{ openContext }, { RemoteSemaphores }, { listen }, { openServerLog }] = await loading;
  const semaphores = new RemoteSemaphores(send);
  process.on("message", (message: SupervisorMessage) => {
    if (message.kind === "serve") ordered.resolve(message);
    else if (message.kind === "stop") stop();
    else semaphores.receive(message);
  });
  const order = await ordered.promise;
  if (order !== null) await serve(order, stopping.signal);
  self.disconnect();

  async function serve(
    { config, port, reusePort, socket, processes }: ServeOrder,
    signal: AbortSignal,
  ): Promise<void> {
    const { log, flush } = openServerLog(config, { isShared: true });
    process.once("uncaughtException", (error) => {
      flush();
      send({ kind: "failed", error }, () => process.exit(1));
    });
    try {
      const options = {
        signal,
        servesRequests: true,
        startsWithoutFiles: true,
        processes,
        semaphores,
        joins: true,
      };
      const context = await openContext(config, log, options);
      try {
        context.jobs.onNotify(() => send({ kind: "job queued" }));
        const server = await listen(context, { port, reusePort, socket });
        send({ kind: "listening", address: server.address });
        try {
          if (!signal.aborted) await once(signal, "abort");
        } finally {
          await server.close();
        }
      } finally {
        await context.close();
      }
    } catch (error) {
      if (!signal.aborted) {
        send({ kind: "failed", error });
        process.exitCode = 1;
      }
    } finally {
      flush();
    }
  }
}

/** If the supervisor has ended, this process ends too, because nothing waits for the message. */
function send(message: ProcessMessage, then: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, then);
}

cacheCompiledModules();
if (cluster.worker !== undefined) await run(cluster.worker);
