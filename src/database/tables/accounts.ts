import type { ColumnType, Generated } from "kysely";
import type { NotificationKind } from "../../contract/notification.ts";
import type { Flag, Optional, Timestamp } from "./column-types.ts";

export interface UsersTable {
  id: Generated<number>;
  uuid: Generated<string>;
  username: string;
  name: string;
  /** Empty if unknown. Unique, ignoring case. */
  email: Generated<string>;
  avatar_url: Generated<string>;
  /** Null if the user has no account; `unset` until the user of an account has chosen a password. */
  password_hash: Optional<string>;
  is_active: ColumnType<boolean | number, boolean | undefined, boolean>;
  is_administrator: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The active one of the user's organizations; null for a user who is only named in a record. */
  organization_id: Optional<number>;
  /** Increases whenever all earlier tokens become invalid. */
  token_generation: Generated<number>;
  /** The language of the pages that the user sees, such as `de`. Empty: their browser chooses. */
  language: Generated<string>;
  /** An IANA name, such as `Europe/Berlin`. Empty: UTC. */
  time_zone: Generated<string>;
  /** Whether the user gets mails that only inform. Mails with a link that somebody asked for are always sent. */
  mail_notices: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** JSON text: an object. See migrations/baseline/people.ts. */
  notice_choices: Generated<string>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface OrganizationsTable {
  id: Generated<number>;
  /** The user's UUID, if the organization is an individual user's. */
  uuid: Generated<string>;
  avatar_url: Generated<string>;
  name: string;
  slug: string;
  individual: Flag;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface OrganizationMembersTable {
  organization_id: number;
  user_id: number;
  is_admin: Flag;
}

export interface ProjectCollaboratorsTable {
  project_id: number;
  user_id: number;
  access: "view" | "edit" | "admin";
  /** The user who added this one; null for the first admin of a project, and if it is unknown. */
  added_by: Optional<number>;
  /** Null if unknown. */
  added_at: Optional<Timestamp>;
}

/** The notices that people see within Quire. */
export interface NotificationsTable {
  id: Generated<number>;
  /** The person who is told. */
  user_id: number;
  kind: NotificationKind;
  /** The id of the project or the note; 0 for what is counted together. */
  subject: number;
  /** The document that it happened to last. */
  document_id: Optional<number>;
  /** The person who did it last; null if nobody did. */
  actor_id: Optional<number>;
  /** How often it happened before the person has read it. */
  count: number;
  /** When it happened last. */
  created_at: Timestamp;
  /** When the person has marked it as read. */
  seen_at: Optional<Timestamp>;
}

export interface ProjectPinsTable {
  user_id: number;
  project_id: number;
}

export interface SessionsTable {
  /** SHA-256 of the cookie's value. */
  digest: string;
  user_id: number;
  /** The User-Agent of the browser that began it; empty if it sent none. */
  browser: Generated<string>;
  created_at: Timestamp;
  /** To within a few minutes; null if it was never recorded. */
  seen_at: Optional<Timestamp>;
  expires_at: Timestamp;
  /** The identity provider at which the user signed in; null for a password. */
  provider_id: Optional<number>;
  /** The provider's own name of the session; null if it has none. */
  provider_session: Optional<string>;
  /** How the user signed in, if not at a provider; empty if that was not recorded. */
  method: Generated<string>;
}

export type FactorKind = "totp" | "passkey";

/** What a user needs to sign in besides the password. */
export interface SecondFactorsTable {
  id: Generated<number>;
  user_id: number;
  kind: FactorKind;
  name: string;
  /** Sealed with the server's secret: the secret of an app, or the public key of a passkey. */
  secret: string;
  /** The browser's name for a passkey; null for an app. */
  credential: string | null;
  /** Of the code or the signature that was used last. None before it is accepted again. */
  counter: number;
  created_at: Timestamp;
  used_at: Timestamp | null;
}

/** Each lets its user sign in once without a second factor. */
export interface RecoveryCodesTable {
  user_id: number;
  /** SHA-256 of the code. */
  digest: string;
}

/** The history of accounts. Rows are added and never changed. */
export interface AccountHistoryTable {
  id: Generated<number>;
  user_id: number;
  /** The user who did it; null for the command line. */
  by_id: number | null;
  action: string;
  /** The name of the assistant that it is about; null for anything else. */
  subject: Optional<string>;
  at: Timestamp;
}

/** The history of accounts, administrators and organizations as a whole. Rows are only ever added. */
export interface AdministrationHistoryTable {
  id: Generated<number>;
  at: Timestamp;
  action:
    | "account_added"
    | "account_disabled"
    | "account_enabled"
    | "administrator_made"
    | "administrator_ended"
    | "organization_added"
    | "organization_renamed";
  /** One of the two is null. */
  user_id: Optional<number>;
  organization_id: Optional<number>;
  /** The names of the organization. */
  name_before: Optional<string>;
  name_after: Optional<string>;
  by_id: Optional<number>;
  means: MembershipHistoryTable["means"];
  provider_id: Optional<number>;
}

/** The history of members of organizations and collaborators of projects. Rows are added and never changed. */
export interface MembershipHistoryTable {
  id: Generated<number>;
  at: Timestamp;
  /** One of the two is null. */
  organization_id: number | null;
  project_id: number | null;
  /** The person whose membership it is. */
  user_id: number;
  /** The person who changed it; null if no person did. */
  by_id: number | null;
  means: "person" | "provider" | "command" | "mirror" | "archive";
  /** The identity provider whose groups changed it. */
  provider_id: number | null;
  action: "added" | "changed" | "removed";
  /** `member` or `admin` of an organization; `view`, `edit` or `admin` of a project. Null for none. */
  role_before: string | null;
  role_after: string | null;
}

export interface IdentityProvidersTable {
  id: Generated<number>;
  /** As the sign-in page shows it. */
  name: string;
  /** The address that names the provider, and below which its configuration is. */
  issuer: string;
  client_id: string;
  /** Sealed with the server's secret; empty if the provider gave none. */
  client_secret: string;
  /** Separated by spaces. */
  scopes: string;
  /** The claim that lists a person's groups; empty if groups mean nothing here. */
  groups_claim: string;
  /** What membership in a group gives, as JSON. */
  group_roles: string;
  /** The group whose members are administrators; empty if none is. */
  administrators_group: string;
  creates_accounts: Flag;
  links_by_email: Flag;
  is_enabled: Flag;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A person at an identity provider, and the account that is theirs. */
export interface IdentitiesTable {
  provider_id: number;
  /** The provider's id of the person. */
  subject: string;
  user_id: number;
  created_at: Timestamp;
  signed_in_at: Timestamp;
}

/** Links with which users set their password. */
export interface PasswordLinksTable {
  /** SHA-256 of the token in the link. */
  digest: string;
  user_id: number;
  created_at: Timestamp;
  expires_at: Timestamp;
}

export interface RefreshTokensTable {
  /** The token's `jti`. */
  id: string;
  user_id: number;
  expires_at: Timestamp;
}

export interface ApiTokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** The start of the token, by which people recognise it. */
  prefix: string;
  /** SHA-256 of the whole token. */
  digest: string;
  may_write: Flag;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
  /** The run of an add-on for which it was made: it ends with the run. */
  run_id: Optional<number>;
}

/** Networks from which an account has signed in. */
export interface KnownNetworksTable {
  user_id: number;
  /** A keyed hash: a copy of the database does not reveal where users are. */
  network: string;
  seen_at: Timestamp;
}

export interface SignInAttemptsTable {
  subject: string;
  attempts: number;
  since: Timestamp;
}

/** Sign-ins, and refusals of attempts to sign in, from one network within a quarter of an hour. */
export interface SignInEventsTable {
  id: Generated<number>;
  /** Equal for events that are counted together. */
  subject: string;
  kind: string;
  /** Null if no account has the username that was sent, which is not stored. */
  user_id: number | null;
  /** A keyed hash, as in known_networks. */
  network: string;
  /** Whether the account had signed in from this network before. */
  is_known: Flag;
  times: number;
  began_at: Timestamp;
  /** The latest one. */
  at: Timestamp;
}
