import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";

/*
 * A file has at most 300 lines, a function at most 70, and a line at most 120 columns. sizes.json lists what was larger
 * when the rule was made, with its size. Nothing may be added to it, and nothing in it may grow:
 * `TEST_SIZES=write npx vitest run tests/sizes.test.ts` writes down what has become smaller. Tests may be long.
 */

const root = path.join(import.meta.dirname, "..");
const listFile = path.join(import.meta.dirname, "sizes.json");
const maxColumns = 120;
const rules = { "max-lines": ["error", { max: 300 }], "max-lines-per-function": ["error", { max: 70 }] };

type Sizes = Record<string, number>;

interface Diagnostic {
  code: string;
  filename: string;
  message: string;
}

const isLimited = (file: string): boolean => !file.endsWith(".test.ts");

/** The sizes of files and functions that are too large, in lines. */
function tooLong(): Sizes {
  const folder = mkdtempSync(path.join(tmpdir(), "quire-sizes-"));
  try {
    const config = path.join(folder, "config.json");
    writeFileSync(config, JSON.stringify({ plugins: [], categories: { correctness: "off" }, rules }));
    const sources = ["src", "bench"].flatMap((name) => globSync(`${name}/**/*.{ts,tsx}`, { cwd: root }));
    const output = runLint(["-c", config, "-f", "json", ...sources.filter(isLimited)]);
    const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
    return largest(diagnostics.map(({ filename, message }) => [nameIn(filename, message), sizeIn(message)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** It exits with 1 if it has found anything. */
function runLint(args: readonly string[]): string {
  const program = path.join(root, "node_modules/.bin/oxlint");
  try {
    return execFileSync(program, args, { cwd: root, encoding: "utf8", maxBuffer: 1e8, stdio: "pipe" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

function nameIn(file: string, message: string): string {
  if (message.includes("File has")) return file;
  return `${file} ${/`(.+?)`/.exec(message)?.[1] ?? "without a name"}`;
}

const sizeIn = (message: string): number => Number(/\((\d+)\)/.exec(message)?.[1]);

/** Several functions of a file may have the same name. */
function largest(sizes: readonly (readonly [string, number])[]): Sizes {
  const found: Sizes = {};
  for (const [name, size] of sizes) found[name] = Math.max(size, found[name] ?? 0);
  return found;
}

/** How many lines of each file are too wide. */
function tooWide(): Sizes {
  const files = globSync("{src,bench}/**/*.{ts,tsx,css}", { cwd: root }).filter(isLimited);
  const counts = files.map((file): [string, number] => {
    const lines = readFileSync(path.join(root, file), "utf8").split("\n");
    return [`${file} wide lines`, lines.filter((line) => line.length > maxColumns).length];
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

describe("the sizes of files and functions", () => {
  it("do not grow, and the list names those that are still too large", () => {
    const listed = JSON.parse(readFileSync(listFile, "utf8")) as Sizes;
    const found = { ...tooLong(), ...tooWide() };
    const complaints = Object.entries(found).flatMap(([name, size]) => {
      const allowed = listed[name];
      if (allowed === undefined) return [`${name} is too large: ${size}`];
      return size > allowed ? [`${name} has grown from ${allowed} to ${size}`] : [];
    });
    expect(complaints).toEqual([]);
    const smaller = Object.entries(listed).filter(([name, size]) => (found[name] ?? 0) < size);
    if (process.env["TEST_SIZES"] === "write" && smaller.length > 0) {
      const kept = Object.keys(listed).filter((name) => name in found);
      const sizes = Object.fromEntries(kept.map((name) => [name, found[name]]));
      writeFileSync(listFile, `${JSON.stringify(sizes, null, 2)}\n`);
      return;
    }
    // A list that says more than there is would let it grow again.
    expect(smaller.map(([name, size]) => `${name} has ${found[name] ?? 0}, no longer ${size}`)).toEqual([]);
  });
});
