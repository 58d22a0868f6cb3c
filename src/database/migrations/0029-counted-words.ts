import { type Kysely, sql } from "kysely";

/**
 * The list of the counted words (0021-word-counts), for suggestions. SQLite reads it from the index of counts: each
 * word with the marks of its counts. PostgreSQL already has a list of words, and gets a function that finds all blocks
 * that contain a word, or at most `max_blocks` of them. Like `word_counts_of`, it keeps the planner from reading all
 * rows.
 */
export async function countedWords(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  await sql.raw(engine === "postgres" ? postgresStatement : sqliteStatement).execute(db);
}

const sqliteStatement = `create virtual table counted_terms using fts5vocab(word_counts, row)`;

const postgresStatement = `create function blocks_with_terms(terms text[], max_blocks bigint)
  returns table (document_id bigint, block bigint)
  language plpgsql stable parallel safe rows 100 set enable_seqscan = off set enable_indexscan = off as $$
  begin
    return query select held.document_id, held.block from word_counts held
      where held.words && (terms collate "C") limit max_blocks;
  end $$`;
