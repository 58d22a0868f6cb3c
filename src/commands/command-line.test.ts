import * as fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { integer, matching, oneOf, path } from "../value-kinds.ts";
import { defineCommand, parseCommandLine } from "./command-line.ts";
import type { Command, ParsedOptions } from "./command-line.ts";
import { helpText } from "./help.ts";

const serve = defineCommand({
  name: "serve",
  summary: "Serves.",
  options: {
    host: { setting: "host", placeholder: "ADDRESS" },
    port: { setting: "port", placeholder: "NUMBER" },
  },
  run: async () => 0,
});

const load = defineCommand({
  name: "load",
  summary: "Takes things in.",
  arguments: { placeholder: "<what>...", help: "Files.", min: 1, max: Infinity },
  options: {
    language: {
      kind: matching(/^[a-z]{3}$/, "three letters"),
      placeholder: "CODE",
      help: "The language.",
      default: "eng",
    },
    access: { kind: oneOf("public", "private"), placeholder: "WHO", help: "Who may read." },
    user: { kind: integer(1), placeholder: "ID", help: "The owner.", default: "1" },
    report: { kind: path, placeholder: "FILE", help: "Where to report." },
    force: { flag: true, help: "Even so." },
  },
  async run({ options }) {
    expectTypeOf(options).toEqualTypeOf<
      Readonly<{
        language: string;
        access: "public" | "private" | null;
        user: number;
        report: string | null;
        force: boolean;
      }>
    >();
    return 0;
  },
});

const flockAdd = defineCommand({
  name: "flock add",
  summary: "Adds a sheep.",
  arguments: { placeholder: "<name>", help: "Its name.", min: 1, max: 1 },
  options: { black: { flag: true, help: "Its colour." } },
  run: async () => 0,
});
const flockList = defineCommand({
  name: "flock list",
  summary: "Lists the sheep.",
  options: {},
  run: async () => 0,
});

const commands: Command[] = [serve, load, flockAdd, flockList];

function given(line: string): ParsedOptions {
  const invocation = parseCommandLine(commands, line.split(" "));
  if (invocation.asks !== "run") throw new Error(`asks ${invocation.asks}`);
  return invocation.given;
}

function unknown(line: string): string[] {
  const invocation = parseCommandLine(commands, line.split(" "));
  if (invocation.asks !== "nothing known") throw new Error(`asks ${invocation.asks}`);
  return invocation.problems;
}

describe("the command line", () => {
  it("parses a command's arguments, and each option by its kind", () => {
    expect(given("load a.pdf --user 7 --access=private --force b.pdf --report=r=1.txt -")).toEqual({
      options: { language: "eng", access: "private", user: 7, report: "r=1.txt", force: true },
      arguments: ["a.pdf", "b.pdf", "-"],
      overrides: [],
      problems: [],
    });
  });

  it("uses the default of an option that is not given, null without a default, and false for a flag", () => {
    expect(given("load x").options).toEqual({
      language: "eng",
      access: null,
      user: 1,
      report: null,
      force: false,
    });
  });

  it("takes everything after -- as arguments", () => {
    expect(given("load -- --force --help -- -x").arguments).toEqual(["--force", "--help", "--", "-x"]);
  });

  it("passes options that override settings on unparsed", () => {
    const { overrides, options } = given("serve --port 80a");
    expect(overrides).toEqual([{ variable: "QUIRE_PORT", option: "--port", text: "80a" }]);
    expect(options).toEqual({});
  });

  it("reports all problems at once", () => {
    expect(
      given("load --langauge fra --access nobody --user= --report --force=yes -v -vq --user 2").problems,
    ).toEqual([
      "--report: needs a value, FILE",
      "--force: takes no value",
      "--user: given more than once",
      "--langauge: no such option of quire load; did you mean --language?",
      "-v: no such option of quire load",
      "-vq: no such option of quire load",
      '--access="nobody": expected one of public, private',
    ]);
    expect(given("load --user=").problems).toEqual([
      '--user="": expected a whole number, 1 or more',
      "<what>... is missing",
    ]);
    expect(given("serve one two").problems).toEqual([
      '"one": one argument too many',
      '"two": one argument too many',
    ]);
  });

  it("does not read the next option as a value", () => {
    expect(given("serve --host --port 80")).toMatchObject({
      overrides: [{ option: "--port", text: "80" }],
      arguments: [],
      problems: ["--host: needs a value, ADDRESS"],
    });
    expect(given("load x --report -- y")).toMatchObject({
      arguments: ["x", "y"],
      problems: ["--report: needs a value, FILE"],
    });
  });

  it("finds no command by the beginning of its name, or by a name that every object has as a property", () => {
    expect(unknown("sreve --port 80")).toEqual(["sreve: no such command; did you mean serve?"]);
    expect(unknown("constructor")).toEqual(["constructor: no such command"]);
    expect(unknown("--port 80 serve")).toEqual(["--port: an option comes after a command"]);
    expect(given("serve --constructor --__proto__=1").problems).toHaveLength(2);
  });

  it("finds a command of a group by both its words", () => {
    expect(given("flock add Dolly --black")).toMatchObject({
      options: { black: true },
      arguments: ["Dolly"],
      problems: [],
    });
    expect(given("flock add --blak").problems).toEqual([
      "--blak: no such option of quire flock add; did you mean --black?",
      "<name> is missing",
    ]);
    expect(unknown("flock ad Dolly")).toEqual(["flock ad: no such command; did you mean flock add?"]);
    expect(unknown("flock --black")).toEqual(["flock --black: no such command"]);
    expect(unknown("add Dolly")).toEqual(["add: no such command"]);
  });

  it("never throws, and never runs a command with an option that it does not have", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("--host", "--port=1", "--", "-", "--help", "-hx", "--no-host", "--=", "---x"),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const invocation = parseCommandLine(commands, ["serve", ...words]);
        if (invocation.asks !== "run" || invocation.given.problems.length > 0) return;
        expect(invocation.given.arguments).toEqual([]);
        expect(words.filter((one) => one.startsWith("--") && !/^--(host|port)(=|$)/.test(one))).toSatisfy(
          (others: string[]) => others.every((one) => one === "--"),
        );
      }),
    );
  });
});

describe("help", () => {
  it.each([
    ["", "program"],
    ["--help", "program"],
    ["-h", "program"],
    ["help", "program"],
    ["help settings", "settings"],
    ["help help", "program"],
    ["help serve", serve],
    ["serve --help", serve],
    ["serve -h", serve],
    ["load --language --help --nonsense", load],
    ["flock", { group: "flock", commands: [flockAdd, flockList] }],
    ["flock --help", { group: "flock", commands: [flockAdd, flockList] }],
    ["help flock", { group: "flock", commands: [flockAdd, flockList] }],
    ["help flock add", flockAdd],
    ["flock add --help", flockAdd],
  ])("is asked for by %j", (line, topic) => {
    const invocation = parseCommandLine(commands, line === "" ? [] : line.split(" "));
    expect(invocation).toEqual({ asks: "help", topic });
  });

  it("is refused for unknown topics", () => {
    expect(unknown("help setings")).toEqual(["setings: no help on this; did you mean settings?"]);
    expect(unknown("help flock ad")).toEqual(["flock ad: no help on this; did you mean flock add?"]);
    expect(unknown("help serve load")).toEqual(["load: help is on one thing at a time"]);
  });

  it("lists the commands", () => {
    const text = helpText(commands, "program");
    for (const { name, summary } of commands)
      expect(text).toMatch(new RegExp(`^ +${name} +${summary}$`, "m"));
    expect(text).toContain("quire help settings");
  });

  it("lists the commands of a group", () => {
    expect(helpText(commands, { group: "flock", commands: [flockAdd, flockList] })).toBe(
      `Usage: quire flock <command> [options]

Commands:
  flock add   Adds a sheep.
  flock list  Lists the sheep.

quire <command> --help   the arguments and options of a command
`,
    );
  });

  it("shows a command's arguments, options and defaults", () => {
    expect(helpText(commands, load)).toBe(`Usage: quire load [options] <what>...

Takes things in.

Arguments:
  <what>...  Files.

Options:
  --language CODE  The language. Default: eng.
  --access WHO     Who may read.
  --user ID        The owner. Default: 1.
  --report FILE    Where to report.
  --force          Even so.
  --help           Show this help.
`);
    expect(helpText(commands, serve)).toMatch(/^ {2}--port NUMBER {3}The port .* QUIRE_PORT applies\.$/m);
  });

  it("shows every setting with its default", () => {
    const text = helpText(commands, "settings");
    expect(text).toContain("QUIRE_PORT\n  The port to listen on; 0 takes any free one.\n  Default: 8000.\n");
    expect(text).toMatch(/QUIRE_DATABASE_URL\n.*\n {2}Default: none \(SQLite in the data folder\)\.\n/);
  });
});
