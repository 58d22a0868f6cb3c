import type { DatabaseSync } from "node:sqlite";
import { isWithinEdits } from "../edit-distance.ts";

/** Adds the SQL functions that statements call in addition to SQLite's own. */
export function addSqliteFunctions(database: DatabaseSync): void {
  database.function("fold", { deterministic: true }, (text) =>
    typeof text === "string" ? text.toLowerCase() : text,
  );
  database.function("is_within_edits", { deterministic: true }, (word, other, edits) =>
    Number(isWithinEdits(String(word), String(other), Number(edits))),
  );
  database.function("value_counts", { deterministic: true }, (texts, kinds, limit) =>
    JSON.stringify(
      valueCounts(
        JSON.parse(String(texts)) as string[],
        String(kinds).split(" ") as ("number" | "text")[],
        Number(limit),
      ),
    ),
  );
}

type ValueCount = [value: string | number, count: number];

/** See `Dialect.valueCounts`. Each text has the values of all columns of a row, with U+007F between them. */
function valueCounts(
  texts: readonly string[],
  kinds: readonly ("number" | "text")[],
  limit: number,
): ValueCount[][] {
  const tally = new Map<string, number>();
  for (const text of texts) tally.set(text, (tally.get(text) ?? 0) + 1);
  const counts = kinds.map(() => new Map<string, number>());
  for (const [joined, count] of tally) {
    const values = kinds.length === 1 ? [joined] : joined.split("\u007F");
    for (const [index, value] of values.entries()) {
      const ofColumn = counts[index];
      ofColumn?.set(value, (ofColumn.get(value) ?? 0) + count);
    }
  }
  return counts.map((ofColumn, index) => {
    const isNumber = kinds[index] === "number";
    const all = Array.from(ofColumn, ([value, count]): ValueCount => [
      isNumber ? Number(value) : value,
      count,
    ]);
    return all.toSorted(byCount).slice(0, limit);
  });
}

/** Sorts the most frequent first. Texts with the same count are ordered by their bytes, in both engines. */
function byCount([one, count]: ValueCount, [other, otherCount]: ValueCount): number {
  if (count !== otherCount) return otherCount - count;
  if (typeof one === "number" || typeof other === "number") return Number(one) - Number(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
