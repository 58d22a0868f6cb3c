import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The test files that take longest, longest first. They start first: otherwise one of them starts last, and all workers
 * but one wait for it.
 */
const longest = [
  "src/resources/documents/rewriting/redact-document.test.ts",
  "src/resources/documents/record/answers-across-processes.test.ts",
  "src/resources/documents/processing/file-work-store.test.ts",
  "src/resources/documents/list/orderings-http.test.ts",
  "tests/hostile-files.test.ts",
  "tests/bad-input.test.ts",
  "tests/killed-worker.test.ts",
  "tests/note-matrix.test.ts",
  "tests/file-matrix.test.ts",
  "tests/journey.test.ts",
  "tests/access-matrix.test.ts",
  "src/processing/convert/converter.test.ts",
  "src/processing/ocr/ocr.test.ts",
  "src/resources/documents/rewriting/turned-pages.test.ts",
  "tests/many-processes.test.ts",
  "src/resources/documents/rewriting/redaction-check.test.ts",
  "src/resources/documents/processing/other-scripts.test.ts",
  "tests/project-matrix.test.ts",
  "src/resources/documents/search/random.test.ts",
  "tests/schema.test.ts",
  "tests/killed-writer.test.ts",
  "tests/every-address.test.ts",
  "tests/serve.test.ts",
  "tests/front-end.test.ts",
  "src/jobs/running-job.test.ts",
  "src/resources/documents/access-random.test.ts",
  "src/import/import-records.test.ts",
  "src/web/routes.test.ts",
];

function positionOf({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return index === -1 ? longest.length : index;
}

/** Starts the longest test files first. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((left, right) => positionOf(left) - positionOf(right)));
  }
}
