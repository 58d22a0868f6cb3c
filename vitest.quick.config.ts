import { defineConfig, mergeConfig } from "vitest/config";
import { readDurations } from "./src/testing/durations.ts";
import usual from "./vitest.config.ts";

/**
 * The inner loop: what is quick, on SQLite. Suites that start processes or recognise text take longer than this and stay
 * out by it. A suite that nobody has measured is in.
 */
const limitSeconds = 3;

process.env["TEST_ENGINES"] = "sqlite";

const slow = Object.entries(readDurations())
  .filter(([, seconds]) => seconds > limitSeconds)
  .map(([file]) => file);

export default mergeConfig(usual, defineConfig({ test: { exclude: slow } }));
