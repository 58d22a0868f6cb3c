import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { findChromium } from "./src/testing/chromium.ts";
import { LongestFirst, reporters } from "./src/testing/durations.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The browser that the tests in tests/browser/ drive. */
    chromiumPath: string;
  }
}

export default defineConfig({
  test: {
    include: ["tests/browser/**/*.test.ts"],
    globalSetup: ["src/testing/global-setup.ts"],
    provide: { chromiumPath: findChromium() },
    // A page that is slow on a busy machine is not wrong.
    expect: { poll: { timeout: 40_000 } },
    // No module has state of its own, and loading them for each file would take a minute in all.
    isolate: false,
    // Node reads TypeScript itself, in tests as in the service.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    reporters,
    // Pages wait for animations, and tests for pages: one more keeps the processors busy.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
