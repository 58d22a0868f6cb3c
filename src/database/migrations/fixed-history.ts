import { type Kysely, sql } from "kysely";

/** Makes the database refuse to change or remove rows of a table of history. */
export async function fixHistory(
  db: Kysely<unknown>,
  engine: "sqlite" | "postgres",
  table: string,
): Promise<void> {
  const triggers =
    engine === "postgres"
      ? [
          `create trigger ${table}_is_fixed before update or delete or truncate on ${table}
            for each statement execute function document_history_is_fixed()`,
        ]
      : ["update", "delete"].map(
          (action) => `create trigger ${table}_no_${action} before ${action} on ${table} begin
            select raise(abort, 'history does not change');
          end`,
        );
  for (const trigger of triggers) await sql.raw(trigger).execute(db);
}
