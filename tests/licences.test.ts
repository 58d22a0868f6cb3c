import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
}

/** The licences that a program under the MIT licence may depend on. */
const compatible = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  // libvips is linked at run time, and anyone can replace it.
  "LGPL-3.0-or-later",
  // 7-Zip runs as a module of its own, and anyone can replace it.
  "LGPL-2.1-or-later",
  // unRAR may be used to read RAR archives, and not to develop an archiver that writes them.
  "LicenseRef-unRAR",
  "MIT",
  "MIT-0",
  "Bitstream-Vera",
  // Fonts.
  "OFL-1.1",
]);

/** Licences that a package names in its text alone, and the one that Quire takes of several. */
const named: Readonly<Record<string, string>> = {
  "@zone-eu/mailsplit": "MIT",
  "7z-wasm": "LGPL-2.1-or-later AND LicenseRef-unRAR",
  "combine-errors": "MIT",
  "dejavu-fonts-ttf": "Bitstream-Vera",
};

const root = path.join(import.meta.dirname, "..");

/** The package is not installed with Quire, but some of its icons are part of the sources. */
const icons =
  "The icons in `src/contract/icons.ts` are from [Lucide](https://lucide.dev/), with this licence:\n\n" +
  readFileSync(path.join(root, "node_modules/lucide-static/LICENSE"), "utf8")
    .trim()
    .replaceAll(/^(?=.)/gm, "    ");

function productionPackages(): { name: string; version: string; licence: string }[] {
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(lock.packages).flatMap(([folder, { version = "", license, dev }]) => {
    const name = folder.replace(/^.*node_modules\//, "");
    return folder === "" || dev === true
      ? []
      : [{ name, version, licence: named[name] ?? license ?? "none" }];
  });
}

const isCompatible = ({ licence }: { licence: string }): boolean =>
  licence.split(/ (?:AND|OR) /).every((part) => compatible.has(part));

describe("the licences of the packages that Quire runs with", () => {
  const packages = productionPackages();

  it("are compatible with its own", () => {
    expect(packages.filter((locked) => !isCompatible(locked))).toEqual([]);
  });

  it("are listed in LICENCES.md", async () => {
    const lines = packages.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`);
    const list = [...new Set(lines)].toSorted().join("\n");
    const text =
      "# Licences of the packages that Quire runs with\n\n" +
      "Quire itself is under the MIT licence: [LICENSE](LICENSE). This list follows package-lock.json, with the packages\n" +
      "for every platform. Each package has the text of its licence in its folder of `node_modules/`.\n" +
      "`npx vitest run tests/licences.test.ts -u` writes the list again.\n\n" +
      "7z-wasm is 7-Zip (LGPL), which has code of unRAR to read RAR archives. That code may not be used to develop an\n" +
      "archiver that is compatible with RAR (WinRAR).\n\n" +
      `${list}\n\n## Icons\n\n${icons}\n`;
    await expect(text).toMatchFileSnapshot("../LICENCES.md");
  });
});
