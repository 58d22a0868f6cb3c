import { type Terms, triggerFunction } from "./terms.ts";

/** What becomes of documents in the end: the trash, legal holds, and rules of retention. */
export const keeping = (terms: Terms): string[] => [...trash(terms), ...holds(terms), ...retention(terms)];

/**
 * Deleted documents that can be brought back. Their rows in `documents` have the status `deleted`, which hides them
 * from everyone, and keep everything else. A document that gets another status, in whatever way, is not in the trash
 * any more. The owner and the organization are repeated here so that a viewer's part of the trash is a range of an
 * index.
 */
function trash({ engine, text, identity }: Terms): string[] {
  const isBack = "old.status = 'deleted' and new.status <> 'deleted'";
  const leave = "delete from deleted_documents where document_id = new.id;";
  const back = "create trigger deleted_documents_back after update of status on documents";
  return [
    `create table deleted_documents (
      id ${identity},
      document_id bigint not null unique references documents (id) on delete cascade,
      status ${text} not null,
      user_id bigint not null,
      organization_id bigint not null,
      deleted_at ${text} not null,
      deleted_by bigint not null
    )`,
    `create index deleted_documents_by_user on deleted_documents (user_id, id)`,
    `create index deleted_documents_by_organization on deleted_documents (organization_id, id)`,
    `create index deleted_documents_by_time on deleted_documents (deleted_at)`,
    ...(engine === "postgres"
      ? [
          triggerFunction("deleted_document_is_back", leave),
          `${back} for each row when (${isBack}) execute function deleted_document_is_back()`,
        ]
      : [`${back} when ${isBack} begin ${leave} end`]),
  ];
}

/**
 * Legal holds. One that is in force protects what it covers: some documents, those of a project, or what a query finds.
 * `held_documents` has the documents that were found, and keeps them until the hold is released. Its reference is
 * without a cascade: no program removes the row of a held document.
 */
const holds = ({ text, identity }: Terms): string[] => [
  `create table holds (
    id ${identity},
    name ${text} not null,
    reason ${text} not null,
    organization_id bigint references organizations (id),
    project_id bigint references projects (id) on delete set null,
    query ${text},
    user_id bigint not null references users (id),
    created_at ${text} not null,
    released_at ${text},
    released_by bigint references users (id)
  )`,
  `create index holds_in_force on holds (id) where released_at is null`,
  `create index holds_by_project on holds (project_id, id)`,
  `create table held_documents (
    document_id bigint not null references documents (id),
    hold_id bigint not null references holds (id),
    primary key (document_id, hold_id)
  )`,
  `create index held_documents_by_hold on held_documents (hold_id, document_id)`,
];

/**
 * Rules that say how long documents are kept, and what has run out by them. A row of `dispositions` is a proposal until
 * somebody decides about it, and goes with its document. What remains of a document is the certificate: its last entry
 * in the history.
 */
const retention = ({ text, identity }: Terms): string[] => [
  `create table retention_rules (
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
  )`,
  `create index retention_rules_by_project on retention_rules (project_id, id)`,
  `create table dispositions (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    rule_id bigint not null references retention_rules (id) on delete cascade,
    due_at ${text} not null,
    state ${text} not null,
    proposed_at ${text} not null,
    decided_at ${text},
    decided_by bigint references users (id),
    unique (document_id, rule_id)
  )`,
  `create index dispositions_by_rule on dispositions (rule_id, state, id)`,
  `create index dispositions_by_state on dispositions (state, id)`,
];
