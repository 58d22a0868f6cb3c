import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ErrorReason,
  InvalidOrRefused,
  choiceParameter,
  listOf,
  paging,
} from "../../http/fields/schema-shapes.ts";
import {
  Examination,
  Failure,
  Mail,
  Queue,
  QueuedJob,
  Restarted,
  ServerHealth,
  SettingInForce,
  SignIn,
  StorageUse,
} from "../../contract/administration.ts";

/** A POST that needs no body. */
const nothing = Type.Object({}, { description: "Nothing", examples: [{}] });

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
  "needs a provider",
  "right password",
  "wrong second factor",
  "password set",
] as const;

export const readingHealth = { summary: "The state of the server", gives: ServerHealth };
export const listingSettings = {
  summary: "The settings as they are in force, without secrets",
  gives: listOf("SettingList", SettingInForce),
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
  gives: Restarted,
  status: 200,
};
export const readingStorage = {
  summary: "The storage that users and projects take, as it was measured last",
  gives: StorageUse,
};
export const measuring = {
  summary: "Measure the storage",
  body: nothing,
  gives: StorageUse,
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
