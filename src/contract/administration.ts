import { mailKinds } from "./notification.ts";
import { type Static, Type, dateTime, enumeration, id, nullable, uri, uriOrEmpty } from "./shape.ts";

/*
 * What administrators see: people, organizations, and the state and the work of the server.
 */

const userMembers = {
  id: id(),
  username: Type.String(),
  name: Type.String(),
  email: Type.String({ description: "Empty if unknown" }),
  is_active: Type.Boolean({ description: "False for a user who may not sign in" }),
  is_administrator: Type.Boolean(),
  has_password: Type.Boolean({ description: "False until the user has chosen a password" }),
  created_at: dateTime(),
  signed_in_at: nullable(dateTime("The last sign-in with the password")),
  second_factors: Type.Integer({ minimum: 0, description: "How many the user has" }),
  organizations: Type.Array(Type.Object({ id: id(), name: Type.String(), is_admin: Type.Boolean() }), {
    description: "Without the user's individual organization",
  }),
};
export const AdministeredUser = Type.Object(userMembers, { $id: "AdministeredUser" });
export type AdministeredUser = Static<typeof AdministeredUser>;
export const AccountHistory = Type.Object(
  {
    at: dateTime(),
    action: enumeration(["second_factor_added", "second_factor_removed", "second_factors_reset"]),
    by: nullable(Type.String({ description: "A username; null for the command line" })),
  },
  { $id: "AccountHistory" },
);
export const ReadUser = Type.Object(
  {
    ...userMembers,
    history: Type.Array(AccountHistory, {
      description: "Of the second factors; the latest 20, newest first",
    }),
  },
  { $id: "ReadUser" },
);
const linkMembers = {
  link: nullable(
    uri(
      "The address at which the user chooses a password. It is never shown again; null if it is sent by mail",
    ),
  ),
  expires_at: nullable(dateTime()),
};
export const InvitedUser = Type.Object({ ...userMembers, ...linkMembers }, { $id: "InvitedUser" });
export type InvitedUser = Static<typeof InvitedUser>;
export const PasswordLink = Type.Object(linkMembers, { $id: "PasswordLink" });
export type PasswordLink = Static<typeof PasswordLink>;

export const AdministeredOrganization = Type.Object(
  { id: id(), name: Type.String(), avatar_url: uriOrEmpty(), members: Type.Integer() },
  { $id: "AdministeredOrganization" },
);
export type AdministeredOrganization = Static<typeof AdministeredOrganization>;
export const OrganizationMember = Type.Object(
  { user: id(), username: Type.String(), name: Type.String(), is_admin: Type.Boolean() },
  { $id: "OrganizationMember" },
);
export type OrganizationMember = Static<typeof OrganizationMember>;

const count = (description?: string) => Type.Integer({ ...(description !== undefined && { description }) });

export const ServerHealth = Type.Object(
  {
    engine: enumeration(["sqlite", "postgres"]),
    database: Type.String({ description: "`ok`, or that it does not answer" }),
    files: Type.String({ description: "`ok`, or that they do not answer" }),
    node: Type.String({ description: "The version of Node.js" }),
    disk_bytes: count("The size of the disk that has the data folder"),
    disk_free_bytes: count(),
    oldest_job_seconds: count("How long the job has waited that has been due for the longest time"),
    processing_workers: count("How many documents this server processes at a time"),
    has_mail: Type.Boolean({ description: "Whether a mail server is set up" }),
    backups: Type.Array(
      Type.Object({
        repository: Type.String({ description: "A folder, or `s3://bucket/folder`" }),
        good_at: nullable(dateTime("The moment whose contents the latest good backup has")),
        ended_at: dateTime("When the latest run ended"),
        problem: nullable(Type.String({ description: "What was wrong with the latest run" })),
      }),
      { description: "The latest run of `quire backup` into each repository" },
    ),
  },
  { $id: "ServerHealth" },
);
export type ServerHealth = Static<typeof ServerHealth>;

export const SettingInForce = Type.Object(
  {
    variable: Type.String(),
    value: nullable(Type.String({ description: "Null if it is not set, or secret" })),
    is_set: Type.Boolean(),
    is_secret: Type.Boolean(),
    is_changed: Type.Boolean({ description: "Whether the value differs from the default" }),
    default: nullable(Type.String()),
    help: Type.String(),
  },
  { $id: "SettingInForce" },
);
export type SettingInForce = Static<typeof SettingInForce>;

export const Queue = Type.Object(
  {
    kinds: Type.Array(
      Type.Object({
        kind: Type.String(),
        running: count(),
        waiting: count(),
        retrying: count("Jobs that failed and will be tried again"),
      }),
    ),
    failed: count("Documents that could not be processed"),
    seconds_left: nullable(
      count("An estimate of the time until all documents are processed; null if there is none"),
    ),
    process_started_at: nullable(
      dateTime("When the process that answers began to do by itself what `schedule` lists"),
    ),
    schedule: Type.Array(
      Type.Object({
        name: Type.String(),
        every_seconds: Type.Number({ description: "The pause between two runs" }),
        last_at: nullable(dateTime("When the latest run ended; null before the end of the first one")),
        problem: nullable(Type.String({ description: "Why the latest run failed; null if it succeeded" })),
      }),
      {
        description:
          "What each process that answers requests does by itself, as the one knows it that answers this request",
      },
    ),
  },
  { $id: "Queue" },
);
export type Queue = Static<typeof Queue>;

export const QueuedJob = Type.Object(
  {
    id: id(),
    kind: Type.String(),
    state: enumeration(["running", "waiting", "retrying"]),
    document: nullable(id("The document that it works on")),
    title: nullable(Type.String({ description: "The title of the document; null unless you may see that" })),
    owner: nullable(Type.String({ description: "The username of the person for whom it runs" })),
    attempts: count("How often it was begun"),
    created_at: dateTime(),
    due_at: dateTime("When it may begin; of a running job, the end of its lease"),
    last_error: nullable(Type.String()),
    step: nullable(Type.String()),
    pages_done: nullable(count()),
    pages: nullable(count()),
    is_known: Type.Boolean({ description: "Whether this version of Quire runs jobs of its kind" }),
    is_cancellable: Type.Boolean(),
  },
  { $id: "QueuedJob" },
);
export type QueuedJob = Static<typeof QueuedJob>;

export const Failure = Type.Object(
  {
    reason: Type.String(),
    count: count(),
    documents: Type.Array(
      Type.Object({ id: id(), owner: nullable(Type.String()), at: nullable(dateTime()) }),
      { description: "The newest 100 of them" },
    ),
  },
  { $id: "Failure" },
);
export type Failure = Static<typeof Failure>;

const Figures = { documents: count(), pages: count(), bytes: count("The sizes of the uploaded files") };
export const StorageUse = Type.Object(
  {
    measured_at: nullable(dateTime("Null if it has not been measured yet")),
    is_measuring: Type.Boolean(),
    total: Type.Object(Figures),
    users: Type.Array(Type.Object({ id: id(), name: Type.String(), ...Figures })),
    organizations: Type.Array(Type.Object({ id: id(), name: Type.String(), ...Figures })),
    projects: Type.Array(Type.Object({ id: id(), name: Type.String(), ...Figures })),
    limits: Type.Object(
      {
        person_megabytes: count(),
        organization_megabytes: count(),
        person_pages_per_day: count(),
        organization_pages_per_day: count(),
      },
      { description: "What settings allow each person and each organization; 0 where they set no limit" },
    ),
  },
  { $id: "StorageUse" },
);
export type StorageUse = Static<typeof StorageUse>;

export const Examination = Type.Object(
  {
    requested_at: nullable(dateTime("Null if there was no examination yet")),
    ended_at: nullable(dateTime()),
    is_running: Type.Boolean(),
    repairs: Type.Boolean(),
    hashes: Type.Boolean({ description: "Whether it also compares every PDF with its hash" }),
    documents: count("How many documents there are to examine"),
    examined: count(),
    found: count(),
    mended: count(),
    problem: nullable(Type.String({ description: "Why it was given up" })),
    findings: Type.Array(
      Type.Object({
        id: id(),
        what: Type.String(),
        outcome: enumeration(["repairable", "not repairable", "mended", "failed"]),
        problem: nullable(Type.String()),
      }),
      { description: "The first 500 of them" },
    ),
  },
  { $id: "Examination" },
);
export type Examination = Static<typeof Examination>;

export const SignIn = Type.Object(
  {
    id: id(),
    kind: Type.String(),
    username: nullable(Type.String({ description: "Null if no account has the username that was sent" })),
    network: Type.String({ description: "Equal for attempts from the same network; not an address" }),
    is_known: Type.Boolean({ description: "Whether the account had signed in from this network before" }),
    times: count("How often it happened within a quarter of an hour"),
    began_at: dateTime(),
    at: dateTime("The last time"),
  },
  { $id: "SignIn" },
);
export type SignIn = Static<typeof SignIn>;

export const IdentityProvider = Type.Object(
  {
    id: id(),
    name: Type.String({ description: "As the sign-in page shows it" }),
    issuer: uri("Its configuration is found below this address"),
    client_id: Type.String({ description: "What the provider calls this service" }),
    has_secret: Type.Boolean({ description: "Whether a client secret is stored, which is never shown" }),
    scopes: Type.String({ description: "What is asked of the provider, separated by spaces" }),
    groups_claim: Type.String({ description: "The claim with a person's groups; empty for none" }),
    groups: Type.Array(Type.Object({ group: Type.String(), organization: id(), is_admin: Type.Boolean() }), {
      description: "The organizations that membership in a group gives, at each sign-in again",
    }),
    administrators_group: Type.String({
      description: "The group whose members are administrators, at each sign-in again; empty for none",
    }),
    creates_accounts: Type.Boolean({ description: "Whether a person without an account gets one" }),
    links_by_email: Type.Boolean({
      description: "Whether a verified email address makes the account with this address the person's",
    }),
    is_enabled: Type.Boolean({ description: "Whether people may sign in there" }),
    return_address: uri("To be entered at the provider: where it sends people back to"),
    sign_out_address: uri("To be entered at the provider: where it sends people after signing out there"),
    notice_address: uri("To be entered at the provider: where it says that a person has signed out"),
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { $id: "IdentityProvider" },
);
export type IdentityProvider = Static<typeof IdentityProvider>;

export const ProviderCheck = Type.Object(
  {
    problem: nullable(Type.String({ description: "Why nobody can sign in there, as far as can be seen" })),
    can_sign_out: Type.Boolean({ description: "Whether people can sign out at the provider" }),
    scopes_unknown: Type.Array(Type.String(), {
      description: "The scopes that the provider does not list; it may know them all the same",
    }),
  },
  { $id: "ProviderCheck" },
);
export type ProviderCheck = Static<typeof ProviderCheck>;

export const Mail = Type.Object(
  {
    id: id(),
    kind: enumeration(mailKinds),
    username: nullable(Type.String()),
    state: enumeration(["waiting", "sent", "failed"]),
    created_at: dateTime(),
    sent_at: nullable(dateTime()),
    problem: nullable(Type.String({ description: "Why it was given up, or why the last attempt failed" })),
  },
  { $id: "Mail" },
);
export type Mail = Static<typeof Mail>;

export const Restarted = Type.Object({ restarted: count() }, { $id: "Restarted" });
export type Restarted = Static<typeof Restarted>;
