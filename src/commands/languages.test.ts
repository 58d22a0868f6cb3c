import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addOcrData } from "../processing/ocr/add-ocr-data.ts";
import { findOcrData, ocrFolders, ocrLanguagesThere } from "../processing/ocr/ocr-data.ts";

const { signal } = new AbortController();

/** A program that stands for npm: it writes the packages that it has, and fails as npm does for others. */
const npm = `#!/bin/sh
for last; do :; done
name=\${last#@tesseract.js-data/}
name=\${name%@1.0.0}
case $name in
  swe | kaz | chi_sim) ;;
  slow) exec sleep 60 ;;
  *) echo "npm error code E404" >&2; exit 1 ;;
esac
folder=node_modules/@tesseract.js-data/$name/4.0.0_best_int
mkdir -p "$folder"
echo "the data of $name" > "$folder/$name.traineddata.gz"
`;

describe("languages", () => {
  let folder: string;
  let program: string;
  let target: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-languages-"));
    program = path.join(folder, "npm");
    target = path.join(folder, "data", "languages");
    await writeFile(program, npm);
    await chmod(program, 0o755);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("are added to the data folder, by the codes of the API, and found there", async () => {
    const folders = ocrFolders({ data: path.join(folder, "data"), tessdata: null });
    expect(await ocrLanguagesThere(folders)).not.toContain("swe");
    for (const code of ["swe", "zho", "rus"]) await addOcrData(code, target, { signal, npm: program });
    expect((await readdir(target)).toSorted()).toEqual([
      "chi_sim.traineddata.gz",
      "kaz.traineddata.gz",
      "swe.traineddata.gz",
    ]);
    expect(await ocrLanguagesThere(folders)).toContain("swe");
    expect(await findOcrData("swe", folders)).toEqual({
      language: "swe",
      folder: target,
      isCompressed: true,
    });
    expect(await readFile(path.join(target, "swe.traineddata.gz"), "utf8")).toBe("the data of swe\n");
  });

  it("are in the folder of the setting first", () => {
    expect(ocrFolders({ data: "/d", tessdata: "/t" })).toEqual(["/t", "/d/languages"]);
  });

  it.each([
    ["qqq", "The language “qqq” was not added: there is no package with its data"],
    ["../eng", "“../eng” is not the code of a language"],
  ])("are refused if they do not exist: %s", async (code, reason) => {
    await expect(addOcrData(code, target, { signal, npm: program })).rejects.toThrow(reason);
    await expect(readdir(target)).rejects.toThrow("ENOENT");
  });

  it("say what to do without npm, and stop when they are told to", async () => {
    const none = { signal, npm: path.join(folder, "no npm") };
    await expect(addOcrData("swe", target, none)).rejects.toThrow("QUIRE_TESSDATA");
    const stopped = { signal: AbortSignal.abort(new Error("Stopped")), npm: program };
    await expect(addOcrData("slow", target, stopped)).rejects.toThrow("Stopped");
  });
});
