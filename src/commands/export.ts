import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { path } from "../value-kinds.ts";
import { defineCommand } from "./command-line.ts";
import { ownAddresses } from "./own-addresses.ts";

export const exportDocuments = defineCommand({
  name: "export",
  summary: "Write the records of all documents, one on each line.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    output: { kind: path, placeholder: "FILE", help: "Where to write. Without it, the standard output." },
  },
  async run({ config, options, signal, stdout, stderr }) {
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
    // Records and the progress would get into each other's way on one terminal.
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
      else await writeAside(output, (target) => write(target, true));
      progress.finish(
        isQuiet ? undefined : `${whole.format(done)} ${done === 1 ? "document" : "documents"} out`,
      );
    } finally {
      progress.finish();
      await context.close();
    }
    return 0;
  },
});

const whole = new Intl.NumberFormat("en");

/** A file of this name is a whole export or none. Only its owner may read it: not every record in it is public. */
async function writeAside(file: string, write: (target: Writable) => Promise<void>): Promise<void> {
  const aside = `${file}.${randomUUID()}.part`;
  try {
    await write(createWriteStream(aside, { mode: 0o600, flags: "wx" }));
    const handle = await open(aside, "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}
