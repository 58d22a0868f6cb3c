import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Retention: rules that say how long documents are kept, and what has run out by them. A row of `dispositions` is a
 * proposal until somebody decides about it, and goes with its document. What remains of a document is the certificate:
 * its last entry in the history.
 */
export async function retention(
  db: Kysely<unknown>,
  { text, identity }: Pick<Dialect, "text" | "identity">,
): Promise<void> {
  await sql`create table retention_rules (
    id ${identity},
    name ${text} not null,
    project_id bigint references projects (id) on delete cascade,
    query ${text},
    period bigint not null,
    unit ${text} not null,
    starts ${text} not null,
    data_key ${text},
    user_id bigint not null references users (id),
    created_at ${text} not null,
    ended_at ${text},
    ended_by bigint references users (id)
  )`.execute(db);
  await sql`create index retention_rules_by_project on retention_rules (project_id, id)`.execute(db);
  await sql`create table dispositions (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    rule_id bigint not null references retention_rules (id) on delete cascade,
    due_at ${text} not null,
    state ${text} not null,
    proposed_at ${text} not null,
    decided_at ${text},
    decided_by bigint references users (id),
    unique (document_id, rule_id)
  )`.execute(db);
  await sql`create index dispositions_by_rule on dispositions (rule_id, state, id)`.execute(db);
  await sql`create index dispositions_by_state on dispositions (state, id)`.execute(db);
  await sql`create index document_history_disposed on document_history (id) where action = 'disposed'`.execute(
    db,
  );
}
