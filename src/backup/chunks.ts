import type { CopiedRow } from "../database/transfer/snapshot.ts";

/** Rows whose ids fall into the same span of ids are in one chunk, so that most chunks are the same in every backup. */
const idsInChunk = 500;
const maxRowsInChunk = 5000;
const maxCharactersInChunk = 8 * 1024 * 1024;

/**
 * The lines of chunks of rows: the names of the columns, and then the values of each row. Rows are in the order of the
 * ids that `idOf` finds; it is null if they have none.
 */
export async function* chunksOf(
  rows: Iterable<CopiedRow> | AsyncIterable<CopiedRow>,
  idOf: (row: CopiedRow) => number | null,
): AsyncGenerator<string[]> {
  let lines: string[] = [];
  let characters = 0;
  let spanOfLines: number | null = null;
  for await (const row of rows) {
    const spanOfRow = Math.floor((idOf(row) ?? 0) / idsInChunk);
    const isFull = lines.length > maxRowsInChunk || characters > maxCharactersInChunk;
    if (lines.length > 0 && (isFull || spanOfRow !== spanOfLines)) {
      yield lines;
      lines = [];
      characters = 0;
    }
    if (lines.length === 0) lines.push(`${JSON.stringify(Object.keys(row))}\n`);
    spanOfLines = spanOfRow;
    const line = `${JSON.stringify(Object.values(row))}\n`;
    characters += line.length;
    lines.push(line);
  }
  if (lines.length > 0) yield lines;
}

/** The number in a column, for {@link chunksOf}. */
export const idIn =
  (column: string) =>
  (row: CopiedRow): number | null => {
    const id = row[column];
    return typeof id === "number" ? id : null;
  };

/** The id of the document in the key of one of its files, such as `documents/7/a.pdf`; 0 for a file of a run. */
export function documentOfKey(key: string): number {
  const [folder, id] = key.split("/");
  return folder === "documents" ? Number(id) : 0;
}
