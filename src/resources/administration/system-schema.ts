import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ErrorReason,
  InvalidOrRefused,
  choiceParameter,
  dateTime,
  enumeration,
  id,
  listOf,
  nullable,
  paging,
} from "../../http/fields/schema-shapes.ts";

/** A POST that needs no body. */
const nothing = Type.Object({}, { description: "Nothing", examples: [{}] });

const count = (description?: string) => Type.Integer({ ...(description !== undefined && { description }) });

const Health = Type.Object(
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

const SettingShape = Type.Object(
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

const Queue = Type.Object(
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

const QueuedJob = Type.Object(
  {
    id: id(),
    kind: Type.String(),
    state: enumeration(["running", "waiting", "retrying"]),
    document: nullable(id("The document that it works on")),
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

const Failure = Type.Object(
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

const Figures = { documents: count(), pages: count(), bytes: count("The sizes of the uploaded files") };
const Storage = Type.Object(
  {
    measured_at: nullable(dateTime("Null if it has not been measured yet")),
    is_measuring: Type.Boolean(),
    total: Type.Object(Figures),
    users: Type.Array(Type.Object({ id: id(), name: Type.String(), ...Figures })),
    projects: Type.Array(Type.Object({ id: id(), name: Type.String(), ...Figures })),
  },
  { $id: "StorageUse" },
);

const Examination = Type.Object(
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

const SignIn = Type.Object(
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

const Mail = Type.Object(
  {
    id: id(),
    kind: enumeration(["invitation", "reset", "shared project", "failed documents"]),
    username: nullable(Type.String()),
    state: enumeration(["waiting", "sent", "failed"]),
    created_at: dateTime(),
    sent_at: nullable(dateTime()),
    problem: nullable(Type.String({ description: "Why it was given up, or why the last attempt failed" })),
  },
  { $id: "Mail" },
);

export const listingMails = {
  summary: "The mails of the last 30 days, the newest first",
  query: paging,
  gives: listOf("MailList", Mail),
};
export const resendingMail = {
  summary: "Send a mail again that was given up",
  body: nothing,
  also: { 400: InvalidOrRefused },
};
export const removingMail = { summary: "Remove a mail; it is not sent any more" };

export const signInKinds = [
  "signed in",
  "wrong password",
  "unknown user",
  "disabled",
  "too many attempts",
  "password set",
] as const;

export const readingHealth = { summary: "The state of the server", gives: Health };
export const listingSettings = {
  summary: "The settings as they are in force, without secrets",
  gives: listOf("SettingList", SettingShape),
};
export const readingQueue = {
  summary: "How many jobs run, wait and have failed, and what the server does by itself",
  gives: Queue,
};
export const listingJobs = {
  summary: "The jobs that run or wait, a page at a time",
  query: {
    ...paging,
    state: choiceParameter(["all", "running", "waiting", "retrying"], "only the jobs in this state"),
  },
  gives: listOf("QueuedJobList", QueuedJob),
};
export const runningNow = {
  summary: "Run a waiting job now",
  body: nothing,
  also: { 400: InvalidOrRefused },
};
export const cancelling = { summary: "Cancel a job", also: { 400: ErrorReason } };
export const listingFailures = {
  summary: "The newest 1,000 documents that could not be processed, by reason",
  gives: listOf("FailureList", Failure),
};
export const retrying = {
  summary: "Process failed documents again: all of them, those with one reason, or some",
  gives: Type.Object({ restarted: count() }, { $id: "Restarted" }),
  status: 200,
};
export const readingStorage = {
  summary: "The storage that users and projects take, as it was measured last",
  gives: Storage,
};
export const measuring = {
  summary: "Measure the storage",
  body: nothing,
  gives: Storage,
  status: 202,
  also: { 400: ErrorDetail },
};
export const readingExamination = {
  summary: "The latest examination of the database, the files and the index",
  gives: Examination,
};
export const examining = {
  summary: "Examine the database, the files and the index, as quire doctor does",
  gives: Examination,
  status: 202,
  also: { 409: ErrorDetail },
};
export const listingSignIns = {
  summary: "Recent sign-ins and refusals, the newest first",
  query: { ...paging, kind: choiceParameter(signInKinds, "only events of this kind") },
  gives: listOf("SignInList", SignIn),
};
