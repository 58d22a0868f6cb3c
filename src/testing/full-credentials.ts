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

/** Rows about how users sign in that have to fit, each after the tables that its rows refer to. */
export function credentialRows(users: readonly number[], draws: Draws): TableRows {
  const { texts, moment, flag, number, maybe, some } = draws;
  const expiring = (user_id: number) => ({ user_id, expires_at: moment() });
  return [
    ...providerRows(draws),
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

function providerRows({ texts, moment, flag, number }: Draws): TableRows {
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
  ];
}
