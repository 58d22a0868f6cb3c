import { once } from "node:events";
import { defineCommand } from "./command-line.ts";
import type { TextStream } from "./progress.ts";

export const work = defineCommand({
  name: "work",
  summary: "Run queued jobs, beside the servers on the same database.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    "until-done": { flag: true, help: "End when the queue is empty." },
  },
  async run({ config, options, signal, stdout, stderr }) {
    const [
      { openContext },
      { awaitedJobs, buildWorker },
      { logUnknownKinds },
      { onceDatabaseAnswers },
      { QueueProgress },
      { showWorkMetrics },
      { logOptions },
      { default: pino },
    ] = await Promise.all([
      import("../context.ts"),
      import("../worker.ts"),
      import("../jobs/queue.ts"),
      import("../database/database-unavailable.ts"),
      import("./queue-progress.ts"),
      import("../serving/work-metrics.ts"),
      import("../serving/server-log.ts"),
      import("pino"),
    ]);
    const log = pino(logOptions(config.logLevel));
    const goesOn = !options["until-done"];
    const context = await openContext(config, log, {
      signal,
      startsWithoutFiles: goesOn,
      measures: config.workMetricsPort !== null,
    });
    const terminal: TextStream = stderr;
    try {
      const hideMetrics = await showWorkMetrics(context);
      const patience = { seconds: config.databaseWaitSeconds, signal, log };
      await onceDatabaseAnswers(() => logUnknownKinds(context.database.reader, log), patience);
      const worker = buildWorker(context);
      worker.start();
      if (goesOn) stdout.write("Processing what is queued. Ctrl-C ends it.\n");
      // In a log, a line every five seconds is useful only to someone who waits for the end.
      if (!goesOn || terminal.isTTY === true) {
        await new QueueProgress(context.database, awaitedJobs, terminal).watch(signal, { goesOn });
      } else if (!signal.aborted) await once(signal, "abort");
      await worker.stop();
      await hideMetrics();
    } finally {
      await context.close();
    }
    return 0;
  },
});
