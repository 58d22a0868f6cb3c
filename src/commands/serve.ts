import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { Context } from "../context.ts";
import type { Command } from "./command-line.ts";
import { passwordAddress } from "../http/text/addresses.ts";
import type { RequestServer } from "../serving/request-server.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve the API and the web pages.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    host: { setting: "host", placeholder: "ADDRESS" },
    port: { setting: "port", placeholder: "PORT" },
  },
  async run({ config, signal, stdout, stderr }) {
    const [{ ServerProcesses, processCount }, { openServerLog }] = await Promise.all([
      import("../serving/server-processes.ts"),
      import("../serving/server-log.ts"),
    ]);
    const isAlone = processCount(config) === 1;
    const { log, flush } = openServerLog(config, { isShared: !isAlone });
    // The processes load their modules while this one loads its own.
    const processes = isAlone ? null : new ServerProcesses(config, log);
    try {
      const [
        { openContext },
        { addFirstAdministrator, linkOfFirstAdministrator },
        { hasDocuments },
        { BackgroundWork },
        { onceDatabaseAnswers },
      ] = await Promise.all([
        import("../context.ts"),
        import("../resources/users/credentials/password-links.ts"),
        import("../resources/documents/record/import-store.ts"),
        import("../serving/background-work.ts"),
        import("../database/database-unavailable.ts"),
      ]);
      const context = await openContext(config, log, {
        signal,
        servesRequests: true,
        ...(processes !== null && { semaphores: processes.semaphores }),
      });
      try {
        if (config.samples && !(await hasDocuments(context.database))) {
          const [{ importSamples }, { Progress }] = await Promise.all([
            import("../import/samples.ts"),
            import("./progress.ts"),
          ]);
          // The samples belong to somebody who can sign in.
          await addFirstAdministrator(context);
          await importSamples(context, { signal, progress: new Progress(stderr, { unit: "samples" }) });
        }
        const server = processes === null ? await serveAlone(context) : await processes.listen(context);
        const work = new BackgroundWork(context);
        try {
          const url = config.url ?? localAddress(server.address);
          stdout.write(whereToLook(url, config.webUrl));
          const inviteAdministrator = async (): Promise<void> => {
            const link = await linkOfFirstAdministrator(context);
            if (link !== null) stdout.write(invitationOf(link.username, passwordAddress(url, link.token)));
          };
          await onceDatabaseAnswers(inviteAdministrator, { seconds: Infinity, signal, log });
          if (config.processingWorkers > 0) work.start();
          const stopped = signal.aborted ? Promise.resolve() : once(signal, "abort");
          await (processes === null ? stopped : Promise.race([stopped, processes.failed]));
        } finally {
          await Promise.all([server.close(), work.stop()]);
        }
      } finally {
        await context.close();
      }
    } finally {
      await processes?.close();
      flush();
    }
    return 0;
  },
};

/** Without other processes, this one answers the requests itself. */
async function serveAlone(context: Context): Promise<RequestServer> {
  const { listen } = await import("../serving/request-server.ts");
  return listen(context, { port: context.config.port });
}

function whereToLook(url: string, webUrl: string | null): string {
  return [
    "Quire is ready.",
    `  Documents for people   ${webUrl ?? url}/`,
    `  The list for programs  ${url}/api/documents/`,
    `  The list, browsable    ${url}/api/documents/?format=api`,
    "",
  ].join("\n");
}

function invitationOf(username: string, address: string): string {
  return [
    "",
    `Nobody has a password yet. Choose one for the administrator, "${username}", here, once:`,
    `  ${address}`,
    "",
    "",
  ].join("\n");
}

/** A URL that a person can open. An address that stands for every address of the machine becomes 127.0.0.1. */
function localAddress({ address, family, port }: AddressInfo): string {
  const isEverywhere = address === "0.0.0.0" || address === "::";
  const host = isEverywhere ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
