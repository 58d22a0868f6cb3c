import { text } from "node:stream/consumers";
import packageJson from "../../../package.json" with { type: "json" };
import { anyText, integer } from "../../value-kinds.ts";
import { defineCommand } from "../command-line.ts";
import { ownAddresses } from "../own-addresses.ts";
import { count } from "./transfer-progress.ts";

export const mirror = defineCommand({
  name: "mirror",
  summary: "Copy the documents of another server with DocumentCloud's API, and bring the copy up to date.",
  arguments: {
    placeholder: "<api>",
    help: "The address of the other server's API, such as https://docs.example.org/api/.",
    min: 1,
    max: 1,
  },
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    user: { kind: integer(1), placeholder: "ID", help: "Only documents of this user." },
    organization: { kind: integer(1), placeholder: "ID", help: "Only documents of this organization." },
    project: { kind: integer(1), placeholder: "ID", help: "Only documents of this project." },
    token: {
      kind: anyText,
      placeholder: "TOKEN",
      help: "A token of the other server. Without it, public documents.",
    },
    username: {
      kind: anyText,
      placeholder: "NAME",
      help: "An account of the other server. The password is one line on the standard input.",
    },
    "sign-in": {
      kind: anyText,
      placeholder: "ADDRESS",
      help:
        "The address of the API that signs the account in, if it is another one: " +
        "https://accounts.muckrock.com/api/ for DocumentCloud.",
    },
    delete: { flag: true, help: "Delete documents here that the other server no longer has." },
  },
  async run({ config, options, arguments: [word = ""], signal, stdin, stdout, stderr }) {
    const [
      { openContext },
      { AccountCredentials, tokenCredentials },
      { mirrorDocuments },
      { OtherServerError, realPatience },
      { ImportRun },
      { ImportReport },
      { Progress },
      { default: pino },
    ] = await Promise.all([
      import("../../context.ts"),
      import("../../mirror/credentials.ts"),
      import("../../mirror/mirror.ts"),
      import("../../import/polite-fetch.ts"),
      import("../../import/import-run.ts"),
      import("../../import/report.ts"),
      import("../progress.ts"),
      import("pino"),
    ]);
    const { token, username, user, organization, project } = options;
    const api = apiAt(word);
    const signIn = apiAt(options["sign-in"] ?? api);
    if (token !== null && username !== null) throw new Error("Give either --token or --username");
    if (username === null && options["sign-in"] !== null) throw new Error("--sign-in needs --username");
    const userAgent = `Quire/${packageJson.version}`;
    const password = username === null ? "" : (await text(stdin)).replace(/\r?\n$/, "");
    const account = username !== null && { username, password, signIn, userAgent, signal };
    const credentials = account ? new AccountCredentials(account) : token !== null && tokenCredentials(token);
    const log = pino({ level: config.logLevel, base: null }, stderr);
    const context = await openContext(config, log, { signal });
    const progress = new Progress(stderr, { unit: "documents" });
    const report = new ImportReport(progress);
    try {
      const about = { kind: "mirror", sources: [api], user: null, seen: null } as const;
      await using run = await ImportRun.begin(context.database, { ...about, report, signal });
      const { files, gone, deleted } = await mirrorDocuments(context, {
        api,
        selection: {
          ...(user !== null && { user }),
          ...(organization !== null && { organization }),
          ...(project !== null && { project }),
        },
        ...(credentials && { credentials }),
        deletes: options.delete,
        ownAssets: ownAddresses(config).assets,
        userAgent,
        patience: realPatience,
        signal,
        report,
      });
      run.done();
      progress.finish(report.summary());
      const goneText = gone === 0 ? "" : ` ${count(gone, "document")} gone there, ${deleted} deleted here.`;
      stdout.write(`Fetched ${count(files, "file")}.${goneText}\n`);
      if (gone > deleted && !options.delete) stdout.write("Run it with --delete to delete them here.\n");
    } catch (error) {
      progress.finish(report.summary());
      if (error instanceof OtherServerError) throw new Error(`${api} ${error.message}`, { cause: error });
      throw error;
    } finally {
      await context.close();
    }
    return report.failed > 0 ? 1 : 0;
  },
});

/** The address of an API, which may be written as that of its site. */
function apiAt(word: string): string {
  const url = URL.parse(word);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error(`${word}: not the address of an API`);
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new Error(`${word}: give the address of the API alone, such as ${url.origin}/api/`);
  }
  if (url.pathname === "/") url.pathname = "/api/";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url.href;
}
