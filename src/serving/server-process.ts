import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { cacheCompiledModules } from "../compile-cache.ts";
import type { Context } from "../context.ts";
import type { RemoteSemaphores } from "../shared-semaphores.ts";
import type { RemoteMetricsPage } from "./metrics-messages.ts";
import type {
  CountedRequestsMessage,
  ProcessMessage,
  ServeOrder,
  SupervisorMessage,
} from "./server-processes.ts";

/** How often the processes tell each other how many requests their clients have sent. */
const tellCountsEveryMilliseconds = 1000;

/** What the supervisor's messages reach in this process. */
interface Reached {
  semaphores: RemoteSemaphores;
  metricsPage: RemoteMetricsPage;
  /** Sends what this process has measured. */
  measure: () => Promise<void>;
  /** Takes what another process has counted. */
  count: (message: CountedRequestsMessage) => void;
}

/** Why a process stops whose successor serves already. */
const replaced = "replaced";

/** A process that answers requests: see server-processes.ts. It loads its modules before it is told to serve. */
async function run(self: Worker): Promise<void> {
  const stopping = new AbortController();
  const ordered = Promise.withResolvers<ServeOrder | null>();
  const stop = (reason?: typeof replaced): void => {
    stopping.abort(reason);
    ordered.resolve(null);
  };
  process.on("SIGTERM", () => stop());
  // Ctrl-C reaches every process of the terminal, but only the supervisor reacts to it.
  process.on("SIGINT", () => undefined);
  const loading = Promise.all([
    import("../shared-semaphores.ts"),
    import("./metrics-messages.ts"),
    import("../context.ts"),
    import("./request-server.ts"),
    import("./server-log.ts"),
  ]);
  const [{ RemoteSemaphores }, { RemoteMetricsPage }] = await loading;
  const reached: Reached = {
    semaphores: new RemoteSemaphores(send),
    metricsPage: new RemoteMetricsPage(send),
    measure: () => Promise.resolve(),
    count: () => undefined,
  };
  process.on("message", (message: SupervisorMessage) => {
    if (message.kind === "serve") ordered.resolve(message);
    else if (message.kind === "stop") stop(message.isReplaced ? replaced : undefined);
    else if (message.kind === "measure") void reached.measure();
    else if (message.kind === "metrics page") reached.metricsPage.receive(message);
    else if (message.kind === "requests counted") reached.count(message);
    else reached.semaphores.receive(message);
  });
  const order = await ordered.promise;
  if (order !== null) await serve(order, stopping.signal, reached);
  self.disconnect();
}

async function serve(order: ServeOrder, signal: AbortSignal, reached: Reached): Promise<void> {
  const { config, port, reusePort, socket, processes } = order;
  const [{ openContext }, { listen }, { openServerLog }] = await Promise.all([
    import("../context.ts"),
    import("./request-server.ts"),
    import("./server-log.ts"),
  ]);
  const { log, flush } = openServerLog(config, { isShared: true });
  process.once("uncaughtException", (error) => {
    flush();
    send({ kind: "failed", error }, () => process.exit(1));
  });
  try {
    const { semaphores } = reached;
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
      const separate = join(context, reached);
      const server = await listen(context, { port, reusePort, socket });
      send({ kind: "listening", address: server.address });
      try {
        if (!signal.aborted) await once(signal, "abort");
      } finally {
        separate();
        await server.close(signal.reason === replaced);
        await reached.measure();
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

/** Lets this process count and measure together with the others. Returns what ends the counting. */
function join({ limits, metrics }: Pick<Context, "limits" | "metrics">, reached: Reached): () => void {
  metrics?.measureProcess();
  metrics?.setPage(() => reached.metricsPage.page());
  reached.measure = async () => {
    if (metrics !== null) send({ kind: "measured", measurements: await metrics.measurements() });
  };
  reached.count = ({ counted }) => limits.receive(counted);
  const telling = setInterval(() => {
    const counted = limits.untold();
    if (counted !== null) send({ kind: "requests counted", counted });
  }, tellCountsEveryMilliseconds).unref();
  return () => clearInterval(telling);
}

/** If the supervisor has ended, this process ends too, because nothing waits for the message. */
function send(message: ProcessMessage, then: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, then);
}

cacheCompiledModules();
if (cluster.worker !== undefined) await run(cluster.worker);
