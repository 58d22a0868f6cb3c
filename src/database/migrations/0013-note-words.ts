import { type Kysely, sql } from "kysely";

/**
 * Notes are parts of their documents in the text index (search/parts.ts), each with its own number. However a note is
 * deleted, its words are deleted with it. A job indexes existing notes.
 */
export async function noteWords(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  await sql`alter table notes add column part bigint`.execute(db);
  await sql`update notes set part = 524288 + (
    select count(*) from notes as others where others.document_id = notes.document_id and others.id < notes.id)`.execute(
    db,
  );
  await sql`create unique index notes_by_part on notes (document_id, part)`.execute(db);
  for (const statement of engine === "postgres" ? postgresStatements : sqliteStatements) {
    await sql.raw(statement).execute(db);
  }
  const now = new Date().toISOString().replace("Z", "000Z");
  await sql`insert into jobs (kind, subject, options, created_at, due_at)
    select ${sql.lit("index documents")}, 0, '{}', ${sql.lit(now)}, ${sql.lit(now)}
    where exists (select 1 from notes) on conflict do nothing`.execute(db);
}

const sqliteStatements = [
  `create trigger notes_forget_words before delete on notes begin
    delete from document_words where rowid = old.document_id * 1048576 + old.part;
  end`,
];

const postgresStatements = [
  `create function notes_forget_words() returns trigger language plpgsql as $$ begin
    delete from document_words where document_id = old.document_id and part = old.part;
    return null;
  end $$`,
  `create trigger notes_forget_words after delete on notes
    for each row execute function notes_forget_words()`,
];
