import { parseArgs } from "node:util";

/** The kind of an option: a positive whole number, a flag without a value, or a text. */
export type OptionKind = "number" | "flag" | "text";

export type Options<Kinds extends Record<string, OptionKind>> = {
  [Name in keyof Kinds]?: Kinds[Name] extends "number"
    ? number
    : Kinds[Name] extends "flag"
      ? boolean
      : string;
};

/** @throws Error with a sentence about the first problem. */
export function readOptions<const Kinds extends Record<string, OptionKind>>(
  args: readonly string[],
  kinds: Kinds,
): Options<Kinds> {
  const config = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      { type: kind === "flag" ? "boolean" : "string" } as const,
    ]),
  );
  const { values } = parseArgs({ args: [...args], options: config, strict: true, allowPositionals: false });
  const read = Object.entries(values).map(([name, value]) => {
    if (kinds[name] !== "number") return [name, value];
    if (!/^[1-9]\d{0,8}$/.test(String(value))) throw new Error(`--${name} takes a whole number from 1`);
    return [name, Number(value)];
  });
  return Object.fromEntries(read) as Options<Kinds>;
}
