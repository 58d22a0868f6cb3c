import type { Readable, Writable } from "node:stream";
import { parseArgs } from "node:util";
import { settings } from "../config.ts";
import type { Config, Override } from "../config.ts";
import { didYouMean, misread } from "../value-kinds.ts";
import type { Kind } from "../value-kinds.ts";

/**
 * One command of the program. Its file holds what help and the check of the command line need. It imports the modules
 * that do the work inside `run`, so that an unused command loads nothing heavy.
 */
export interface Command<Options extends OptionTable = OptionTable> {
  /** One word, or the name of a group and a word: `user add`. */
  name: string;
  /** One line, for the list of commands. */
  summary: string;
  /** The positional arguments. Without this, the command takes none. */
  arguments?: { placeholder: string; help: string; min: number; max: number };
  options: Options;
  /** The problems of a combination of options and arguments that are valid one by one. */
  check?(given: Pick<CommandContext<Options>, "options" | "arguments">): readonly string[];
  /** Resolves to the exit code: 0 for success, 1 if something failed. */
  run(context: CommandContext<Options>): Promise<number>;
}

/** Options by their name, without the dashes. Every command also has `--help`. */
export type OptionTable = Readonly<Record<string, Option>>;

export type Option = FlagOption | ValueOption | SettingOption;

/** An option without a value: either given or not. */
export interface FlagOption {
  flag: true;
  help: string;
}

export interface ValueOption<Value = unknown> {
  kind: Kind<Value>;
  /** The name of the value in the help. */
  placeholder: string;
  help: string;
  /** As it would be written on the command line. */
  default?: string;
}

/** Overrides a setting's variable. Its value is in `config`, not in `options`. */
export interface SettingOption {
  setting: keyof Config;
  placeholder: string;
}

export type OptionValues<Options extends OptionTable> = {
  [Name in keyof Options as Options[Name] extends SettingOption ? never : Name]: OptionValue<Options[Name]>;
};

type OptionValue<Any extends Option> =
  Any extends ValueOption<infer Value> ? Value | (Any extends { default: string } ? never : null) : boolean;

export interface CommandContext<Options extends OptionTable = OptionTable> {
  config: Config;
  options: OptionValues<Options>;
  arguments: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** Fires when the user or the system asks the program to stop. */
  signal: AbortSignal;
  stdin: Readable;
  /** For data and results. */
  stdout: Writable;
  /** For progress, notes and errors. */
  stderr: Writable;
}

/** Infers the types of the values that `run` receives from the table of options. */
export function defineCommand<const Options extends OptionTable>(
  command: Command<Options>,
): Command<Options> {
  return command;
}

export type HelpTopic = Command | Group | "program" | "settings";

/** Commands whose names begin with the same word. */
export interface Group {
  group: string;
  commands: readonly Command[];
}

export type Invocation =
  | { asks: "help"; topic: HelpTopic }
  | { asks: "version" }
  | { asks: "run"; command: Command; given: ParsedOptions }
  | { asks: "nothing known"; problems: string[] };

/** The arguments after a command's name, with every problem found in them. */
export interface ParsedOptions {
  options: Record<string, unknown>;
  arguments: string[];
  overrides: Override[];
  problems: string[];
}

/** Reads the command line, without the program's own name. */
export function parseCommandLine(commands: readonly Command[], args: readonly string[]): Invocation {
  const [first, ...rest] = args;
  const names = [...commands.map((command) => command.name), "help"];
  if (first === undefined || first === "--help" || first === "-h") return { asks: "help", topic: "program" };
  if (first === "--version") return { asks: "version" };
  if (first === "help") return helpOn(commands, rest);
  if (first.startsWith("-")) {
    return { asks: "nothing known", problems: [`${first}: an option comes after a command`] };
  }
  const group = findGroup(commands, first);
  if (group !== null && (rest.length === 0 || rest[0] === "--help" || rest[0] === "-h")) {
    return { asks: "help", topic: group };
  }
  const name = group === null ? first : `${first} ${rest[0]}`;
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    return { asks: "nothing known", problems: [`${name}: no such command${didYouMean(name, names)}`] };
  }
  const given = parseGiven(command, group === null ? rest : rest.slice(1));
  return given === "help" ? { asks: "help", topic: command } : { asks: "run", command, given };
}

function findGroup(commands: readonly Command[], word: string): Group | null {
  const members = commands.filter(({ name }) => name.startsWith(`${word} `));
  return members.length === 0 ? null : { group: word, commands: members };
}

function helpOn(commands: readonly Command[], rest: readonly string[]): Invocation {
  const [subject, ...others] = rest.filter((word) => word !== "--help" && word !== "-h");
  const names = [...commands.map(({ name }) => name), "settings"];
  if (subject === undefined || subject === "help") return { asks: "help", topic: "program" };
  const group = findGroup(commands, subject);
  const name = group === null || others.length === 0 ? subject : `${subject} ${others.shift()}`;
  const named = name === "settings" ? name : commands.find((candidate) => candidate.name === name);
  const topic = named ?? (name === subject ? (group ?? undefined) : undefined);
  const problems = others.map((word) => `${word}: help is on one thing at a time`);
  if (topic === undefined) problems.unshift(`${name}: no help on this${didYouMean(name, names)}`);
  return topic === undefined || problems.length > 0
    ? { asks: "nothing known", problems }
    : { asks: "help", topic };
}

function parseGiven(command: Command, args: readonly string[]): ParsedOptions | "help" {
  // No option is declared, so parseArgs only splits the line into tokens. With declared options, its lenient mode would
  // read `--port --data` as a port called "--data", and its strict mode would stop at the first error.
  const { tokens } = parseArgs({ args: [...args], strict: false, allowPositionals: true, tokens: true });
  const given: ParsedOptions = { options: {}, arguments: [], overrides: [], problems: [] };
  const unknown = new Set<string>();
  const texts = new Map<string, string | true>();
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind === "positional") given.arguments.push(token.value);
    if (token?.kind !== "option") continue;
    const { name, rawName, value } = token;
    const option = rawName.startsWith("--") ? findOption(command, name) : undefined;
    if (rawName === "--help" || rawName === "-h") return "help";
    if (option === undefined) {
      unknown.add(rawName.startsWith("--") ? rawName : (args[token.index] ?? rawName));
      continue;
    }
    if (texts.has(name)) given.problems.push(`${rawName}: given more than once`);
    const next = tokens[index + 1];
    if ("flag" in option) {
      if (value !== undefined) given.problems.push(`${rawName}: takes no value`);
      texts.set(name, true);
    } else if (value !== undefined) {
      texts.set(name, value);
    } else if (next?.kind === "positional") {
      texts.set(name, next.value);
      index++;
    } else {
      given.problems.push(`${rawName}: needs a value, ${option.placeholder}`);
    }
  }
  const known = Object.keys(command.options).map((name) => `--${name}`);
  for (const option of unknown) {
    given.problems.push(`${option}: no such option of quire ${command.name}${didYouMean(option, known)}`);
  }
  for (const [name, option] of Object.entries(command.options)) take(given, name, option, texts.get(name));
  given.problems.push(...miscounted(command, given.arguments));
  if (given.problems.length === 0) given.problems.push(...(command.check?.(given) ?? []));
  return given;
}

function take(given: ParsedOptions, name: string, option: Option, text: string | true | undefined): void {
  if ("flag" in option) {
    given.options[name] = text === true;
  } else if ("setting" in option) {
    const { variable } = settings[option.setting];
    if (typeof text === "string") given.overrides.push({ variable, option: `--${name}`, text });
  } else {
    const written = typeof text === "string" ? text : option.default;
    const value = written === undefined ? null : option.kind.parse(written);
    if (value === undefined) given.problems.push(misread(`--${name}`, written ?? "", option.kind));
    given.options[name] = value;
  }
}

function findOption(command: Command, name: string): Option | undefined {
  return Object.hasOwn(command.options, name) ? command.options[name] : undefined;
}

function miscounted(command: Command, given: readonly string[]): string[] {
  const { placeholder, min, max } = command.arguments ?? { placeholder: "", min: 0, max: 0 };
  if (given.length < min) return [`${placeholder} is missing`];
  return given.slice(max).map((word) => `${JSON.stringify(word)}: one argument too many`);
}
