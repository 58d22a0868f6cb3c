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
      { QueueProgress },
      { default: pino },
    ] = await Promise.all([
      import("../context.ts"),
      import("../worker.ts"),
      import("../jobs/queue.ts"),
      import("./queue-progress.ts"),
      import("pino"),
    ]);
    const goesOn = !options["until-done"];
    const context = await openContext(config, pino({ level: config.logLevel, base: null }), {
      signal,
      startsWithoutFiles: goesOn,
    });
    const terminal: TextStream = stderr;
    try {
      await logUnknownKinds(context.database.reader, context.log);
      const worker = buildWorker(context);
      worker.start();
      if (goesOn) stdout.write("Processing what is queued. Ctrl-C ends it.\n");
      // In a log, a line every five seconds is useful only to someone who waits for the end.
      if (!goesOn || terminal.isTTY === true) {
        await new QueueProgress(context.database, awaitedJobs, terminal).watch(signal, { goesOn });
      } else if (!signal.aborted) await once(signal, "abort");
      await worker.stop();
    } finally {
      await context.close();
    }
    return 0;
  },
});
