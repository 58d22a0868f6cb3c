import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The fingerprints of texts, by which nearly equal documents are found (resources/documents/pages/fingerprints.ts). A document whose
 * fingerprint has still to be made has no number of words. `requests` counts the changes of its text, so that a
 * fingerprint of an earlier text is never kept. `fingerprint_bands` has the parts that are compared.
 */
export async function fingerprints(
  db: Kysely<unknown>,
  { text }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const id = engine === "sqlite" ? sql`integer` : sql`bigint`;
  await sql`create table document_fingerprints (
    document_id ${id} primary key references documents (id) on delete cascade,
    requests bigint not null,
    words bigint,
    hashes ${text}
  )`.execute(db);
  await sql`create index document_fingerprints_to_make on document_fingerprints (document_id)
    where words is null`.execute(db);
  await sql`create table fingerprint_bands (
    band bigint not null,
    document_id bigint not null references documents (id) on delete cascade,
    primary key (band, document_id)
  )`.execute(db);
  await sql`create index fingerprint_bands_by_document on fingerprint_bands (document_id)`.execute(db);
  await sql`insert into document_fingerprints (document_id, requests) select id, 1 from documents`.execute(
    db,
  );
  const now = sql.lit(new Date().toISOString().replace("Z", "000Z"));
  await sql`insert into jobs (kind, subject, options, created_at, due_at)
    select ${sql.lit("make fingerprints")}, 0, '{}', ${now}, ${now}
    where exists (select 1 from documents)`.execute(db);
}
