import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The test files that take longest, longest first. They start first: otherwise one of them starts last, and all workers
 * but one wait for it.
 */
const longest = [
  "tests/hostile-files.test.ts",
  "src/resources/documents/rewriting/redact-document.test.ts",
  "tests/bad-input.test.ts",
  "src/resources/documents/rewriting/turned-pages.test.ts",
  "tests/killed-worker.test.ts",
  "tests/note-matrix.test.ts",
  "src/resources/documents/processing/recognise-page.test.ts",
  "tests/schema.test.ts",
  "src/processing/convert/converter.test.ts",
  "tests/access-matrix.test.ts",
  "tests/project-matrix.test.ts",
  "src/resources/documents/processing/converted-files.test.ts",
  "src/serving/background-work.test.ts",
  "tests/serve.test.ts",
  "tests/killed-writer.test.ts",
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
