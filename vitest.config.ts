import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst, reporters } from "./src/testing/durations.ts";

/** Tests of properties that run for longer may take longer: see src/testing/runs.ts. */
const depth = Math.max(1, Number(process.env["TEST_DEPTH"] ?? 1));

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: ["tests/browser/**"],
    globalSetup: ["src/testing/global-setup.ts"],
    setupFiles: ["src/testing/setup.ts"],
    // Many tests wait for PostgreSQL, a disk or another process, and leave the processor to one more.
    maxWorkers: availableParallelism() + 1,
    // No module has state of its own, so test files can share a process and what it has loaded.
    isolate: false,
    // Node reads TypeScript itself, in tests as in the service.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    reporters,
    // Against hanging alone: nothing here is about time, and machines are slow when they are busy.
    testTimeout: 300_000 * depth,
    hookTimeout: 300_000 * depth,
    expect: { poll: { timeout: 60_000 } },
  },
});
