import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import path from "node:path";
import { namingFullFolder } from "../errors.ts";
import { anyText, integer, path as pathKind } from "../value-kinds.ts";
import { defineCommand } from "./command-line.ts";
import { ownAddresses } from "./own-addresses.ts";

export const exportDocuments = defineCommand({
  name: "export",
  summary: "Write the records of all documents as JSON, one per line, or an archive of everything.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    output: { kind: pathKind, placeholder: "FILE", help: "The file to write. Default: the standard output." },
    archive: {
      kind: pathKind,
      placeholder: "FOLDER",
      help: "Write an archive into this new folder instead: files, texts, notes, projects, people, and checksums.",
    },
    user: {
      kind: anyText,
      placeholder: "USER",
      help: "The id or username of the owner of the documents that the archive has. Without it, all owners.",
    },
    project: {
      kind: integer(1),
      placeholder: "ID",
      help: "The project of the documents that the archive has. Without it, in any or none.",
    },
    public: { flag: true, help: "The archive has only what everyone may see." },
  },
  check({ options: { archive, output, user, project, public: isPublic } }) {
    const problems = [];
    if (archive !== null && output !== null) problems.push("--output: not with --archive, which is a folder");
    for (const [name, value] of Object.entries({ user, project }))
      if (archive === null && value !== null) problems.push(`--${name}: only with --archive`);
    if (archive === null && isPublic) problems.push("--public: only with --archive");
    return problems;
  },
  async run(command) {
    const { config, options, signal, stdout, stderr } = command;
    if (options.archive !== null) {
      const { exportArchiveTo } = await import("./archive.ts");
      return exportArchiveTo(options.archive, options, command);
    }
    const [{ openContext }, { exportedRecords }, { countAllDocuments }, { Progress }, { default: pino }] =
      await Promise.all([
        import("../context.ts"),
        import("../resources/documents/record/export-documents.ts"),
        import("../resources/documents/record/export-store.ts"),
        import("./progress.ts"),
        import("pino"),
      ]);
    const context = await openContext(config, pino({ level: config.logLevel, base: null }, stderr), {
      signal,
    });
    const progress = new Progress(stderr, {
      unit: "documents",
      total: await countAllDocuments(context.database),
    });
    const { output } = options;
    // On one terminal, records and progress would overwrite each other.
    const isQuiet = output === null && "isTTY" in stdout && stdout.isTTY === true;
    let done = 0;
    async function* records(): AsyncGenerator<string> {
      for await (const { text, count } of exportedRecords(context.database, ownAddresses(config))) {
        yield text;
        done += count;
        if (!isQuiet) progress.update(done);
      }
    }
    const write = (target: Writable, end: boolean): Promise<void> =>
      pipeline(Readable.from(records(), { highWaterMark: 1 }), target, { signal, end });
    try {
      if (output === null) await write(stdout, false);
      else await writeWhole(output, (target) => write(target, true));
      progress.finish(
        isQuiet ? undefined : `${done.toLocaleString("en")} ${done === 1 ? "document" : "documents"} out`,
      );
    } finally {
      progress.finish();
      await context.close();
    }
    return 0;
  },
});

/** Writes the file completely or not at all. Only its owner may read it, because not every record in it is public. */
async function writeWhole(file: string, write: (target: Writable) => Promise<void>): Promise<void> {
  const partial = `${file}.${randomUUID()}.part`;
  try {
    await write(createWriteStream(partial, { mode: 0o600, flags: "wx" }));
    const handle = await open(partial, "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw namingFullFolder(error, path.dirname(path.resolve(file)));
  }
}
