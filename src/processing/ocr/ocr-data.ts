import { access, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { UnreadableFileError } from "../unreadable-file.ts";

/** The location of a language's data. */
export interface OcrData {
  /** tesseract's name of the language. */
  language: string;
  folder: string;
  isCompressed: boolean;
}

/** Languages for which tesseract's names differ from the API's. */
const tesseractNames: Readonly<Record<string, string>> = { zho: "chi_sim", tra: "chi_tra" };
const apiCodes: Readonly<Record<string, string>> = { chi_sim: "zho", chi_tra: "tra" };
/**
 * Languages that have no data and are read with the data of another language. Kazakh is written with all Russian
 * letters and a few more. On clean pages its data read 91 of 100 Russian words, and Ukrainian data 76.
 */
const substitutes: Readonly<Record<string, string>> = { rus: "kaz" };
/** The data for detecting scripts, which tesseract's older engine uses. */
export const detectionData = "osd";
/** The data for detecting the orientation and formulas. */
const notLanguages: ReadonlySet<string> = new Set([detectionData, "equ"]);

/** The folder of the languages that `quire languages add` brings. */
export const addedLanguagesFolder = (dataFolder: string): string => path.join(dataFolder, "languages");

/** The folders of the `*.traineddata` files: that of the setting first. */
export function ocrFolders({ data, tessdata }: { data: string; tessdata: string | null }): string[] {
  return [...(tessdata === null ? [] : [tessdata]), addedLanguagesFolder(data)];
}

/**
 * Finds the data for a language in one of the folders, or else in an npm package. A package has two kinds, of which the
 * smaller is used. The larger contains the data of a second engine, which Quire does not use, and takes
 * longer to load. On clean and on noisy pages tesseract read the same text with both, at the same speed.
 *
 * @throws {UnreadableFileError} whose message names what to install.
 */
export async function findOcrData(code: string, folders: readonly string[]): Promise<OcrData> {
  const language = tesseractNames[code] ?? (code === "" ? "eng" : code);
  if (!/^[a-z_]{3,12}$/.test(language)) throw missing(language);
  for (const folder of folders) {
    for (const isCompressed of [false, true]) {
      const name = `${language}.traineddata${isCompressed ? ".gz" : ""}`;
      if (!(await isThere(path.join(folder, name)))) continue;
      return { language, folder: path.resolve(folder), isCompressed };
    }
  }
  const packaged = packageFolder(language);
  if (packaged !== null) return { language, folder: packaged, isCompressed: true };
  const substitute = substitutes[language];
  if (substitute === undefined) throw missing(language);
  return findOcrData(substitute, folders);
}

function packageFolder(language: string): string | null {
  try {
    const require = createRequire(import.meta.url);
    const description = require.resolve(`@tesseract.js-data/${language}/package.json`);
    return path.join(path.dirname(description), "4.0.0_best_int");
  } catch {
    return null;
  }
}

/** The codes of the languages that there is data for. */
export async function ocrLanguagesThere(folders: readonly string[]): Promise<string[]> {
  const inFolders = (await Promise.all(folders.map(namesIn))).flat();
  const found = inFolders.flatMap((name) => /^([a-z_]+)\.traineddata(?:\.gz)?$/.exec(name)?.[1] ?? []);
  const scopes = createRequire(import.meta.url).resolve.paths("@tesseract.js-data/eng") ?? [];
  const scoped = await Promise.all(
    scopes.map((modules) => namesIn(path.join(modules, "@tesseract.js-data"))),
  );
  const packaged = scoped.flat().filter((name) => packageFolder(name) !== null);
  const own = [...found, ...packaged].filter((name) => !notLanguages.has(name));
  const substituted = Object.entries(substitutes).flatMap(([name, by]) => (own.includes(by) ? [name] : []));
  const names = [...own, ...substituted];
  return [...new Set(names.map((name) => apiCodes[name] ?? name))].toSorted();
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}

function missing(language: string): UnreadableFileError {
  return new UnreadableFileError(
    "no-ocr-data",
    `There is no data here to recognise text in the language “${language}”: ${howToInstall([language])}`,
  );
}

/** Instructions for installing the data of one of these languages, given by the API's codes. */
export function howToInstall(codes: readonly string[]): string {
  const commands = codes.map((code) => `quire languages add ${code}`);
  return `${commands.join(" or ")}, or name a folder that has it as QUIRE_TESSDATA`;
}

/** The name of tesseract's data that a language is read with, for a code of the API or of tesseract. */
export function dataNameOf(code: string): string {
  const name = tesseractNames[code] ?? code;
  return substitutes[name] ?? name;
}
