import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Context } from "../context.ts";
import { keepRecordsStored } from "../resources/documents/record-store.ts";
import { hasDocuments } from "../resources/documents/record/document-of-file-store.ts";
import { FileImport } from "./import-files.ts";
import { type Owner, findSamplesOwner } from "./owner.ts";
import { type ImportProgress, ImportReport } from "./report.ts";

/** The sample documents that come with Quire, and their languages. */
export const sampleLanguages: Readonly<Record<string, string>> = {
  "Annual report of the harbour office 2024.pdf": "eng",
  "Letter from the lighthouse keeper, 3 February 1931.pdf": "eng",
  "Notice of winter opening hours.pdf": "eng",
  "Proposal for the market square, with a plan.pdf": "eng",
  "Protokoll der Ratssitzung vom 12. März 2024.pdf": "deu",
  "Ship arrivals by month 2024.xlsx": "eng",
};

export const samplesFolder = fileURLToPath(new URL("../../samples/", import.meta.url));

/**
 * Adds the public sample documents to a database that has no documents, and does nothing otherwise. They belong to an
 * administrator who can sign in, or else to any user who can. Throws if there is no such user. Finishes the progress.
 */
export async function importSamples(
  context: Pick<Context, "config" | "database" | "files">,
  { signal, progress }: { signal: AbortSignal; progress: ImportProgress },
): Promise<void> {
  if (await hasDocuments(context.database)) return;
  keepRecordsStored(context.database);
  const report = new ImportReport(progress);
  const owner = (): Promise<Owner> => findSamplesOwner(context.database);
  const files = new FileImport(context, { owner, access: "public", signal, report });
  try {
    for (const [name, language] of Object.entries(sampleLanguages)) {
      const file = { path: path.join(samplesFolder, name), extension: path.extname(name).slice(1) };
      await files.run(file, language);
    }
  } finally {
    await files.close();
    progress.finish(`Samples: ${report.summary()}`);
  }
}
