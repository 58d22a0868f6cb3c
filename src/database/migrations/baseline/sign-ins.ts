import type { Terms } from "./terms.ts";

/**
 * How people sign in. Of secrets, only digests are stored: reading the database does not let anyone sign in. An API
 * token may belong to the run of an add-on, and ends with it.
 */
export const signIns = (terms: Terms): string[] => [
  ...providers(terms),
  ...sessions(terms),
  ...factors(terms),
  ...tokens(terms),
  ...attempts(terms),
];

/** Services at which people sign in instead of with a password, and the identities there that belong to accounts. */
const providers = ({ text, boolean, identity }: Terms): string[] => [
  `create table identity_providers (
    id ${identity},
    name ${text} not null,
    issuer ${text} not null,
    client_id ${text} not null,
    client_secret ${text} not null,
    scopes ${text} not null,
    groups_claim ${text} not null,
    group_roles ${text} not null,
    administrators_group ${text} not null,
    creates_accounts ${boolean} not null,
    links_by_email ${boolean} not null,
    is_enabled ${boolean} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  `create table identities (
    provider_id bigint not null references identity_providers (id) on delete cascade,
    subject ${text} not null,
    user_id bigint not null references users (id) on delete cascade,
    created_at ${text} not null,
    signed_in_at ${text} not null,
    primary key (provider_id, subject)
  )`,
  `create index identities_by_user on identities (user_id)`,
];

/**
 * A session names the browser that began it, so that people recognise their sessions in a list, and knows how it was
 * begun: by which method, and at which service, so that the service can end it. Links with which people set their
 * password can be used once.
 */
const sessions = ({ text, withoutRowid }: Terms): string[] => [
  `create table sessions (
    digest ${text} primary key,
    user_id bigint not null references users (id),
    created_at ${text} not null,
    expires_at ${text} not null,
    browser ${text} not null default '',
    seen_at ${text},
    provider_id bigint references identity_providers (id) on delete cascade,
    provider_session ${text},
    method ${text} not null default ''
  ) ${withoutRowid}`,
  `create index sessions_by_user on sessions (user_id)`,
  `create index sessions_by_provider on sessions (provider_id)`,
  `create table password_links (
    digest ${text} primary key,
    user_id bigint not null references users (id) on delete cascade,
    created_at ${text} not null,
    expires_at ${text} not null
  )`,
  `create index password_links_by_user on password_links (user_id)`,
];

/** What people need to sign in besides a password. */
const factors = ({ text, identity }: Terms): string[] => [
  `create table second_factors (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    kind ${text} not null,
    name ${text} not null,
    secret ${text} not null,
    credential ${text} unique,
    counter bigint not null,
    created_at ${text} not null,
    used_at ${text}
  )`,
  `create index second_factors_by_user on second_factors (user_id)`,
  `create table recovery_codes (
    user_id bigint not null references users (id) on delete cascade,
    digest ${text} not null,
    primary key (user_id, digest)
  )`,
];

/** Refresh tokens are valid until they expire, even after use, and all of a user's tokens can be revoked together. */
const tokens = ({ text, boolean, identity, withoutRowid }: Terms): string[] => [
  `create table refresh_tokens (
    id ${text} primary key,
    user_id bigint not null references users (id),
    expires_at ${text} not null
  ) ${withoutRowid}`,
  `create index refresh_tokens_by_user on refresh_tokens (user_id)`,
  `create table api_tokens (
    id ${identity},
    user_id bigint not null references users (id),
    name ${text} not null,
    prefix ${text} not null,
    digest ${text} not null unique,
    may_write ${boolean} not null,
    created_at ${text} not null,
    expires_at ${text},
    last_used_at ${text},
    run_id bigint references addon_runs (id) on delete cascade
  )`,
  `create index api_tokens_by_user on api_tokens (user_id)`,
  `create index api_tokens_by_run on api_tokens (run_id) where run_id is not null`,
];

/**
 * Failed attempts, networks from which accounts have signed in, so that guessing by strangers does not lock out the
 * owners, and for administrators the sign-ins and refusals of a limited number of days.
 */
const attempts = ({ text, boolean, identity, withoutRowid }: Terms): string[] => [
  `create table sign_in_attempts (
    subject ${text} primary key,
    attempts bigint not null,
    since ${text} not null
  ) ${withoutRowid}`,
  `create table known_networks (
    user_id bigint not null references users (id) on delete cascade,
    network ${text} not null,
    seen_at ${text} not null,
    primary key (user_id, network)
  ) ${withoutRowid}`,
  `create table sign_in_events (
    id ${identity},
    subject ${text} not null unique,
    kind ${text} not null,
    user_id bigint references users (id) on delete cascade,
    network ${text} not null,
    is_known ${boolean} not null,
    times bigint not null,
    began_at ${text} not null,
    at ${text} not null
  )`,
  `create index sign_in_events_by_user on sign_in_events (user_id)`,
  `create index sign_in_events_by_at on sign_in_events (at)`,
  `create index sign_in_events_by_beginning on sign_in_events (began_at, id)`,
];
