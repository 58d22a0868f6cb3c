import { defineCommand } from "./command-line.ts";
import { withContext } from "./open.ts";

export const doctor = defineCommand({
  name: "doctor",
  summary: "Compare database, files and index, and say what differs; mend it, if asked to.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    repair: { flag: true, help: "Mends what can be mended." },
  },
  async run({ config, options, signal, stdout, stderr }) {
    const { examineDocuments } = await import("../resources/documents/examine-documents.ts");
    let [found, mended] = [0, 0];
    await withContext(config, stderr, async (context) => {
      for await (const { what, repair } of examineDocuments(context)) {
        signal.throwIfAborted();
        found += 1;
        const isMended = options.repair && repair !== null;
        if (isMended) {
          await repair();
          mended += 1;
        }
        const note = isMended ? ": mended" : repair === null ? ": cannot be mended from here" : "";
        stdout.write(`${what}${note}\n`);
      }
    });
    stdout.write(found === 0 ? "Nothing differs.\n" : `${found} differences, ${mended} mended.\n`);
    return found === mended ? 0 : 1;
  },
});
