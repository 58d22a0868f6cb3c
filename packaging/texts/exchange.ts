import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Words } from "../../src/texts/texts-of.ts";
import { differenceOf } from "./differences.ts";

/*
 * The catalogues as programs for translators read them: one flat JSON file a language, such as `fr.json`, in which a key
 * is the name of a catalogue and the path in it: "viewer/form/saving". English is the source, and the template of every
 * other language.
 */

type Flat = Record<string, string>;

const source = "en";

/** Writes each language of the catalogues as a flat file. Returns the names of the files. */
export function exportTexts(catalogues: string, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return languagesIn(catalogues).map((language) => {
    const file = `${language}.json`;
    writeJson(path.join(folder, file), flat(readCatalogues(path.join(catalogues, language))));
    return file;
  });
}

/**
 * Reads the flat files of a folder into the catalogues: of each language but English, whose texts are changed in the
 * catalogues themselves. A text that is missing or empty stays as it is; in a new language it is English. Throws an
 * error, and writes nothing, if a file has a key that English has not, or a text that shows other values.
 */
export function importTexts(catalogues: string, folder: string): string[] {
  const template = readCatalogues(path.join(catalogues, source));
  const english = flat(template);
  const files = readdirSync(folder).filter((file) => file.endsWith(".json") && file !== `${source}.json`);
  const translated = files.map((file) => {
    const given = readJson(path.join(folder, file)) as Flat;
    const problems = problemsOf(given, english);
    if (problems.length > 0) throw new Error(`${file}:\n${problems.join("\n")}`);
    const language = path.basename(file, ".json");
    const isKnown = languagesIn(catalogues).includes(language);
    const present = isKnown ? flat(readCatalogues(path.join(catalogues, language))) : english;
    return { language, texts: { ...present, ...withoutEmpty(given) } };
  });
  for (const { language, texts } of translated) {
    mkdirSync(path.join(catalogues, language), { recursive: true });
    for (const [name, words] of Object.entries(template)) {
      writeJson(path.join(catalogues, language, `${name}.json`), filled(words as Words, texts, `${name}/`));
    }
  }
  return files;
}

function problemsOf(given: Flat, english: Flat): string[] {
  return Object.entries(withoutEmpty(given)).flatMap(([key, text]) => {
    const original = english[key];
    if (original === undefined) return [`${key} is no key of English`];
    const difference = differenceOf(original, text);
    return difference === null ? [] : [`${key} ${difference}`];
  });
}

const withoutEmpty = (texts: Flat): Flat =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));

function languagesIn(catalogues: string): string[] {
  return readdirSync(catalogues, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function readCatalogues(folder: string): Words {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return Object.fromEntries(
    files.map((file) => [path.basename(file, ".json"), readJson(path.join(folder, file)) as Words]),
  );
}

/** Every text of the catalogues, by its path. */
export function flat(words: Words, above = ""): Flat {
  return Object.assign(
    {},
    ...Object.entries(words).map(([name, text]) =>
      typeof text === "string" ? { [`${above}${name}`]: text } : flat(text as Words, `${above}${name}/`),
    ),
  ) as Flat;
}

/** The words of a catalogue, with other texts. */
function filled(words: Words, texts: Flat, above: string): Words {
  const entries = Object.entries(words).map(([name, text]): [string, Words[string]] => {
    const key = `${above}${name}`;
    if (typeof text === "string") return [name, texts[key] ?? text];
    if (Array.isArray(text)) return [name, text.map((one: string, index) => texts[`${key}/${index}`] ?? one)];
    return [name, filled(text as Words, texts, `${key}/`)];
  });
  return Object.fromEntries(entries);
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

const writeJson = (file: string, content: unknown): void =>
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
