import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: ["tests/browser/**"],
    globalSetup: ["src/testing/global-setup.ts"],
    // Many tests wait for PostgreSQL more than they compute.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
