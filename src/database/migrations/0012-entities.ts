import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** People, places and organizations by Wikidata id, shared by all documents, and their occurrences in each document. */
export async function entities(db: Kysely<unknown>, { text, identity }: Dialect): Promise<void> {
  await sql`create table entities (
    id ${identity},
    user_id bigint references users (id) on delete set null,
    wikidata_id ${text} not null unique,
    name ${text} not null,
    description ${text} not null,
    wikipedia_url ${text} not null,
    metadata ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);
  await sql`create index entities_by_name on entities (name, id)`.execute(db);

  await sql`create table entity_occurrences (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    entity_id bigint not null references entities (id),
    relevance double precision not null,
    occurrences ${text} not null,
    unique (document_id, entity_id)
  )`.execute(db);
  await sql`create index entity_occurrences_by_document on entity_occurrences (document_id, id)`.execute(db);
  await sql`create index entity_occurrences_by_entity on entity_occurrences (entity_id)`.execute(db);
}
