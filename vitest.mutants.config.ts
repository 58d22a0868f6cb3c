import { defineConfig, mergeConfig } from "vitest/config";
import { QuickestFirst } from "./src/testing/durations.ts";
import usual from "./vitest.config.ts";

/** For `npm run test:mutants`: the tests that the run names, on SQLite unless `TEST_ENGINES` says otherwise. */
process.env["TEST_ENGINES"] ??= "sqlite";
/** Properties run a tenth as often: they run again for each of hundreds of mutants. */
process.env["TEST_DEPTH"] ??= "0.1";

const { test = {}, ...others } = usual;
const include = (process.env["MUTANTS_TESTS"] ?? "").split(",");

/** A fault that makes a test wait for ever is noticed after a quarter of a minute, not after five. */
const testTimeout = 15_000;

/** The run of a mutant ends with the first test that notices it. */
const sequence = { sequencer: QuickestFirst };

export default mergeConfig(others, defineConfig({ test: { ...test, include, sequence, testTimeout } }));
