import type { Formats } from "./formats.ts";
import { type Message, type Shown, messageOf } from "./message.ts";

/** The words of a catalogue in one language, as its JSON file has them. */
export interface Words {
  readonly [name: string]: string | readonly string[] | Words;
}

/** Says that texts are found by names that come from data, which may have others. */
export interface ByName {
  readonly byName: true;
}

export const byName: ByName = { byName: true };

/** For each text that shows values, a function of these that returns them by the names that the text has for them. */
export type ValuesOf<W> = {
  readonly [K in keyof W]?: W[K] extends string | readonly string[]
    ? (...values: never[]) => Shown
    : ValuesOf<W[K]> | ByName;
};

/** The texts of a catalogue: those that show values are functions of these, the others are strings. */
export type Texts<W, V> = {
  readonly [K in keyof W]: K extends keyof V ? TextOf<W[K], V[K]> : W[K];
};

type TextOf<W, V> = V extends ByName
  ? Readonly<Record<string, string>>
  : V extends (...values: infer Values) => Shown
    ? (...values: Values) => W
    : Texts<W, V>;

type AnyValues = Readonly<Record<string, unknown>>;

/** Makes the texts of a catalogue from its words. */
export function textsOf<W extends Words, V extends ValuesOf<W>>(
  words: W,
  values: V,
  formats: Formats,
): Texts<W, V> {
  return built(words, values, formats) as Texts<W, V>;
}

function built(words: Words, values: AnyValues, formats: Formats): Record<string, unknown> {
  const entries = Object.entries(words).map(([name, text]): [string, unknown] => {
    const shown = values[name];
    if (typeof text === "string" || isList(text)) {
      return [name, typeof shown === "function" ? textWith(text, shown as Show, formats) : text];
    }
    return [name, built(text, (shown ?? {}) as AnyValues, formats)];
  });
  return Object.fromEntries(entries);
}

const isList = (text: Words[string]): text is readonly string[] => Array.isArray(text);

type Show = (...values: unknown[]) => Shown;

function textWith(text: string | readonly string[], show: Show, formats: Formats) {
  // Read when it is first needed.
  let messages: readonly Message[] | undefined;
  return (...values: unknown[]): string | readonly string[] => {
    messages ??= [text].flat().map((one) => messageOf(one, formats));
    const shown = show(...values);
    const all = messages.map((message) => message(shown));
    return typeof text === "string" ? all.join("") : all;
  };
}
