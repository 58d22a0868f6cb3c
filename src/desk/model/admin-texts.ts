import pages from "#words/admin-pages.json" with { type: "json" };
import words from "#words/admin.json" with { type: "json" };
import type { FailureKind } from "../../texts/failure-kinds.ts";
import { byName, textsOf } from "../../texts/texts-of.ts";
import { formats } from "../../viewer/texts/formats.ts";

const values = {
  people: {
    signedIn: (at: string) => ({ at }),
    disableTitle: (name: string) => ({ name }),
    saved: (name: string) => ({ name }),
    disabledNow: (name: string) => ({ name }),
    enabledNow: (name: string) => ({ name }),
    linkTitle: (name: string) => ({ name }),
    linkHelp: (until: string) => ({ until }),
    mailed: (name: string) => ({ name }),
    factors: (count: number) => ({ count }),
    resetFactorsTitle: (name: string) => ({ name }),
    factorsReset: (name: string) => ({ name }),
  },
  organizations: {
    members: (count: number) => ({ count }),
    membersOf: (name: string) => ({ name }),
    unknownUser: (name: string) => ({ name }),
    added: (name: string) => ({ name }),
    removed: (name: string) => ({ name }),
    created: (name: string) => ({ name }),
    saved: (name: string) => ({ name }),
  },
  providers: {
    added: (name: string) => ({ name }),
    saved: (name: string) => ({ name }),
    removed: (name: string) => ({ name }),
    checking: (name: string) => ({ name }),
    works: (name: string) => ({ name }),
    worksWithout: (name: string, scopes: string) => ({ name, scopes }),
    failed: (name: string, problem: string) => ({ name, problem }),
    removeTitle: (name: string) => ({ name }),
    groupNumber: (number: number) => ({ number }),
  },
  overview: {
    engines: byName,
    diskOf: (free: string, total: string) => ({ free, total }),
    noneIn: (repository: string) => ({ repository }),
    ageIn: (age: string, repository: string) => ({ age, repository }),
    backupProblem: (problem: string, time: string) => ({ problem, time }),
  },
  queue: {
    left: (time: string) => ({ time }),
    running: (count: number) => ({ count }),
    waiting: (count: number) => ({ count }),
    retrying: (count: number) => ({ count }),
    kinds: byName,
    schedule: {
      help: (since: string) => ({ since }),
      names: byName,
      every: (duration: string) => ({ duration }),
      timesPerSecond: (count: number) => ({ count }),
      last: (at: string) => ({ at }),
      failed: (problem: string) => ({ problem }),
    },
    states: byName,
    document: (id: number) => ({ id }),
    ofOwner: (name: string) => ({ name }),
    since: (at: string) => ({ at }),
    nextAt: (at: string) => ({ at }),
    attempts: (count: number) => ({ count }),
    progress: (done: number, total: number) => ({ done, total }),
    documents: (count: number) => ({ count }),
    numbers: (count: number, ids: string) => ({ count, ids }),
    numbersAndMore: (ids: string, more: number) => ({ ids, more }),
    restarted: (count: number) => ({ count }),
  },
  storage: {
    measured: (at: string) => ({ at }),
    pages: (count: number) => ({ count }),
    personBytes: (bytes: number) => ({ size: formats.bytes(bytes) }),
    organizationBytes: (bytes: number) => ({ size: formats.bytes(bytes) }),
    personPages: (count: number) => ({ count }),
    organizationPages: (count: number) => ({ count }),
  },
  checks: {
    running: (examined: number, documents: number) => ({ examined, documents }),
    ended: (at: string) => ({ at }),
    givenUp: (reason: string) => ({ reason }),
    found: (found: number, mended: number) => ({ found, mended }),
    outcomes: byName,
  },
  signIns: {
    kinds: byName,
    network: (name: string) => ({ name }),
    times: (count: number) => ({ count }),
  },
  branding: {
    logoHelp: (bytes: number) => ({ size: formats.bytes(bytes) }),
    logoTooLarge: (bytes: number) => ({ size: formats.bytes(bytes) }),
    fixed: (variable: string) => ({ variable }),
  },
  retention: {
    fromData: (key: string) => ({ key }),
    ofQuery: (query: string) => ({ query }),
    ofProject: (id: number) => ({ id: String(id) }),
    periods: {
      days: (count: number) => ({ count }),
      months: (count: number) => ({ count }),
      years: (count: number) => ({ count }),
    },
    proposed: (count: number) => ({ count }),
    approved: (count: number) => ({ count }),
    kept: (count: number) => ({ count }),
    created: (name: string) => ({ name }),
    endedAt: (at: string) => ({ at }),
    pages: (count: number) => ({ count }),
    dueAt: (at: string) => ({ at }),
    rule: (id: number) => ({ id: String(id) }),
    document: (id: number) => ({ id: String(id) }),
    approveShown: (count: number) => ({ count }),
    approveTitle: (count: number) => ({ count }),
    areApproved: (count: number) => ({ count }),
    hash: (hash: string) => ({ hash }),
    byRule: (name: string) => ({ name }),
    deletedAt: (at: string) => ({ at }),
    approvedAt: (at: string, id: number) => ({ at, id: String(id) }),
  },
  addons: {
    added: (name: string) => ({ name }),
    saved: (name: string) => ({ name }),
    isOn: (name: string) => ({ name }),
    isSwitchedOff: (name: string) => ({ name }),
    removeTitle: (name: string) => ({ name }),
    removed: (name: string) => ({ name }),
  },
  audit: {
    of: (action: string, name: string) => ({ action, name }),
    document: (id: number) => ({ id: String(id) }),
    actions: byName,
    members: byName,
    values: byName,
    member: (name: string, value: string) => ({ name, value }),
    memberGone: (name: string, from: string) => ({ name, from }),
    memberChanged: (name: string, from: string, to: string) => ({ name, from, to }),
  },
  holds: {
    ofQuery: (query: string) => ({ query }),
    ofProject: (id: number) => ({ id: String(id) }),
    ofOrganization: (id: number) => ({ id: String(id) }),
    count: (count: number) => ({ count }),
    documentsOf: (name: string) => ({ name }),
    document: (id: number) => ({ id: String(id) }),
    pages: (count: number) => ({ count }),
    setAt: (at: string) => ({ at }),
    releasedAt: (at: string) => ({ at }),
    isSet: (name: string) => ({ name }),
    releaseTitle: (name: string) => ({ name }),
    released: (name: string) => ({ name }),
  },
  mail: {
    kinds: byName,
    states: byName,
    refusedTo: (name: string) => ({ name }),
    refusedTimes: (count: number) => ({ count }),
    refusedAt: (at: string, way: string) => ({ at, way }),
    queued: (at: string) => ({ at }),
    sent: (at: string) => ({ at }),
  },
};

const texts = textsOf(words, values, formats);
const { overview, queue } = texts;

/** The texts of the pages for administrators. */
export const adminTexts = {
  ...texts,
  pages,
  overview: {
    ...overview,
    backupOf: (age: string | null, repository: string) =>
      age === null ? overview.noneIn(repository) : overview.ageIn(age, repository),
  },
  queue: {
    ...queue,
    counts: ({ running, waiting, retrying }: { running: number; waiting: number; retrying: number }) =>
      [
        running > 0 ? queue.running(running) : "",
        waiting > 0 ? queue.waiting(waiting) : "",
        retrying > 0 ? queue.retrying(retrying) : "",
      ]
        .filter((part) => part !== "")
        .join(", "),
    /** By kind: see failure-kinds.ts. The page shows other messages as they are. */
    reasons: queue.reasons satisfies Readonly<Record<FailureKind, string>>,
    which: (ids: readonly number[], more: number) =>
      more > 0 ? queue.numbersAndMore(ids.join(", "), more) : queue.numbers(ids.length, ids.join(", ")),
  },
};
