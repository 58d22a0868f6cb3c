/**
 * Every kind of job that this version runs. `worker.ts` has a handler for each. A kind that is removed or renamed needs
 * a migration of the jobs that may still wait: `tests/job-kinds.test.ts` has the kinds of all versions.
 */
export const jobKinds = [
  "count words",
  "deliver to webhook",
  "discard document without file",
  "dispose of documents",
  "embed documents",
  "empty the trash",
  "examine",
  "extend legal holds",
  "fetch document",
  "fetch mails",
  "fetch replacement of file",
  "find mentions",
  "index documents",
  "make fingerprints",
  "make production",
  "match saved searches",
  "measure storage",
  "modify document",
  "process document",
  "process import again",
  "propose dispositions",
  "purge index",
  "recognise languages",
  "redact document",
  "remove files of what is gone",
  "replace file of document",
  "run add-on",
  "send mail",
  "store records",
] as const;

export type KnownJobKind = (typeof jobKinds)[number];

/** Whether this version runs jobs of the kind. Other versions on the same database may have queued others. */
export function isKnownKind(kind: string): kind is KnownJobKind {
  return (jobKinds as readonly string[]).includes(kind);
}
