import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeWorkFolder } from "../../work-folders.ts";
import { dataNameOf } from "./ocr-data.ts";

/** The packages of all languages have this version. */
const version = "1.0.0";

/** The language cannot be added, for a reason that an administrator can do something about. */
export class LanguageNotAddedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "LanguageNotAddedError";
  }
}

/**
 * Gets the data of a language, given by its code, and puts it into the folder. npm fetches the package, so that its
 * settings hold for registries and proxies. Of the two kinds of data in it, the smaller is kept. Returns the name of
 * the file.
 *
 * @param npm the program
 * @throws {LanguageNotAddedError}
 */
export async function addOcrData(
  code: string,
  folder: string,
  { signal, npm = "npm" }: { signal: AbortSignal; npm?: string },
): Promise<string> {
  const name = dataNameOf(code);
  if (!/^[a-z_]{3,12}$/.test(name))
    throw new LanguageNotAddedError(`“${code}” is not the code of a language`);
  await using work = await makeWorkFolder("language");
  // Without a package of its own, npm would install into a folder above.
  await writeFile(work.file("package.json"), '{ "private": true }');
  await install(npm, `@tesseract.js-data/${name}@${version}`, { work: work.path, signal, code });
  const file = `${name}.traineddata.gz`;
  const arriving = path.join(folder, `${file}.arriving`);
  await mkdir(folder, { recursive: true });
  const packaged = work.file(path.join("node_modules", "@tesseract.js-data", name, "4.0.0_best_int", file));
  await copyFile(packaged, arriving);
  await rename(arriving, path.join(folder, file));
  return file;
}

async function install(
  npm: string,
  packageName: string,
  { work, signal, code }: { work: string; signal: AbortSignal; code: string },
): Promise<void> {
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  const child = spawn(npm, [...options, packageName], {
    cwd: work,
    signal,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-2000);
  });
  let exitCode: number | null;
  try {
    [exitCode] = (await once(child, "close")) as [number | null];
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new LanguageNotAddedError(
      "npm is not here to fetch the data: put the .traineddata file into the folder that QUIRE_TESSDATA names",
    );
  }
  if (exitCode === 0) return;
  const isUnknown = /E404|ETARGET/.test(complaints);
  const reason = isUnknown ? "there is no package with its data" : `npm failed: ${complaints.trim()}`;
  throw new LanguageNotAddedError(`The language “${code}” was not added: ${reason}`);
}
