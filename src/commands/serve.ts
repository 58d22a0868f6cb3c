import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { Command } from "./command-line.ts";
import { passwordAddress } from "./own-addresses.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve the API and the web pages.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    host: { setting: "host", placeholder: "ADDRESS" },
    port: { setting: "port", placeholder: "PORT" },
  },
  async run({ config, signal, stdout, stderr }) {
    const [
      { buildApp },
      { openContext },
      { importSamples },
      { addFirstAdministrator, linkOfFirstAdministrator },
      { hasDocuments },
      { Progress },
      { BackgroundWork },
      { GracefulClose },
      { onceDatabaseAnswers },
      { default: pino },
    ] = await Promise.all([
      import("../app.ts"),
      import("../context.ts"),
      import("../import/samples.ts"),
      import("../resources/users/credentials/password-links.ts"),
      import("../resources/documents/record/import-store.ts"),
      import("./progress.ts"),
      import("./background-work.ts"),
      import("../http/response/graceful-close.ts"),
      import("../database/database-unavailable.ts"),
      import("pino"),
    ]);
    // Log lines are written in blocks of 4096 bytes, or after a second: a write for each would cost as much as a request.
    const logs = pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 });
    const log = pino({ level: config.logLevel, base: null }, logs);
    const context = await openContext(config, log, { signal, servesRequests: true });
    try {
      if (config.samples && !(await hasDocuments(context.database))) {
        // The samples belong to somebody who can sign in.
        await addFirstAdministrator(context);
        await importSamples(context, { signal, progress: new Progress(stderr, { unit: "samples" }) });
      }
      const app = buildApp(context);
      const closing = new GracefulClose(app);
      const work = new BackgroundWork(context);
      await app.listen({ host: config.host, port: config.port });
      try {
        const url = config.url ?? localAddress(app.server.address() as AddressInfo);
        stdout.write(whereToLook(url, config.webUrl));
        const inviteAdministrator = async (): Promise<void> => {
          const link = await linkOfFirstAdministrator(context);
          if (link !== null) stdout.write(invitationOf(link.username, passwordAddress(url, link.token)));
        };
        await onceDatabaseAnswers(inviteAdministrator, { seconds: Infinity, signal, log });
        if (config.processingWorkers > 0) work.start();
        if (!signal.aborted) await once(signal, "abort");
      } finally {
        await Promise.all([closing.close(), work.stop()]);
      }
    } finally {
      await context.close();
      logs.flushSync();
    }
    return 0;
  },
};

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
