import { once } from "node:events";
import type { Command } from "./command-line.ts";

export const work: Command = {
  name: "work",
  summary: "Process what is queued, beside the servers on the same database.",
  options: { data: { setting: "data", placeholder: "FOLDER" } },
  async run({ config, signal, stdout }) {
    const [{ openContext }, { buildWorker }, { default: pino }] = await Promise.all([
      import("../context.ts"),
      import("../worker.ts"),
      import("pino"),
    ]);
    const context = await openContext(config, pino({ level: config.logLevel, base: null }));
    try {
      const worker = buildWorker(context);
      worker.start();
      stdout.write("Processing what is queued. Ctrl-C ends it.\n");
      if (!signal.aborted) await once(signal, "abort");
      await worker.stop();
    } finally {
      await context.close();
    }
    return 0;
  },
};
