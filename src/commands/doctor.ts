import { reasonOf } from "../errors.ts";
import { integer } from "../value-kinds.ts";
import { defineCommand } from "./command-line.ts";
import { withContext } from "./open.ts";

export const doctor = defineCommand({
  name: "doctor",
  summary: "Compare the database, the files and the index, report differences, and repair them if asked to.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    hashes: { flag: true, help: "Also read every PDF and compare it with its hash." },
    after: {
      kind: integer(1),
      placeholder: "ID",
      help: "Go on from where an earlier run has stopped. It says where when it ends early.",
    },
    repair: { flag: true, help: "Repair the differences that can be repaired." },
  },
  async run({ config, options, signal, stdout, stderr }) {
    const [{ examineDocuments }, { addMissingStatistics }] = await Promise.all([
      import("../resources/documents/processing/examine-documents.ts"),
      import("../database/statistics.ts"),
    ]);
    let [found, mended] = [0, 0];
    let { after } = options;
    const onBatch = async (_documents: number, position: number | null): Promise<void> => {
      after = position;
      signal.throwIfAborted();
    };
    const outcomeOf = async (repair: () => Promise<void>): Promise<string | null> => {
      if (!options.repair) return null;
      try {
        await repair();
        return "mended";
      } catch (error) {
        return `could not be mended (${reasonOf(error)})`;
      }
    };
    await withContext(config, stderr, async (context) => {
      // Without them, PostgreSQL reads whole tables for each batch.
      await addMissingStatistics(context.database);
      try {
        for await (const { what, repair } of examineDocuments(context, { ...options, onBatch })) {
          signal.throwIfAborted();
          found += 1;
          const outcome = repair === null ? "cannot be mended from here" : await outcomeOf(repair);
          if (outcome === "mended") mended += 1;
          stdout.write(outcome === null ? `${what}\n` : `${what}: ${outcome}\n`);
        }
      } catch (error) {
        if (after !== null) stderr.write(`To go on from here: quire doctor --after ${after}\n`);
        throw error;
      }
    });
    stdout.write(found === 0 ? "Nothing differs.\n" : `${found} differences, ${mended} mended.\n`);
    return found === mended ? 0 : 1;
  },
});
