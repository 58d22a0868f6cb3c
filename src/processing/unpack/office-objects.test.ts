import { describe, expect, it } from "vitest";
import { packagedFile } from "../../testing/inserted-files.ts";
import { buildOldWord } from "../../testing/old-office.ts";
import { buildCompoundFile } from "../../testing/outlook.ts";
import { fileInObject } from "./office-objects.ts";

const named = (object: Buffer): [string, string] | null => {
  const file = fileInObject(object, "oleObject1.bin");
  return file === null ? null : [file.name, Buffer.from(file.bytes).toString("latin1").slice(0, 12)];
};

describe("an object in an office file", () => {
  const packaged = packagedFile("minutes.txt", "The minutes");

  it("is the file that was inserted, with its name if it has one", () => {
    expect(named(buildCompoundFile({ "\u0001Ole10Native": packaged }))).toEqual([
      "minutes.txt",
      "The minutes",
    ]);
    expect(named(buildCompoundFile({ CONTENTS: Buffer.from("%PDF-1.4 etc") }))).toEqual([
      "oleObject1.pdf",
      "%PDF-1.4 etc",
    ]);
    expect(named(buildCompoundFile({ Package: Buffer.from("PK etc") }))).toEqual(["oleObject1", "PK etc"]);
    const word = buildOldWord("A letter", "");
    expect(named(word)).toEqual(["oleObject1.doc", word.toString("latin1", 0, 12)]);
  });

  it("has no file if it is a formula, empty or broken", () => {
    expect(named(buildCompoundFile({ "Equation Native": Buffer.from("x = y") }))).toBeNull();
    expect(named(buildCompoundFile({ CONTENTS: Buffer.from("no PDF") }))).toBeNull();
    expect(named(Buffer.from("no compound file"))).toBeNull();
    for (let length = 0; length < packaged.length; length++)
      expect(named(buildCompoundFile({ "\u0001Ole10Native": packaged.subarray(0, length) }))).toBeNull();
    const empty = packagedFile("empty.txt", "");
    expect(named(buildCompoundFile({ "\u0001Ole10Native": empty }))).toBeNull();
  });
});
