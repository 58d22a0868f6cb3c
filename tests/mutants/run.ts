import { readFileSync } from "node:fs";
import { Stryker } from "@stryker-mutator/core";
import { mutatedFiles } from "./table.ts";

/*
 * node tests/mutants/run.ts FILE…: changes each of these files in every place, one at a time, and runs its tests.
 * Prints the changes that no test noticed. Fails if a file is below its floor in table.ts.
 */

const files = process.argv.slice(2);
const unknown = files.filter((file) => !(file in mutatedFiles));
if (files.length === 0 || unknown.length > 0) {
  for (const file of unknown) console.error(`tests/mutants/table.ts has no row for ${file}`);
  console.error(`Usage: npm run test:mutants -- FILE…\n\n${Object.keys(mutatedFiles).join("\n")}`);
  process.exit(2);
}

/** States of mutants that count as noticed, and those that count at all. A mutant that runs for ever is noticed. */
const noticed: ReadonlySet<string> = new Set(["Killed", "Timeout"]);
const counted: ReadonlySet<string> = new Set([...noticed, "Survived", "NoCoverage"]);

const summary: string[] = [];
for (const file of files) {
  const { tests, floor } = mutatedFiles[file]!;
  process.env["MUTANTS_TESTS"] = tests.join();
  const results = await new Stryker({
    mutate: [file],
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "vitest.mutants.config.ts", related: false },
    reporters: ["progress"],
    // Not in node_modules, where Node would not run TypeScript.
    tempDirName: ".stryker-tmp",
    ignorePatterns: ["/bench/data", "/data", "/docs", "/.git"],
    concurrency: Number(process.env["MUTANTS_AT_ONCE"] ?? 1),
    timeoutMS: 30_000,
    // The first run has all tests of the file. Five minutes, as by default, are too few beside other work.
    dryRunTimeoutMinutes: 60,
    disableTypeChecks: false,
    // Stryker would rewrite the configuration of TypeScript with an API that TypeScript 7 does not have.
    tsconfigFile: "none",
    allowEmpty: false,
  }).runMutationTest();
  const lines = readFileSync(file, "utf8").split("\n");
  const all = results.filter(({ status }) => counted.has(status));
  const left = all.filter(({ status }) => !noticed.has(status));
  for (const { location, replacement = "" } of left) {
    const { line } = location.start;
    console.log(`${file}:${line}\n- ${lines[line - 1]?.trim()}\n+ ${replacement.replaceAll(/\s+/g, " ")}`);
  }
  const share = all.length === 0 ? 0 : (100 * (all.length - left.length)) / all.length;
  const isLow = share < floor;
  const timeouts = all.filter(({ status }) => status === "Timeout").length;
  const count = `${all.length - left.length} of ${all.length} noticed, ${timeouts} of them by time-outs`;
  summary.push(`${file}: ${count}: ${share.toFixed(1)} % (floor ${floor})`);
  if (isLow) process.exitCode = 1;
}
console.log(summary.join("\n"));
