import { fixedHistory } from "../fixed-history.ts";
import type { Terms } from "./terms.ts";

/**
 * Who did what. The database itself refuses to change these tables, and they outlive what they name. The indexes by
 * time and by person are the order of the audit log.
 */
export const histories = (terms: Terms): string[] => [
  ...ofDocuments(terms),
  ...ofAccounts(terms),
  ...ofOrganizations(terms),
];

const refusal = `create function document_history_is_fixed() returns trigger language plpgsql as $$ begin
  raise exception 'history does not change';
end $$`;

const ofDocuments = ({ engine, text, identity }: Terms): string[] => [
  `create table document_history (
    id ${identity},
    document_id bigint not null,
    at ${text} not null,
    user_id bigint,
    action ${text} not null,
    changes ${text} not null
  )`,
  `create index document_history_by_document on document_history (document_id, id)`,
  `create index document_history_disposed on document_history (id) where action = 'disposed'`,
  `create index document_history_by_at on document_history (at, id)`,
  `create index document_history_by_user on document_history (user_id, at, id)`,
  ...(engine === "postgres" ? [refusal] : []),
  ...fixedHistory(engine, "document_history"),
];

/**
 * Second factors and connected assistants, whose names are in `subject`. On SQLite the column refers to accounts, since
 * SQLite cannot drop that from a table: an account that has a history cannot be removed there.
 */
const ofAccounts = ({ engine, text, identity }: Terms): string[] => [
  `create table account_history (
    id ${identity},
    user_id bigint not null ${engine === "postgres" ? "" : "references users (id) on delete cascade"},
    by_id bigint,
    action ${text} not null,
    at ${text} not null,
    subject ${text}
  )`,
  `create index account_history_by_user on account_history (user_id, id)`,
  ...fixedHistory(engine, "account_history"),
];

/**
 * Who became, and ceased to be, a member of an organization or a collaborator of a project; which accounts were added,
 * disabled and enabled, whose became, and ceased to be, those of administrators, and which organizations were added and
 * renamed.
 */
const ofOrganizations = ({ engine, text, identity }: Terms): string[] => [
  `create table membership_history (
    id ${identity},
    at ${text} not null,
    organization_id bigint,
    project_id bigint,
    user_id bigint not null,
    by_id bigint,
    means ${text} not null,
    provider_id bigint,
    action ${text} not null,
    role_before ${text},
    role_after ${text}
  )`,
  `create index membership_history_by_at on membership_history (at, id)`,
  ...fixedHistory(engine, "membership_history"),
  `create table administration_history (
    id ${identity},
    at ${text} not null,
    action ${text} not null,
    user_id bigint,
    organization_id bigint,
    name_before ${text},
    name_after ${text},
    by_id bigint,
    means ${text} not null,
    provider_id bigint
  )`,
  `create index administration_history_by_at on administration_history (at, id)`,
  ...fixedHistory(engine, "administration_history"),
];
