import type { Terms } from "./terms.ts";

/** The work of the servers, and what administrators see and say. */
export const administration = (terms: Terms): string[] => [
  ...jobs(terms),
  ...examinations(terms),
  ...figures(terms),
];

/**
 * Waiting and running jobs: a job that has ended has no row, and a cancelled one records when it was cancelled. A
 * subject has at most one job of each kind that is not cancelled. See jobs/lease.ts; for the owner of a job, the round
 * in which it is served, and whether it takes long, see jobs/rank.ts.
 */
const jobs = ({ text, boolean, identity, no }: Terms): string[] => [
  `create table jobs (
    id ${identity},
    kind ${text} not null,
    subject bigint not null,
    options ${text} not null,
    created_at ${text} not null,
    due_at ${text} not null,
    attempts bigint not null default 0,
    lease ${text},
    worker ${text},
    again ${boolean} not null default ${no},
    last_error ${text},
    owner bigint,
    rank bigint not null default 0,
    is_long ${boolean} not null default ${no},
    cancelled_at ${text}
  )`,
  `create index jobs_by_due_at on jobs (due_at, id)`,
  `create index jobs_by_rank on jobs (rank, due_at, id)`,
  `create index jobs_by_owner on jobs (owner, rank)`,
  `create unique index jobs_by_kind_and_subject on jobs (kind, subject) where cancelled_at is null`,
  `create index jobs_cancelled on jobs (due_at) where cancelled_at is not null`,
];

/**
 * The latest examination by `doctor` with its findings, and how far it has come, so that another worker goes on from
 * there. The latest run of `quire backup` into each repository, and the moment that its latest good backup has.
 */
const examinations = ({ text, boolean, identity }: Terms): string[] => [
  `create table examinations (
    id ${identity},
    repairs ${boolean} not null,
    hashes ${boolean} not null,
    requested_at ${text} not null,
    ended_at ${text},
    documents bigint not null,
    examined bigint not null,
    found bigint not null,
    mended bigint not null,
    problem ${text},
    position bigint
  )`,
  `create table findings (
    id ${identity},
    examination_id bigint not null references examinations (id) on delete cascade,
    what ${text} not null,
    outcome ${text} not null,
    problem ${text}
  )`,
  `create index findings_by_examination on findings (examination_id)`,
  `create table backup_runs (
    repository ${text} primary key,
    good_at ${text},
    ended_at ${text} not null,
    problem ${text}
  )`,
];

const figures = ({ text, identity, withoutRowid }: Terms): string[] => [
  // The storage that each user and project takes, as a job has measured it. Limits on storage add the files that have
  // arrived since the newest receipt that it has counted.
  `create table storage_figures (
    kind ${text} not null,
    subject bigint not null,
    documents bigint not null,
    pages bigint not null,
    bytes bigint not null,
    measured_at ${text} not null,
    last_receipt bigint not null default 0,
    primary key (kind, subject)
  ) ${withoutRowid}`,

  // Exports of the audit log: by which user, and of which part.
  `create table audit_exports (
    id ${identity},
    at ${text} not null,
    user_id bigint references users (id),
    since ${text},
    until ${text},
    person bigint,
    format ${text} not null,
    source ${text}
  )`,

  // What administrators say of the site: at most one row. An empty text stands for the default.
  `create table site_branding (
    id bigint primary key check (id = 1),
    name ${text} not null,
    about ${text} not null,
    colour ${text} not null,
    imprint_url ${text} not null,
    privacy_url ${text} not null,
    logo ${text} not null
  )`,
];
