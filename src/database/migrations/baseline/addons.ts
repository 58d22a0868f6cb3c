import type { Terms } from "./terms.ts";

/** Add-ons, the people who have pinned them, the events that start them, and their runs. */
export const addons = (terms: Terms): string[] => [...addonTables(terms), ...runs(terms)];

/**
 * `is_enabled` says whether people may run an add-on now, and `config` is the configuration that an administrator has
 * given it on a page. `site` is the member of an event's parameters by which clients look for events. `due_at` is when
 * it starts its add-on next; for uploads, the last two columns are the position behind the last event of the feed that
 * was looked at.
 */
const addonTables = ({ text, boolean, identity }: Terms): string[] => [
  `create table addons (
    id ${identity},
    user_id bigint references users (id) on delete set null,
    organization_id bigint references organizations (id) on delete set null,
    access ${text} not null,
    name ${text} not null,
    repository ${text} not null unique,
    description ${text} not null,
    categories ${text} not null,
    parameters ${text} not null,
    is_default ${boolean} not null,
    is_featured ${boolean} not null,
    is_removed ${boolean} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    is_enabled ${boolean} not null default true,
    config ${text}
  )`,
  `create table addon_pins (
    user_id bigint not null references users (id) on delete cascade,
    addon_id bigint not null references addons (id) on delete cascade,
    primary key (user_id, addon_id)
  )`,
  `create table addon_events (
    id ${identity},
    addon_id bigint not null references addons (id) on delete cascade,
    user_id bigint not null references users (id) on delete cascade,
    parameters ${text} not null,
    site ${text},
    event bigint not null,
    scratch ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    due_at ${text},
    transaction_id bigint,
    feed_id bigint
  )`,
  `create index addon_events_by_user on addon_events (user_id, id)`,
  `create index addon_events_by_kind on addon_events (event, id)`,
  `create index addon_events_due on addon_events (due_at) where due_at is not null`,
];

/**
 * A run has the digest of the token that its program exchanges for others, and `scope`: the documents that its token
 * reaches, which are those that were chosen for it and those that it has made.
 */
const runs = ({ text, boolean, identity }: Terms): string[] => [
  `create table addon_runs (
    id ${identity},
    uuid ${text} not null unique,
    addon_id bigint not null references addons (id) on delete cascade,
    event_id bigint references addon_events (id) on delete set null,
    user_id bigint not null references users (id) on delete cascade,
    status ${text} not null,
    progress bigint not null,
    message ${text} not null,
    file_name ${text} not null,
    file_expires_at ${text},
    dismissed ${boolean} not null,
    rating bigint not null,
    comment ${text} not null,
    credits_spent bigint not null,
    data ${text} not null,
    parameters ${text} not null,
    documents ${text},
    query ${text},
    refresh_digest ${text} unique,
    created_at ${text} not null,
    updated_at ${text} not null,
    scope ${text}
  )`,
  `create index addon_runs_by_user on addon_runs (user_id, id)`,
  `create index addon_runs_by_event on addon_runs (event_id, id) where event_id is not null`,
  `create index addon_runs_with_files on addon_runs (file_expires_at) where file_expires_at is not null`,
];
