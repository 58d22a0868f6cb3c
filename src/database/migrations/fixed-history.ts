import type { Dialect } from "../dialect.ts";

/** The triggers by which the database refuses to change or remove rows of a table of history. */
export function fixedHistory(engine: Dialect["engine"], table: string): string[] {
  if (engine === "postgres")
    return [
      `create trigger ${table}_is_fixed before update or delete or truncate on ${table}
        for each statement execute function document_history_is_fixed()`,
    ];
  return ["update", "delete"].map(
    (action) => `create trigger ${table}_no_${action} before ${action} on ${table} begin
      select raise(abort, 'history does not change');
    end`,
  );
}
