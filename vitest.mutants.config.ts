import { defineConfig, mergeConfig } from "vitest/config";
import { QuickestFirst } from "./src/testing/durations.ts";
import usual from "./vitest.config.ts";

/** For `npm run test:mutants`: the tests that the run names, on SQLite unless `TEST_ENGINES` says otherwise. */
process.env["TEST_ENGINES"] ??= "sqlite";
/** Properties run a tenth as often: they run again for each of hundreds of mutants. */
process.env["TEST_DEPTH"] ??= "0.1";

const { test = {}, ...others } = usual;
const include = (process.env["MUTANTS_TESTS"] ?? "").split(",");

/** The run of a mutant ends with the first test that notices it. */
const sequence = { sequencer: QuickestFirst };

export default mergeConfig(others, defineConfig({ test: { ...test, include, sequence } }));
