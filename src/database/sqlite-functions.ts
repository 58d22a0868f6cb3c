import type { DatabaseSync } from "node:sqlite";
import { isWithinEdits } from "./edit-distance.ts";

/** Adds the SQL functions that statements call besides SQLite's own. */
export function addSqliteFunctions(database: DatabaseSync): void {
  database.function("fold", { deterministic: true }, (text) =>
    typeof text === "string" ? text.toLowerCase() : text,
  );
  database.function("is_within_edits", { deterministic: true }, (word, other, edits) =>
    Number(isWithinEdits(String(word), String(other), Number(edits))),
  );
}
