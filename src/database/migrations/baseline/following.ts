import type { Terms } from "./terms.ts";

/** How people hear of what happens: saved searches with alerts, webhooks, notifications, and mails. */
export const following = (terms: Terms): string[] => [
  ...savedSearches(terms),
  ...webhooks(terms),
  ...notices(terms),
];

/**
 * `saved_search_finds` has the documents that a search with an alert found when it was last compared: those that it
 * found when the alert was switched on have no `found_at`. It does not refer to documents, so that a document which is
 * gone is compared once more. When a document changes, the searches that have found it are asked again: they may no
 * longer find it.
 */
const savedSearches = ({ text, boolean, identity }: Terms): string[] => [
  `create table saved_searches (
    id ${identity},
    uuid ${text} not null unique,
    user_id bigint not null references users (id) on delete cascade,
    name ${text} not null,
    query ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    alert ${text} not null default 'off',
    new_count bigint not null default 0,
    basis ${text},
    compared_at ${text},
    mailed_at ${text},
    transaction_id bigint,
    event_id bigint
  )`,
  `create index saved_searches_by_user on saved_searches (user_id, id)`,
  `create index saved_searches_with_alerts on saved_searches (id) where alert <> 'off'`,
  `create table saved_search_finds (
    search_id bigint not null references saved_searches (id) on delete cascade,
    document_id bigint not null,
    found_at ${text},
    is_new ${boolean} not null,
    mail_id bigint,
    primary key (search_id, document_id)
  )`,
  `create index saved_search_finds_by_time on saved_search_finds (search_id, found_at, document_id)
    where found_at is not null`,
  `create index saved_search_finds_by_document on saved_search_finds (document_id, search_id)`,
];

/**
 * Addresses that are told what happens, and what they are told. A delivery repeats the columns of its event, so that it
 * can wait longer than the feed keeps the event. `subject` is what the event is about: deliveries about the same
 * subject are sent one after another.
 */
const webhooks = ({ text, boolean, identity }: Terms): string[] => [
  `create table webhooks (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    project_id bigint references projects (id) on delete cascade,
    name ${text} not null,
    url ${text} not null,
    types ${text} not null,
    secret ${text} not null,
    former_secret ${text},
    rotated_at ${text},
    is_enabled ${boolean} not null,
    problem ${text},
    failing_since ${text},
    transaction_id bigint,
    event_id bigint,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  `create index webhooks_by_user on webhooks (user_id, id)`,
  `create table webhook_deliveries (
    id ${identity},
    webhook_id bigint not null references webhooks (id) on delete cascade,
    event_id bigint not null,
    happened_at ${text} not null,
    type ${text} not null,
    document_id bigint,
    project_id bigint,
    object_id bigint,
    seen_by ${text},
    subject ${text} not null,
    state ${text} not null,
    attempts bigint not null,
    due_at ${text} not null,
    created_at ${text} not null,
    at ${text},
    status bigint,
    milliseconds bigint,
    problem ${text},
    search_uuid ${text}
  )`,
  `create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)`,
  `create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, subject, id) where state = 'waiting'`,
];

const notices = ({ text, identity }: Terms): string[] => [
  // What a person is told of within Quire. What happens again before they have seen it is counted in the same row, so
  // there is at most one new row of a kind about a subject.
  `create table notifications (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    kind ${text} not null,
    subject bigint not null,
    document_id bigint references documents (id) on delete cascade,
    actor_id bigint references users (id) on delete set null,
    count bigint not null,
    created_at ${text} not null,
    seen_at ${text}
  )`,
  `create unique index notifications_new on notifications (user_id, kind, subject) where seen_at is null`,
  `create index notifications_by_user on notifications (user_id, created_at)`,
  `create index notifications_by_document on notifications (document_id)`,
  `create index notifications_by_actor on notifications (actor_id)`,

  // Mails that wait, and for a while those that were sent or given up. They hold no links: a link is created when its
  // mail is sent, so the database never has one that works.
  `create table mails (
    id ${identity},
    kind ${text} not null,
    user_id bigint references users (id) on delete cascade,
    details ${text} not null,
    created_at ${text} not null,
    sent_at ${text},
    problem ${text}
  )`,
  `create index mails_by_user on mails (user_id)`,
];
