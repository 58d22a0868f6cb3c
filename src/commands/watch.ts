import { setTimeout as wait } from "node:timers/promises";
import { anyText, integer } from "../value-kinds.ts";
import { defineCommand } from "./command-line.ts";
import { importOptions } from "./import-options.ts";

const usualSeconds = 5;

export const watch = defineCommand({
  name: "watch",
  summary: "Import the files that arrive in a folder, until it is ended.",
  arguments: {
    placeholder: "<folder>",
    help: "The folder, with the folders in it. A file is imported when it has stopped growing, and once.",
    min: 1,
    max: 1,
  },
  options: {
    ...importOptions,
    user: {
      kind: anyText,
      placeholder: "USER",
      help: "The id or username of the owner. Without it, the only user who can sign in.",
    },
    every: {
      kind: integer(1),
      placeholder: "SECONDS",
      help: `How often to look. A file that is the same at two looks has stopped growing. Without it, ${usualSeconds}.`,
    },
  },
  async run({ config, options, arguments: words, signal, stdout, stderr }) {
    const [
      { openContext },
      { FileImport },
      { FolderWatch },
      { ImportRun },
      { findOwner },
      { ImportReport },
      { Progress },
      { keepRecordsStored },
      { default: pino },
    ] = await Promise.all([
      import("../context.ts"),
      import("../import/import-files.ts"),
      import("../import/watch-folder.ts"),
      import("../import/import-run.ts"),
      import("../import/owner.ts"),
      import("../import/report.ts"),
      import("./progress.ts"),
      import("../resources/documents/record-store.ts"),
      import("pino"),
    ]);
    const { user, organization, project, access, language, every } = options;
    const [folder = ""] = words;
    const context = await openContext(config, pino({ level: config.logLevel, base: null }, stderr), {
      signal,
    });
    const report = new ImportReport(new Progress(stderr, { unit: "documents" }), null);
    keepRecordsStored(context.database);
    const owner = await findOwner(context.database, { user, organization, project });
    const files = new FileImport(context, { owner: async () => owner, access, signal, report });
    try {
      const about = { kind: "watch", sources: [folder], user: owner.user, seen: null } as const;
      await using run = await ImportRun.begin(context.database, { ...about, report, signal });
      const watched = new FolderWatch(context, folder, { files, report, language });
      stdout.write(`Watching ${folder}. Ctrl-C ends it.\n`);
      while (!signal.aborted) {
        if ((await watched.look(signal)) > 0) stderr.write(`${report.summary()}\n`);
        await wait((every ?? usualSeconds) * 1000, undefined, { signal }).catch(() => undefined);
      }
      run.done();
    } finally {
      await files.close();
      await context.close();
    }
    return 0;
  },
});
