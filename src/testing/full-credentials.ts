import { randomUUID } from "node:crypto";
import type { Tables } from "../database/tables.ts";

/** Draws a value of each kind. */
export interface Draws {
  texts: () => string;
  moment: () => string;
  flag: () => boolean;
  number: () => number;
  maybe: <T>(value: T) => T | null;
  some: <T>(items: readonly T[]) => T;
}

export type TableRows = readonly (readonly [table: keyof Tables, rows: readonly object[]])[];

const providers = [3, 8];

/** Rows of all tables about how users sign in, each after the tables that its rows refer to. */
export function credentialRows(users: readonly number[], draws: Draws): TableRows {
  const { texts, moment, flag, number, maybe, some } = draws;
  const expiring = (user_id: number) => ({ user_id, expires_at: moment() });
  return [
    ["known_networks", users.map((user_id) => ({ user_id, network: texts(), seen_at: moment() }))],
    ...providerRows(users, draws),
    [
      "sessions",
      users.map((user) => ({
        digest: randomUUID(),
        browser: texts(),
        created_at: moment(),
        seen_at: maybe(moment()),
        provider_id: maybe(some(providers)),
        provider_session: maybe(texts()),
        method: texts(),
        ...expiring(user),
      })),
    ],
    ...factorRows(users, draws),
    [
      "password_links",
      users.map((user) => ({ digest: randomUUID(), created_at: moment(), ...expiring(user) })),
    ],
    ["refresh_tokens", users.map((user) => ({ id: randomUUID(), ...expiring(user) }))],
    [
      "api_tokens",
      users.map((user_id) => ({
        user_id,
        name: texts(),
        prefix: texts(),
        digest: randomUUID(),
        may_write: flag(),
        created_at: moment(),
        expires_at: maybe(moment()),
        last_used_at: maybe(moment()),
      })),
    ],
    ...assistantRows(users, draws),
    ["sign_in_attempts", [{ subject: texts(), attempts: number(), since: moment() }]],
    [
      "sign_in_events",
      users.map((user_id) => ({
        subject: randomUUID(),
        kind: texts(),
        user_id: maybe(user_id),
        network: texts(),
        is_known: flag(),
        times: number(),
        began_at: moment(),
        at: moment(),
      })),
    ],
  ];
}

function assistantRows(users: readonly number[], { texts, moment, flag, maybe, some }: Draws): TableRows {
  return [
    [
      "assistant_clients",
      users.map((id) => ({
        id,
        client_id: `client ${id}`,
        name: texts(),
        redirect_uris: JSON.stringify([texts()]),
        created_at: moment(),
        fresh_until: maybe(moment()),
        used_at: maybe(moment()),
      })),
    ],
    [
      "assistant_connections",
      users.map((id) => ({
        id,
        user_id: id,
        client_id: id,
        name: texts(),
        host: texts(),
        resource: texts(),
        may_write: flag(),
        created_at: moment(),
        expires_at: moment(),
        last_used_at: maybe(moment()),
      })),
    ],
    [
      "assistant_tokens",
      users.map((connection_id) => ({
        digest: randomUUID(),
        connection_id,
        kind: some(["access", "refresh"] as const),
        expires_at: moment(),
        used_at: maybe(moment()),
      })),
    ],
  ];
}

function factorRows(users: readonly number[], { texts, moment, number, maybe, some }: Draws): TableRows {
  return [
    [
      "second_factors",
      users.map((user_id) => ({
        user_id,
        kind: some(["totp", "passkey"] as const),
        name: texts(),
        secret: texts(),
        credential: maybe(randomUUID()),
        counter: number(),
        created_at: moment(),
        used_at: maybe(moment()),
      })),
    ],
    ["recovery_codes", users.map((user_id) => ({ user_id, digest: randomUUID() }))],
    [
      "account_history",
      users.map((user_id) => ({
        user_id,
        by_id: maybe(user_id),
        action: texts(),
        subject: maybe(texts()),
        at: moment(),
      })),
    ],
    [
      "administration_history",
      users.map((user_id) => ({
        at: moment(),
        action: some(["account_disabled", "administrator_made"] as const),
        user_id: maybe(user_id),
        organization_id: maybe(number()),
        name_before: maybe(texts()),
        name_after: maybe(texts()),
        by_id: maybe(user_id),
        means: some(["person", "provider"] as const),
        provider_id: maybe(number()),
      })),
    ],
    [
      "membership_history",
      users.map((user_id) => ({
        at: moment(),
        organization_id: maybe(number()),
        project_id: maybe(number()),
        user_id,
        by_id: maybe(user_id),
        means: some(["person", "provider"] as const),
        provider_id: maybe(number()),
        action: some(["added", "removed"] as const),
        role_before: maybe(texts()),
        role_after: maybe(texts()),
      })),
    ],
  ];
}

function providerRows(users: readonly number[], { texts, moment, flag, number, some }: Draws): TableRows {
  return [
    [
      "identity_providers",
      providers.map((id) => ({
        id,
        name: texts(),
        issuer: texts(),
        client_id: texts(),
        client_secret: texts(),
        scopes: texts(),
        groups_claim: texts(),
        group_roles: JSON.stringify([{ group: texts(), organization: number(), is_admin: flag() }]),
        administrators_group: texts(),
        creates_accounts: flag(),
        links_by_email: flag(),
        is_enabled: flag(),
        created_at: moment(),
        updated_at: moment(),
      })),
    ],
    [
      "identities",
      users.map((user_id) => ({
        provider_id: some(providers),
        subject: `${user_id} ${texts()}`,
        user_id,
        created_at: moment(),
        signed_in_at: moment(),
      })),
    ],
  ];
}
