import { didYouMean, misread } from "./value-kinds.ts";
import type { Config } from "./config-values.ts";
import { contradictions } from "./config-contradictions.ts";
import { appearance } from "./settings/appearance.ts";
import { mailIn } from "./settings/mail-in.ts";
import { operating } from "./settings/operating.ts";
import { processing } from "./settings/processing.ts";
import { filesPath, serving } from "./settings/serving.ts";
import type { Setting, SettingTable } from "./settings/setting.ts";
import { storage } from "./settings/storage.ts";

export type { Config };
export { filesPath };

/** A setting is a row in settings/, a member in config-values.ts, and a section in docs/configuration.md. */
export const settings: SettingTable = {
  ...serving,
  ...mailIn,
  ...appearance,
  ...operating,
  ...storage,
  ...processing,
};

/** A setting given on the command line, which replaces its variable. */
export interface Override {
  variable: string;
  /** The option that gives it, such as `--port`. */
  option: string;
  text: string;
}

/**
 * Reads every setting and reports all problems at once. An empty variable counts as not set. A variable that the
 * command line overrides is not read at all.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  overrides: readonly Override[] = [],
): { config: Config } | { problems: string[] } {
  const problems = unknownVariables(environment);
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const { variable, kind, secret } = setting;
    const override = overrides.find((candidate) => candidate.variable === variable);
    const text = override?.text ?? (environment[variable]?.trim() || setting.default);
    values[name] = text === null ? null : kind.parse(text);
    if (text === null || values[name] !== undefined) continue;
    const source = override?.option ?? variable;
    problems.push(secret ? `${source}: expected ${kind.expected}` : misread(source, text, kind));
  }
  if (problems.length === 0) problems.push(...contradictions(values, settings));
  if (problems.length > 0 || !isWhole(values)) return { problems };
  const { url } = values;
  return {
    config: {
      ...values,
      webUrl: values.webUrl ?? url,
      assetUrl: values.assetUrl ?? (url === null ? null : url + filesPath),
    },
  };
}

/** The type of the table of settings guarantees that each value has the type of its member of {@link Config}. */
function isWhole(values: object): values is Config {
  return Object.values(values).every((value) => value !== undefined);
}

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known: string[] = Object.values<Setting>(settings).map((setting) => setting.variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith("QUIRE_") && !known.includes(name))
    .map((name) => `${name}: no such setting${didYouMean(name, known)}`);
}
