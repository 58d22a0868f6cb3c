import { writeFile } from "node:fs/promises";
import { anyText, path } from "../value-kinds.ts";
import packageJson from "../../package.json" with { type: "json" };
import { defineCommand } from "./command-line.ts";
import { importOptions } from "./import-options.ts";
import { ownAddresses, passwordLinkLines } from "./own-addresses.ts";

export const importDocuments = defineCommand({
  name: "import",
  summary: "Import documents: files, folders, records, or the list of another server.",
  arguments: {
    placeholder: "<source>...",
    help:
      "PDFs and other documents; folders of them; files of records, or - for records on the standard input; " +
      "the address of another server's list. None with --archive.",
    min: 0,
    max: Infinity,
  },
  options: {
    ...importOptions,
    user: {
      kind: anyText,
      placeholder: "USER",
      help:
        "The id or username of the owner. A user without an account gets one. " +
        "Without it, the only user who can sign in.",
    },
    report: {
      kind: path,
      placeholder: "FILE",
      help: "Write a CSV file with a line for each file: its path, what became of it, its document, and why.",
    },
    archive: {
      kind: path,
      placeholder: "FOLDER",
      help: "Import an archive that quire export --archive has written, with all ids, and nothing else.",
    },
  },
  check({ options: { archive, ...others }, arguments: words }) {
    if (archive === null) return words.length === 0 ? ["<source>... is missing"] : [];
    const given = Object.entries(others).filter(([, value]) => value !== null);
    return [
      ...given.map(([name]) => `--${name}: not with --archive, which has it`),
      ...words.map((word) => `${JSON.stringify(word)}: one argument too many`),
    ];
  },
  async run(command) {
    const { config, options, arguments: words, signal, stdin, stdout, stderr } = command;
    if (options.archive !== null) {
      const { importArchiveAt } = await import("./archive.ts");
      return importArchiveAt(options.archive, command);
    }
    const [
      { openContext },
      { bytesOf, findSources },
      { importSources },
      { ensureOwnerAccount },
      { ImportReport },
      { Progress },
      { default: pino },
    ] = await Promise.all([
      import("../context.ts"),
      import("../import/sources.ts"),
      import("../import/import-sources.ts"),
      import("../import/owner.ts"),
      import("../import/report.ts"),
      import("./progress.ts"),
      import("pino"),
    ]);
    const { sources, others } = await findSources(words, stdin);
    const context = await openContext(config, pino({ level: config.logLevel, base: null }, stderr), {
      signal,
    });
    const total = sources.every((source) => source.kind === "file") ? sources.length : undefined;
    const progress = new Progress(stderr, { unit: "documents", total });
    const report = new ImportReport(progress, bytesOf(sources), options.report !== null);
    for (const { name, reason, sort, isNamed } of others) {
      if (isNamed) report.fail(name, reason);
      else report.skip(name, reason, sort);
    }
    const isOfFiles = sources.every(({ kind }) => kind === "file");
    let importId: number | null = null;
    try {
      const { user, organization, project, access, language } = options;
      for (const [name, value] of Object.entries({ access, language, project })) {
        if (value !== null && !isOfFiles) {
          throw new Error(`--${name} is for files: records have their own. Import the two separately`);
        }
      }
      const made = user === null ? null : await ensureOwnerAccount(context, user);
      if (made !== null) {
        stdout.write(passwordLinkLines(config, made.username, made.token));
      }
      importId = await importSources(context, sources, {
        owner: { user, organization, project },
        named: words,
        access,
        language,
        ownAssets: ownAddresses(config).assets,
        userAgent: `Quire/${packageJson.version}`,
        signal,
        report,
      });
    } finally {
      progress.finish(signal.aborted ? `StoppedError: ${report.summary()}` : report.summary());
      if (options.report !== null) await writeFile(options.report, report.csv);
      if (importId !== null && isOfFiles && report.added > 0)
        stderr.write(`Progress and results: ${ownAddresses(config).web}/imports/${importId}/\n`);
      if (report.namelessUsers !== null) stderr.write(`${report.namelessUsers}\n`);
      await context.close();
    }
    return report.failed > 0 ? 1 : 0;
  },
});
