import { type Part, type Plural, readMessage } from "../../src/texts/message.ts";

/** The parts of a text, and those within its plurals. */
function allParts(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) =>
    typeof part === "object" && "forms" in part
      ? [part, ...[...part.forms.values()].flatMap(allParts)]
      : [part],
  );
}

/** The plurals of a text. */
export function pluralsIn(text: string): Plural[] {
  return allParts(readMessage(text)).filter((part) => typeof part === "object" && "forms" in part);
}

/** Two forms of the name of a field, of which each language takes the one that fits its sentence. */
const sameValue: Readonly<Record<string, string>> = { label: "object" };

/** The values that a text shows, by name. */
function valuesIn(text: string): string {
  const names = allParts(readMessage(text)).flatMap((part) => (typeof part === "string" ? [] : part.name));
  return [...new Set(names.map((name) => sameValue[name] ?? name))].toSorted().join(", ");
}

/** In what a translation differs from the original; null if both show the same values. */
export function differenceOf(original: string, translation: string): string | null {
  let other: string;
  try {
    other = valuesIn(translation);
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
  const shown = valuesIn(original);
  return shown === other ? null : `shows ${other === "" ? "no value" : other} instead of ${shown}`;
}
