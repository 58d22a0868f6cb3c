import type { Database } from "../src/database/database.ts";

/** After rows came with ids of their own: the ones that are given out next are others. A server adds an administrator. */
export async function afterOwnIds(database: Database): Promise<void> {
  const { dialect } = database;
  for (const table of ["users", "organizations", "projects"] as const) {
    await database.write(async (writer) => void (await dialect.afterOwnIds(table)?.execute(writer)));
  }
}
