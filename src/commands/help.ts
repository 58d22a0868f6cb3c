import { settings } from "../config.ts";
import type { Setting } from "../settings/setting.ts";
import type { Command, Group, HelpTopic, Option } from "./command-line.ts";

export function helpText(commands: readonly Command[], topic: HelpTopic): string {
  if (topic === "settings") return settingsHelp();
  if (topic === "program") return programHelp(commands);
  return "group" in topic ? groupHelp(topic) : commandHelp(topic);
}

function groupHelp({ group, commands }: Group): string {
  return `Usage: quire ${group} <command> [options]

Commands:
${columns(commands.map(({ name, summary }): Row => [name, summary]))}

quire <command> --help   the arguments and options of a command
`;
}

function programHelp(commands: readonly Command[]): string {
  return `A self-hosted document service.

Usage: quire <command> [options]

Commands:
${columns([
  ...commands.map(({ name, summary }): Row => [name, summary]),
  ["help", "Show this help, or the help of a command or of the settings."],
])}

quire <command> --help   the arguments and options of a command
quire help settings      the settings, which come from the environment
quire --version          the version, its commit, and the schema of its database
`;
}

function commandHelp(command: Command): string {
  const { name, summary, arguments: words, options } = command;
  const optional = words?.min === 0;
  const placeholder =
    words === undefined ? "" : ` ${optional ? `[${words.placeholder}]` : words.placeholder}`;
  const sections = [`Usage: quire ${name} [options]${placeholder}`, summary];
  if (words !== undefined) sections.push(`Arguments:\n${columns([[words.placeholder, words.help]])}`);
  const rows = Object.entries(options).map(([option, row]): Row => optionRow(option, row));
  sections.push(`Options:\n${columns([...rows, ["--help", "Show this help."]])}`);
  return `${sections.join("\n\n")}\n`;
}

function optionRow(name: string, option: Option): Row {
  if ("flag" in option) return [`--${name}`, option.help];
  if ("setting" in option) {
    const setting: Setting = settings[option.setting];
    return [`--${name} ${option.placeholder}`, `${setting.help} Without it, ${setting.variable} applies.`];
  }
  const preset = option.default === undefined ? "" : ` Default: ${option.default}.`;
  return [`--${name} ${option.placeholder}`, option.help + preset];
}

function settingsHelp(): string {
  const paragraphs = Object.values<Setting>(settings).map(
    ({ variable, help, default: preset, otherwise }) =>
      `${variable}\n  ${help}\n  Default: ${preset ?? `none (${otherwise})`}.`,
  );
  return `Settings are environment variables. A command-line option overrides the variable of the same setting.

${paragraphs.join("\n\n")}
`;
}

type Row = [left: string, right: string];

function columns(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
