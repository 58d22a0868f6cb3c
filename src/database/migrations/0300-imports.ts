import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Imports that people can watch, and find later: of files, records, another server's list, and of what is in an archive
 * or a mailbox. `import_files` has what became of each file, or of each record that failed. `container_id` names the
 * archive that could not give a file out. The names of files go with their documents.
 */
export async function imports(
  db: Kysely<unknown>,
  { text, identity }: Pick<Dialect, "text" | "identity">,
): Promise<void> {
  await sql`create table imports (
    id ${identity},
    user_id bigint references users (id) on delete cascade,
    document_id bigint unique references documents (id) on delete cascade,
    kind ${text} not null,
    name ${text} not null,
    version ${text} not null,
    started_at ${text} not null,
    updated_at ${text} not null,
    ended_at ${text},
    outcome ${text},
    seen bigint,
    added bigint not null default 0,
    changed bigint not null default 0,
    known bigint not null default 0,
    skipped bigint not null default 0,
    failed bigint not null default 0
  )`.execute(db);
  await sql`create index imports_by_user on imports (user_id, id)`.execute(db);
  await sql`create table import_files (
    id ${identity},
    import_id bigint not null references imports (id) on delete cascade,
    document_id bigint references documents (id) on delete cascade,
    container_id bigint references documents (id) on delete cascade,
    path ${text} not null,
    extension ${text} not null,
    outcome ${text} not null,
    reason ${text}
  )`.execute(db);
  await sql`create index import_files_by_outcome on import_files (import_id, outcome, id)`.execute(db);
  for (const column of ["document_id", "container_id"])
    await sql`create index ${sql.ref(`import_files_by_${column}`)} on import_files (${sql.ref(column)}, import_id)
      where ${sql.ref(column)} is not null`.execute(db);
}
