import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileKinds } from "../src/file-kinds.ts";

const processing = readFileSync(path.join(import.meta.dirname, "../docs/processing.md"), "utf8");
const ownKinds = [...fileKinds].filter(
  ([, { converter, fallback }]) => (converter ?? fallback) !== undefined,
);

describe("the kinds of files", () => {
  it("are known by lower-case extensions, in alphabetical order", () => {
    const extensions = [...fileKinds.keys()];
    expect(extensions).toEqual(extensions.toSorted());
    expect(extensions.filter((extension) => !/^[a-z\d]+$/.test(extension))).toEqual([]);
  });

  it.each(ownKinds.map(([extension]) => extension))(
    "are documented if Quire converts them: %s",
    (extension) => {
      expect({ extension, isDocumented: processing.includes(`\`${extension}\``) }).toEqual({
        extension,
        isDocumented: true,
      });
    },
  );
});
