import type { Context } from "../../context.ts";
import { fragmentKey, productionFolder } from "./fragment.ts";
import { producedRows } from "./store.ts";

type Services = Pick<Context, "database" | "files">;

/** The rows of a production that were made and whose files are not there, in batches: backups leave the files out. */
export async function* missingFiles({ database, files }: Services, id: number): AsyncGenerator<number[]> {
  const there = new Set<string>();
  for await (const { key } of files.list(productionFolder(id))) there.add(key);
  for await (const rows of producedRows(database.reader, id)) {
    const gone = rows.filter(
      ({ state, files: own, first_number: first }) =>
        state !== "waiting" && own !== "[]" && !there.has(fragmentKey(id, first)),
    );
    if (gone.length > 0) yield gone.map((row) => row.id);
  }
}

/** Whether all files of a production that is done are there. */
export async function isComplete(services: Services, id: number): Promise<boolean> {
  for await (const _gone of missingFiles(services, id)) return false;
  return true;
}
