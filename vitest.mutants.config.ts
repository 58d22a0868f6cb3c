import { defineConfig, mergeConfig } from "vitest/config";
import usual from "./vitest.config.ts";

/** For `npm run test:mutants`: the tests that the run names, on SQLite unless `TEST_ENGINES` says otherwise. */
process.env["TEST_ENGINES"] ??= "sqlite";

const { test = {}, ...others } = usual;
const include = (process.env["MUTANTS_TESTS"] ?? "").split(",");

// A mutant may run for ever.
const limits = { testTimeout: 60_000, hookTimeout: 60_000 };

export default mergeConfig(others, defineConfig({ test: { ...test, include, ...limits } }));
