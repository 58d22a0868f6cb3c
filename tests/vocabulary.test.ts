import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Words with a better replacement: see the glossary in CONTRIBUTING.md. Migrations keep the names in old databases. */
const replaced: readonly (readonly [word: RegExp, by: string])[] = [
  [/\bjokers?\b/i, "wildcard"],
  [/\bdeeds?\b/i, "action"],
  [/(?<!["[])\banew\b(?![":])/, "again"],
  [/\bcalled off\b|\bcallOff/, "cancelled"],
  [/\bjail\b/i, "sandbox"],
  [/\bthat API\b/, "DocumentCloud, or Django REST framework"],
  [/\bin stead\b/, "instead"],
  [/\bundoable\b/, "actionRefused"],
  [/\bnew Turns\b|\bendTurn\b/, "Semaphore, release"],
  [/\bBell\b/, "JobSignal"],
  [/\b[Aa]side(?:Reader|Worker|Question|Answer)\b/, "ReadWorker"],
  [/\b(?:RecentAnswers|Fronted)\b/, "ResponseCache"],
  [/\b(?:most|longest|least)[A-Z]\w*/, "max or min"],
  [/\b(?:isIt|isOne|ofOne)\b/, "matches"],
  [/\b(?:least|most): (?:\d|number|Infinity)|\b(?:let|const) (?:least|most)\b/, "min, max"],
  [/\b[Ff]airReadings?\b|\bfair-readings\b/, "PdfReadingQueue"],
  [/"asked"/, "checked by handler"],
  [/\b(?:LeaseLost|RunnerStopped|OutputBroken|RecordFault|ParameterFault)\b/, "a name that ends in Error"],
];

const files = globSync(["src/**/*.{ts,tsx}", "tests/**/*.ts", "bench/**/*.ts", "docs/*.md", "*.md"]).filter(
  (file) => !/migrat|node_modules|tests\/vocabulary\.test\.ts$/.test(file),
);

/** The name that says least: a text for people in this file may say it. */
const place = /\b[Pp]laces?\b|[a-z]Places?(?![a-z])|\bplaces?[A-Z]|\bPlaces?(?![a-z])/;
const sayingPlace = "src/archive/archive-files.ts";

/** A line of code without its strings and comments. */
const codeIn = (line: string): string =>
  line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\/\/.*|^\s*\/?\*.*|\/\*.*/, "");

describe("the words of code, tests and documents", () => {
  it.each(replaced)("do not include %s: say %s", (word) => {
    const found = files.flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, index) => (word.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });

  it("include no name of a place: say offset, index, position, path, rectangle or location", () => {
    const found = files
      .filter((file) => /\.tsx?$/.test(file) && file !== sayingPlace)
      .flatMap((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .flatMap((line, index) =>
            place.test(codeIn(line)) ? [`${file}:${index + 1} ${line.trim()}`] : [],
          ),
      );
    expect(found).toEqual([]);
  });
});
