/** A core file, whose tests must notice nearly every change of it. */
export interface MutatedFile {
  /** The tests that run against each mutant. */
  tests: readonly string[];
  /** The share of mutants, in percent, that these tests must notice. */
  floor: number;
}

const documents = "src/resources/documents";
/** Has each statement of lists and searches, and so notices a fault that reads the same rows by another way. */
const statements = "tests/statements.test.ts";
const jobs = ["src/jobs/running-job.test.ts", "src/jobs/rank.test.ts", "src/jobs/simulation.test.ts"];

/** By path. CONTRIBUTING.md has the results, and the mutants that are equal to the original. */
export const mutatedFiles: Readonly<Record<string, MutatedFile>> = {
  [`${documents}/access.ts`]: {
    tests: [
      `${documents}/access-rules.test.ts`,
      `${documents}/access.test.ts`,
      `${documents}/access-random.test.ts`,
      `${documents}/trash/trash.test.ts`,
    ],
    floor: 95,
  },
  "src/database/keyset.ts": {
    tests: [
      "src/database/keyset.test.ts",
      `${documents}/list/list-store.test.ts`,
      `${documents}/list/signed-in.test.ts`,
      `${documents}/list/cursors.test.ts`,
      statements,
    ],
    floor: 93,
  },
  "src/http/request/cursor.ts": { tests: ["src/http/request/cursor.test.ts"], floor: 88 },
  [`${documents}/list/audience-store.ts`]: {
    tests: [`${documents}/list/list-store.test.ts`, `${documents}/list/signed-in.test.ts`, statements],
    floor: 92,
  },
  [`${documents}/rewriting/hidden-words.ts`]: {
    tests: [`${documents}/rewriting/hidden-words.test.ts`, `${documents}/rewriting/redaction-check.test.ts`],
    floor: 100,
  },
  [`${documents}/rewriting/redaction-check.ts`]: {
    tests: [
      `${documents}/rewriting/redaction-check-image.test.ts`,
      `${documents}/rewriting/redaction-check-rules.test.ts`,
      `${documents}/rewriting/redaction-check-rows.test.ts`,
    ],
    floor: 90,
  },
  "src/processing/prune/prune-pdf.ts": {
    tests: ["src/processing/prune/prune-pdf.test.ts", "src/processing/prune/pruned-pages.test.ts"],
    floor: 93,
  },
  [`${documents}/uploads/resumable-uploads.ts`]: {
    tests: [
      `${documents}/uploads/resumable-uploads.test.ts`,
      `${documents}/uploads/tus-routes.test.ts`,
      `${documents}/uploads/quotas.test.ts`,
    ],
    floor: 90,
  },
  [`${documents}/files/file-addresses.ts`]: {
    tests: [`${documents}/files/file-addresses.test.ts`],
    floor: 92,
  },
  "src/http/request/csrf.ts": {
    tests: ["src/web/account/sign-in-routes.test.ts", "src/http/browsable/forms.test.ts"],
    floor: 100,
  },
  "src/jobs/lease.ts": {
    tests: [...jobs, "src/jobs/queue.test.ts"],
    floor: 92,
  },
  "src/jobs/runner.ts": {
    tests: [...jobs, "src/jobs/runner.test.ts", "src/jobs/runner-slots.test.ts"],
    floor: 90,
  },
  [`${documents}/search/condition-store.ts`]: {
    tests: [
      `${documents}/search/many-words.test.ts`,
      `${documents}/search/search-routes.test.ts`,
      `${documents}/mentioned/mentioned.test.ts`,
      `${documents}/search/random.test.ts`,
      `${documents}/search/hidden-words.test.ts`,
      statements,
    ],
    floor: 95,
  },
  "src/search/parse-query.ts": { tests: ["src/search/parse-query.test.ts"], floor: 93 },
  "src/search/plan.ts": { tests: ["src/search/plan.test.ts"], floor: 97 },
  "src/backup/named-files.ts": {
    tests: ["src/backup/named-files.test.ts"],
    floor: 96,
  },
};
