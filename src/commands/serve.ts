import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { Context } from "../context.ts";
import { reasonOf } from "../errors.ts";
import type { Command } from "./command-line.ts";
import type { TextStream } from "./progress.ts";
import { passwordAddress } from "../http/text/addresses.ts";
import type { MailReceiver } from "../serving/mail-receiver.ts";
import type { RequestServer } from "../serving/request-server.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve the API and the web pages.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    host: { setting: "host", placeholder: "ADDRESS" },
    port: { setting: "port", placeholder: "PORT" },
  },
  async run({ config, environment, signal, stdout, stderr }) {
    const [{ ServerProcesses, processCount }, { openServerLog }, { LastDeadline }, { inheritedSocket }] =
      await Promise.all([
        import("../serving/server-processes.ts"),
        import("../serving/server-log.ts"),
        import("../serving/last-deadline.ts"),
        import("../serving/inherited-socket.ts"),
      ]);
    const socket = inheritedSocket(environment, process.pid);
    const isAlone = processCount(config) === 1;
    const { log, flush } = openServerLog(config, { isShared: !isAlone });
    // The processes load their modules while this one loads its own.
    const processes = isAlone ? null : new ServerProcesses(config, log);
    const deadline = new LastDeadline(config.drainSeconds + config.stopLimitSeconds, log, flush);
    signal.addEventListener("abort", () => deadline.begin(), { once: true });
    const replace = (): void => {
      if (processes === null) log.warn("SIGHUP replaces processes, but QUIRE_PROCESSES is 1");
      else void processes.replace();
    };
    process.on("SIGHUP", replace);
    try {
      const [
        { openContext },
        { linkOfFirstAdministrator },
        { logUnknownKinds },
        { BackgroundWork },
        { onceDatabaseAnswers },
        { metricsOf },
      ] = await Promise.all([
        import("../context.ts"),
        import("../resources/users/credentials/password-links.ts"),
        import("../jobs/queue.ts"),
        import("../serving/background-work.ts"),
        import("../database/database-unavailable.ts"),
        import("../serving/server-metrics.ts"),
      ]);
      const context = await openContext(config, log, {
        signal,
        servesRequests: true,
        startsWithoutFiles: true,
        ...(processes !== null && { semaphores: processes.semaphores }),
      });
      try {
        if (config.samples) await addSamples(context, signal, stderr);
        const metrics = metricsOf(context);
        const listening =
          processes === null ? serveAlone(context, socket) : processes.listen(context, { socket, metrics });
        const server = await listening.catch(async (error: unknown) => {
          const { explainedPort } = await import("./port-in-use.ts");
          throw await explainedPort(error, config);
        });
        const work = new BackgroundWork(context, { metrics });
        let gathering = Promise.resolve();
        try {
          const url = config.url ?? localAddress(server.address);
          stdout.write(whereToLook(url, config.webUrl));
          const begin = async (): Promise<void> => {
            await logUnknownKinds(context.database.reader, log);
            const link = await linkOfFirstAdministrator(context);
            if (link !== null) stdout.write(invitationOf(link.username, passwordAddress(url, link.token)));
          };
          await onceDatabaseAnswers(begin, { seconds: Infinity, signal, log });
          work.start();
          await using _mails = await receiveMails(context);
          gathering = gatherStatistics(context);
          await Promise.race([aborted(signal), ...(processes === null ? [] : [processes.failed])]);
        } finally {
          deadline.begin();
          await Promise.all([server.close(), work.stop(), gathering]);
        }
      } finally {
        await context.close();
      }
    } finally {
      await processes?.close();
      process.off("SIGHUP", replace);
      deadline.end();
      flush();
    }
    return 0;
  },
};

/** Imports the samples into a database without documents, if there is a place for their files. */
async function addSamples(context: Context, signal: AbortSignal, stderr: TextStream): Promise<void> {
  const { hasDocuments } = await import("../resources/documents/record/document-of-file-store.ts");
  if (await hasDocuments(context.database)) return;
  const [{ addFirstAdministrator }, { importSamples }, { Progress }] = await Promise.all([
    import("../resources/users/credentials/password-links.ts"),
    import("../import/samples.ts"),
    import("./progress.ts"),
  ]);
  // The samples belong to somebody who can sign in.
  await addFirstAdministrator(context);
  try {
    await context.files.ping();
  } catch (error) {
    const reason = reasonOf(error);
    context.log.warn({ reason }, "The samples come at a later start: their files cannot be stored now");
    return;
  }
  await importSamples(context, { signal, progress: new Progress(stderr, { unit: "samples" }) });
}

/** Without other processes, this one answers the requests itself. */
async function serveAlone(context: Context, socket: number | null): Promise<RequestServer> {
  const { listen } = await import("../serving/request-server.ts");
  return listen(context, { port: context.config.port, socket });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/** Null where no mails arrive by SMTP. */
async function receiveMails(context: Context): Promise<MailReceiver | null> {
  if (context.config.mailInPort === null) return null;
  const { startMailReceiver } = await import("../serving/mail-receiver.ts");
  return startMailReceiver(context);
}

/** Without statistics, PostgreSQL may read many times as much for a page as it needs to. */
async function gatherStatistics({ database, log }: Context): Promise<void> {
  const [{ addMissingStatistics }, { logUnlessAway }] = await Promise.all([
    import("../database/statistics.ts"),
    import("../database/database-unavailable.ts"),
  ]);
  try {
    const tables = await addMissingStatistics(database);
    if (tables.length > 0) log.info({ tables }, "Gathered the statistics that the database did not have");
  } catch (error) {
    logUnlessAway(log, error, "Gathering the database's statistics failed");
  }
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
